"""The graph of the k nearest neighbors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..exceptions import GraphWarning, warn
from ..parameters.checks import check_option, is_count
from ..types import MatrixLike
from .assemble import SYMMETRIES, as_input, symmetric_graph
from .axes import check_components, leading_axes
from .base import Graph, WeightedGraph
from .hubs import without_hubs
from .lists import NeighborLists
from .scales import warn_of_scales
from .search import Neighbors, check_search
from .weights import check_weight


@dataclass(eq=False, repr=False)
class KNN(Graph):
    """W_ij > 0 where j is among the k nearest of i, or i among the k nearest of j.

    ``symmetrize="mutual"`` asks for both. Each point lists its k nearest other points and all
    that tie with the k-th, up to 2k. Beyond 2k, ties are broken by the contents of the rows, so
    that permuted rows give the permuted graph. k is clipped to n − 1. With ``metric="cosine"`` a
    row of zeros has no neighbors.

    Parameters
    ----------
    n_neighbors : int, at least 1, default=10
        k, how many neighbors each point lists.
    weight : {"heat", "binary", "cosine", "cosine-distance", "self-tuning", "self-tuning-linear"} \
or callable
        See :mod:`lapwing.graphs.weights`; a callable maps distances to weights.
    t : float or "mean"
        The time of the heat weight exp(−d²/4t); "mean" is 4t = 2 d̄² with d̄ the mean distance
        over the directed lists.
    metric : str
        "euclidean", "cosine" (the euclidean distance of the rows scaled to norm 1), "tanimoto"
        (1 − the share of common bits, for fingerprints), "manhattan", or another of
        scikit-learn's metric names; "precomputed" takes X for a matrix of distances, as
        `Distances(X)` does, dense or sparse (a neighbor graph).
    symmetrize : {"union", "mutual"}
    search : {"auto", "exact", "approximate", "brute", "kd_tree", "ball_tree"} or transformer
        "auto" is exact up to 50,000 dense rows, and approximate above where Faiss is installed
        (``pip install lapwing-learn[neighbors]``); see :mod:`lapwing.graphs.search`. Or one of
        scikit-learn's neighbors transformers, such as ``KNeighborsTransformer()``.
    hubs : {"drop", "keep"}
        A hub is a point in the lists of more than 10k others. "drop" leaves it out of their lists
        and takes the next nearest instead; it keeps its own list. A `GraphWarning` reports hubs in
        both cases.
    random_state : int, RandomState or None
        For the approximate search.
    components : int, None or "auto"
        Number of leading principal axes of X to measure distances along; None takes all columns.
        "auto" is 50 for more than 8,000 dense rows of more than 100 columns, else None. Only for
        the euclidean metric.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), Table 1, step 1.

    Examples
    --------
    >>> KNN(n_neighbors=1, weight="binary").build([[0.0], [1.0], [5.0]]).W.toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """

    n_neighbors: int = 10
    weight: str | Callable = "heat"
    t: float | str = "mean"
    metric: str = "euclidean"
    symmetrize: str = "union"
    search: Any = "auto"
    hubs: str = "drop"
    random_state: Any = 0
    components: int | str | None = "auto"

    def build(self, X: MatrixLike) -> WeightedGraph:
        X = as_input(X, self.metric)
        self._check(X)
        k, most = self._clipped(X.shape[0]), 2 * int(self.n_neighbors)
        if k < 1:
            lists = NeighborLists.empty(X.shape[0])
        else:
            warn_of_scales(X)
            points = leading_axes(X, self.components, self.metric)
            found = Neighbors(points, self.metric, self.search, k, self.random_state)
            lists = without_hubs(found, found.nearest(k, most), k, most, keep=self.hubs == "keep")
        return symmetric_graph(lists, self.weight, X, self.t, self.symmetrize)

    def _clipped(self, n: int) -> int:
        """k, or n − 1 with a warning; not for a handful of points, where nobody expects more."""
        if self.n_neighbors >= n > 20:  # of a handful of rows all are neighbors
            warn(
                f"n_neighbors is {self.n_neighbors} and there are only {n} points: each is joined "
                f"with all the {n - 1} others.",
                GraphWarning,
            )
        return min(int(self.n_neighbors), n - 1)

    def _check(self, X: MatrixLike) -> None:
        if not is_count(self.n_neighbors):
            raise ValueError(
                f"n_neighbors is {self.n_neighbors!r}; expected a positive number of neighbors."
            )
        check_weight(self.weight, self.t, X)
        check_option("symmetrize", self.symmetrize, SYMMETRIES)
        check_search(self.search)
        check_components(self.components)
        if self.hubs not in ("drop", "keep"):
            hint = '; "tame" is now "drop"' if self.hubs == "tame" else ""
            raise ValueError(f'hubs is {self.hubs!r}; expected "drop" or "keep"{hint}.')
