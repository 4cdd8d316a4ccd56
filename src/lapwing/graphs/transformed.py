"""A graph on transformed rows."""

from typing import Any

from sklearn.base import clone

from ..types import MatrixLike
from .assemble import as_input
from .base import Graph, WeightedGraph, has_coordinates


class Transformed(Graph):
    """The graph of T x_1 … T x_n, where T is a scikit-learn transformer fitted to the same rows.

    ``Transformed(KNN(6), StandardScaler())`` scales each column before the neighbor search.

    Parameters
    ----------
    graph : Graph
        The graph of the transformed rows.
    transformer : transformer
        :meth:`build` fits a copy of it.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> from lapwing.graphs import KNN
    >>> X = [[0.0, 1000.0], [0.1, 0.0], [9.0, 1000.0], [9.1, 0.0], [9.1, 500.0]]
    >>> Transformed(KNN(1, weight="binary"), StandardScaler()).build(X).W.toarray()[1]
    array([0., 0., 0., 1., 0.])
    """

    def __init__(self, graph: Any, transformer: Any) -> None:
        self.graph = graph
        self.transformer = transformer

    def build(self, X: MatrixLike) -> WeightedGraph:
        points = as_input(X, "euclidean")
        if not has_coordinates(points):
            raise ValueError(
                f"{self.transformer!r} has no points to transform: the graph is given distances. "
                "Transform the points before their distances are computed."
            )
        return self.graph.build(clone(self.transformer).fit_transform(points))
