"""The graph of all pairs."""

from __future__ import annotations

from .assemble import as_input, symmetric_graph
from .base import Graph, WeightedGraph
from .search import everyone
from .weights import check_weight


class Complete(Graph):
    """W_ij > 0 for all i ≠ j: a graph kernel in the words of MR, n(n − 1) weights in memory.

    Parameters
    ----------
    weight, t, metric
        As in :class:`lapwing.graphs.KNN`; all other points are in the list of each point.

    References
    ----------
    MR, Table 1, step 1.

    Examples
    --------
    >>> Complete(weight="binary").build([[0.0], [1.0], [5.0]]).degrees
    array([2., 2., 2.])
    """

    def __init__(self, weight="heat", t="mean", metric="euclidean"):
        self.weight = weight
        self.t = t
        self.metric = metric

    def build(self, X) -> WeightedGraph:
        X = as_input(X, self.metric)
        check_weight(self.weight, self.t, X)
        return symmetric_graph(everyone(X, self.metric), self.weight, X, self.t)
