"""The graph of the k nearest neighbours."""

from __future__ import annotations

from ..linalg.numbers import is_count
from .assemble import as_input, check_symmetrize, symmetric_graph
from .base import Graph, WeightedGraph
from .search import check_search, nearest
from .weights import check_weight


class KNN(Graph):
    """W_ij > 0 where j is among the k nearest of i, or ("union") / and ("mutual") the reverse.

    Every point has exactly k neighbours in its list, itself never among them, also where points
    coincide; k is clipped to n − 1, and a single point gives an empty graph.

    Parameters
    ----------
    k : int, at least 1
    weight : {"heat", "binary", "cosine", "cosine-distance", "self-tuning", "self-tuning-linear"} \
or callable
        See :mod:`lapwing.graphs.weights`; a callable maps distances to weights.
    t : float or "mean"
        The time of the heat weight exp(−d²/4t); "mean" is 4t = 2 d̄² with d̄ the mean distance
        over the directed lists.
    metric : str
        "euclidean", "cosine" (the euclidean distance of the rows scaled to norm 1),
        "manhattan", or another of scikit-learn's metric names. Not used for `Distances`.
    symmetrize : {"union", "mutual"}
    search : {"auto", "brute", "kd_tree", "ball_tree"}
        All are exact.

    References
    ----------
    MR, Table 1, step 1.

    Examples
    --------
    >>> KNN(k=1, weight="binary").build([[0.0], [1.0], [5.0]]).W.toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """

    def __init__(
        self,
        k=10,
        weight="heat",
        t="mean",
        metric="euclidean",
        symmetrize="union",
        search="auto",
    ):
        self.k = k
        self.weight = weight
        self.t = t
        self.metric = metric
        self.symmetrize = symmetrize
        self.search = search

    def build(self, X) -> WeightedGraph:
        X = as_input(X)
        self._check(X)
        lists = nearest(X, int(self.k), self.metric, self.search)
        return symmetric_graph(lists, self.weight, X, self.t, self.symmetrize)

    def _check(self, X) -> None:
        if not is_count(self.k):
            raise ValueError(f"k is {self.k!r}; expected a positive number of neighbours.")
        check_weight(self.weight, self.t, X)
        check_symmetrize(self.symmetrize)
        check_search(self.search)
