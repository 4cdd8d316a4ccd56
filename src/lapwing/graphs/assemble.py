"""Turn directed lists of neighbors into a symmetric weighted graph."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.points import as_points
from ..types import MatrixLike
from .base import Distances, WeightedGraph, has_coordinates
from .lists import NeighborLists
from .search import checked_distances
from .weights import edge_weights

SYMMETRIES = ("union", "mutual")


def symmetric_graph(
    lists: NeighborLists,
    weight: str | Callable[..., Any],
    X: MatrixLike,
    t: Any,
    symmetrize: str | None = "union",
) -> WeightedGraph:
    """W = max(A, Aᵀ) for "union", min(A, Aᵀ) for "mutual".

    A holds the weights of the directed lists. "union" joins i and j if i lists j or j lists i.
    "mutual" joins them if both do. None means that A is already symmetric; this saves a third of
    the memory. Weights below the smallest normal float are set to 0, because dividing by their
    roots would overflow.
    """
    w = edge_weights(lists, weight, X, t)
    w[w < np.finfo(np.float64).tiny] = 0.0
    A = sp.csr_array((w, lists.indices, lists.indptr), shape=(lists.n, lists.n))
    W = A if symmetrize is None else A.maximum(A.T) if symmetrize == "union" else A.minimum(A.T)
    W = sp.csr_array(W)
    W.eliminate_zeros()
    W.sort_indices()
    return WeightedGraph(W)


def as_input(X: MatrixLike, metric: str = "euclidean") -> Any:
    """Check X and return it: as Distances if X holds distances, otherwise as points."""
    if isinstance(metric, str) and metric == "precomputed" and has_coordinates(X):
        X = Distances(X)
    if has_coordinates(X):
        return as_points(X)
    return checked_distances(X.matrix)
