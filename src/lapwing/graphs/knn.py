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
    """W_ij > 0 if row j is among the k nearest of row i, or i among the k nearest of j.

    With ``symmetrize="mutual"`` both must hold. The list of a row has its k nearest other rows.
    Rows that tie with the k-th are added, up to 2k rows. If there are more ties, the values of the
    rows decide. The order of the rows in X therefore does not change the graph. k is at most n − 1.
    With ``metric="cosine"`` a row of zeros has no neighbors.

    Parameters
    ----------
    n_neighbors : int, at least 1, default=10
        The number k of neighbors of each row.
    weight : {"heat", "binary", "cosine", "cosine-distance", "self-tuning", "self-tuning-linear"} \
or callable
        The edge weight. See :mod:`lapwing.graphs.weights`. A callable maps an array of distances to
        weights.
    t : float or "mean"
        The time t of the heat weight exp(−d²/4t). "mean" sets 4t = 2 d̄², where d̄ is the mean
        distance in the neighbor lists.
    metric : str
        "euclidean", "cosine" (the euclidean distance of the rows scaled to norm 1), "tanimoto" (1 −
        the share of common bits, for fingerprints), "manhattan", or another metric name of
        scikit-learn. With "precomputed", X is a matrix of distances, dense or sparse (a neighbor
        graph). It means the same as ``Distances(X)``.
    symmetrize : {"union", "mutual"}
        "union" joins two rows if one of them lists the other. "mutual" joins them if both do.
    search : {"auto", "exact", "approximate", "brute", "kd_tree", "ball_tree"} or transformer
        "auto" is exact up to 50,000 dense rows. With more rows it is approximate if Faiss is
        installed (``pip install lapwing-learn[neighbors]``). See :mod:`lapwing.graphs.search`. A
        neighbors transformer of scikit-learn, such as ``KNeighborsTransformer()``, is accepted too.
    hubs : {"drop", "keep"}
        A hub is a row in the lists of more than 10k other rows (fewer if n is small). "drop"
        replaces it in these lists by the next nearest row. The hub keeps its own list. A
        `GraphWarning` reports hubs in both cases.
    random_state : int, RandomState or None
        The seed of the approximate search.
    components : int, optional
        The number of leading principal axes of X. Distances are measured along these axes, which is
        faster and less noisy. None uses all columns. Only dense rows and the euclidean metric can
        use it. Where the regularizer is "auto", the search takes 50 axes of dense rows with more
        than 100 columns (decision 0110).

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
    components: int | None = None

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
        """k, or n − 1 if that is smaller. It warns if there are more than 20 rows."""
        if self.n_neighbors >= n > 20:  # no warning for very few rows
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
