"""A graph whose small components are joined to larger ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.blocks import row_blocks
from ..linalg.pairwise import distances
from ..parameters.checks import is_count
from ..types import MatrixLike
from .assemble import as_input
from .base import Graph, WeightedGraph, has_coordinates

Nearest = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""A function (rows, rest) ↦ (distance to the nearest of the rest, its index), per row."""


class Joined(Graph):
    """A graph with one more edge from each small component to the nearest larger component.

    Labels cannot spread to a component without labeled rows. The new edge connects the two nearest
    points of the small and the larger component. The small component then gets the prediction of
    that point. The weight of the new edge is the mean of all other weights. If the small component
    has no label, predictions in the larger component stay nearly the same.

    Parameters
    ----------
    graph : Graph
        The graph to start from.
    most : int, at least 1
        Components with at most ``most`` points are joined. The largest component is never small.

    Examples
    --------
    >>> from lapwing.graphs import KNN
    >>> X = [[0.0], [1.0], [2.0], [9.0], [9.5]]
    >>> KNN(1).build(X)
    WeightedGraph(n=5, edges=3, components=2, isolated=0)
    >>> Joined(KNN(1), 2).build(X).W[[2], [3]] > 0
    array([ True])
    """

    def __init__(self, graph: Any, most: int) -> None:
        self.graph = graph
        self.most = most

    def build(self, X: MatrixLike) -> WeightedGraph:
        if not is_count(self.most):
            raise ValueError(
                f"most is {self.most!r}; expected the number of points, at least 1, up to which a "
                "component is joined with the rest."
            )
        return joined(
            self.graph.build(X), as_input(X, getattr(self.graph, "metric", "")), self.most
        )


def joined(graph: WeightedGraph, X: MatrixLike, most: int) -> WeightedGraph:
    """Add one edge to a built graph for each component of at most ``most`` points.

    Parameters
    ----------
    graph : WeightedGraph
    X : array or CSR matrix of shape (n, d), or Distances
        The nearest point is found by the euclidean distance between rows.
    most : int

    Examples
    --------
    >>> from lapwing.graphs import KNN
    >>> X = np.array([[0.0], [1.0], [2.0], [9.0], [9.5]])
    >>> joined(KNN(1).build(X), X, most=2)
    WeightedGraph(n=5, edges=4, components=1, isolated=0)
    """
    return joined_by(graph, partial(nearest_rows, X), most)


def joined_by(graph: WeightedGraph, nearest: Nearest, most: int) -> WeightedGraph:
    """:func:`joined` with another function that finds the nearest points."""
    sizes = np.bincount(graph.components)
    small = sizes <= most
    small[sizes.argmax()] = False
    alone = small[graph.components]
    rows, rest = np.flatnonzero(alone), np.flatnonzero(~alone)
    if not len(rows):
        return graph
    apart, found = nearest(rows, rest)
    order = np.lexsort((apart, graph.components[rows]))
    first = order[np.unique(graph.components[rows][order], return_index=True)[1]]
    i, j = rows[first], found[first]
    weight = np.full(len(i), float(graph.W.data.mean()) if graph.W.nnz else 1.0)
    links = sp.csr_array((weight, (i, j)), shape=graph.W.shape)
    W = sp.csr_array(graph.W + links + links.T)
    W.sort_indices()
    return WeightedGraph(W)


def nearest_rows(X: Any, rows: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distance of each of ``rows`` to the nearest of ``rest``, and the index of that row."""
    apart, nearest = np.empty(len(rows)), np.empty(len(rows), dtype=int)
    others = X[rest] if has_coordinates(X) else None
    for block in row_blocks(len(rows), len(rest)):
        if has_coordinates(X):
            D = distances(X[rows[block]], others)
        else:
            D = _dense(X.matrix, rows[block], rest)
        at = D.argmin(axis=1)
        apart[block], nearest[block] = D[np.arange(len(at)), at], rest[at]
    return apart, nearest


def _dense(matrix, rows: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """The distances between rows and rest. They are infinite where a sparse matrix stores none."""
    if not sp.issparse(matrix):
        return matrix[np.ix_(rows, rest)]
    found = sp.csr_array(matrix)[rows][:, rest].tocoo()
    out = np.full(found.shape, np.inf)
    out[found.row, found.col] = found.data
    return out
