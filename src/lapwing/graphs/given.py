"""A graph given as a matrix of weights."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..types import MatrixLike
from .base import Graph, WeightedGraph
from .hubs import say_stars


class Given(Graph):
    """The graph of a given matrix W. Its diagonal is dropped, because f_i − f_i = 0.

    Parameters
    ----------
    W : array or sparse matrix of shape (n, n), an undirected networkx graph, or a WeightedGraph
        Symmetric, non-negative and finite. Row i of W belongs to row i of X. For a networkx graph,
        the nodes in their order belong to the rows of X. The edge attribute ``weight`` is used, or
        1 if an edge has none. A built :class:`WeightedGraph` is returned as it is.

    Examples
    --------
    >>> Given([[7.0, 2.0], [2.0, 0.0]]).build([[0.0], [1.0]]).W.toarray()
    array([[0., 2.],
           [2., 0.]])
    """

    reads_points = False

    def __init__(self, W: Any) -> None:
        self.W = W

    def build(self, X: MatrixLike) -> WeightedGraph:
        graph = self.W if isinstance(self.W, WeightedGraph) else WeightedGraph(_checked(self.W))
        if X is not None and np.shape(X)[0] != graph.n:
            raise ValueError(
                f"The given graph has {graph.n} vertices and X has {np.shape(X)[0]} rows; "
                f"each row of X, labeled or not, is one vertex."
            )
        say_stars(graph)
        return graph


def _checked(W: Any) -> sp.csr_array:
    """W as a CSR array of float64, exactly symmetric and without a diagonal."""
    if is_networkx(W):
        W = _of_networkx(W)
    if len(np.shape(W)) != 2 or np.shape(W)[0] != np.shape(W)[1]:
        raise ValueError(f"The weights W must be a square matrix; got shape {np.shape(W)}.")
    W = sp.coo_array(W if sp.issparse(W) else np.asarray(W), dtype=np.float64)
    W.sum_duplicates()
    if not np.isfinite(W.data).all():
        raise ValueError("The weights W contain NaN or infinity; use 0 where there is no edge.")
    off = W.row != W.col
    W = sp.csr_array((W.data[off], (W.row[off], W.col[off])), shape=W.shape)
    if (W.data < 0).any():
        raise ValueError(
            f"The weights W must be non-negative; the smallest is {W.data.min()}. A regularizer "
            f"may be given as a PSD matrix instead."
        )
    difference = abs(W - W.T)
    if difference.nnz and difference.max() > 1e-8 * W.max():
        raise ValueError(
            f"The weights W must be symmetric; W and its transpose differ by up to "
            f"{difference.max()}. Use W.maximum(W.T) for the union of a directed graph."
        )
    W = sp.csr_array(0.5 * (W + W.T))
    W.eliminate_zeros()
    return W


def is_networkx(graph: Any) -> bool:
    """Whether ``graph`` is a networkx graph. networkx need not be installed."""
    return hasattr(graph, "adjacency") and hasattr(graph, "number_of_nodes")


def _of_networkx(graph: Any) -> sp.coo_array:
    """The weights of a networkx graph, with the nodes in their own order."""
    place = {node: i for i, node in enumerate(graph)}
    entries = [
        (place[a], place[b], float(edge.get("weight", 1.0)))
        for a, joined in graph.adjacency()
        for b, edge in joined.items()
    ]
    rows, columns, weights = zip(*entries, strict=True) if entries else ((), (), ())
    return sp.coo_array((weights, (rows, columns)), shape=(len(place), len(place)))
