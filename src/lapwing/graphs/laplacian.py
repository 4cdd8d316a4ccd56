"""The graph Laplacian as a sparse matrix, in three normalizations, and a bound on its spectrum."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.sparse import narrow
from ..types import MatrixLike
from .base import Graph, WeightedGraph
from .bistochastic import bistochastic_scaling
from .knn import KNN


def laplacian(graph: WeightedGraph, normalized: bool | str = True) -> sp.csr_array:
    """L = D − W. If normalized, L = I − D^{−1/2} W D^{−1/2}. If bistochastic, L = I − S.

    D is the diagonal matrix of degrees D_ii = Σ_j W_ij. S = diag(s)(W + εI)diag(s) has row sums 1,
    so that (I − S) 1 = 0. A point without edges has a row and a column of zeros in every variant.
    Each matrix is symmetric to the last bit; scipy's Laplacian is not.

    Parameters
    ----------
    graph : WeightedGraph
        A graph on n points.
    normalized : bool or "bistochastic"
        The form of L. True: normalized. False: D − W. "bistochastic": I − S.

    Returns
    -------
    csr_array of shape (n, n)
        Its diagonal is stored in every row.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), §2.2, eq. 4; Minh, Sindhwani 2011 (VV), §5, for the
    normalized form; for the bistochastic one see
    :func:`lapwing.graphs.bistochastic.bistochastic_scaling`.

    Examples
    --------
    >>> from lapwing.graphs import Given
    >>> laplacian(Given([[0, 2], [2, 0]]).build(None), normalized=False).toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    """
    W, d = graph.W, graph.degrees
    weights, diagonal = W.data, d
    if isinstance(normalized, str):
        s, _ = bistochastic_scaling(W)
        weights = _scaled(W, s)
        # 1 − εs_i² by definition; the sum over the edges makes L 1 = 0 to the last digit
        diagonal = np.bincount(_rows(W), weights, minlength=graph.n)
    elif normalized:
        joined = d > 0
        root = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=joined)
        weights, diagonal = _scaled(W, root), joined.astype(d.dtype)
    return _diagonal_minus(W, weights, diagonal)


def _scaled(W: sp.csr_array, s: np.ndarray) -> np.ndarray:
    """s_i s_j W_ij. s_i s_j is computed first, so that (i, j) and (j, i) give the same number."""
    scaled = np.repeat(s, np.diff(W.indptr))
    scaled *= s[W.indices]
    scaled *= W.data
    return scaled


def _rows(W: sp.csr_array) -> np.ndarray:
    return np.repeat(np.arange(W.shape[0], dtype=W.indices.dtype), np.diff(W.indptr))


def _diagonal_minus(W: sp.csr_array, weights: np.ndarray, diagonal: np.ndarray) -> sp.csr_array:
    """diag(d) − weights. Each diagonal entry is inserted into its sorted row, with one copy."""
    n = W.shape[0]
    below = np.bincount(_rows(W)[W.indices < _rows(W)], minlength=n)
    at = W.indptr[:-1] + below + np.arange(n)
    others = np.ones(W.nnz + n, dtype=bool)
    others[at] = False
    data, indices = np.empty(W.nnz + n), np.empty(W.nnz + n, dtype=W.indices.dtype)
    data[at], indices[at] = diagonal, np.arange(n)
    data[others], indices[others] = weights, W.indices
    np.negative(data, out=data, where=others)
    return narrow(sp.csr_array((data, indices, W.indptr + np.arange(n + 1)), shape=W.shape))


def build_graph(graph: Graph | None, X: MatrixLike) -> WeightedGraph:
    """Return the weighted graph over the rows of X. None is ``KNN()``."""
    if graph is None:
        graph = KNN()
    if not isinstance(graph, Graph):
        hint = f"; write {graph.__name__}()" if isinstance(graph, type) else ""
        raise TypeError(
            f"graph must be a Graph such as KNN(n_neighbors=10), or None, got {graph!r}{hint}."
        )
    return graph.build(X)


def build_laplacian(
    graph: Graph | None, X: MatrixLike, normalized: Any
) -> tuple[WeightedGraph, sp.csr_array]:
    """Return the graph over the rows of X and its Laplacian, shape (n, n).

    Examples
    --------
    >>> from lapwing.graphs import KNN
    >>> graph = KNN(n_neighbors=1, weight="binary")
    >>> build_laplacian(graph, [[0.0], [1.0], [5.0]], normalized=False)[1].toarray()
    array([[ 1., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  1.]])
    """
    by_name = isinstance(normalized, str) and normalized == "bistochastic"
    if not by_name and not isinstance(normalized, (bool, np.bool_)):
        raise ValueError(f'normalized must be True or False or "bistochastic", got {normalized!r}.')
    built, how = build_graph(graph, X), normalized if by_name else bool(normalized)
    return built, built.shelf.once(lambda: laplacian(built, how), "laplacian", how)


def spectrum_bound(graph: WeightedGraph, normalized: bool | str) -> float:
    """A bound b with spectrum(L) ⊂ [0, b]: 2 if normalized, twice the largest degree if not.

    The bound is Gershgorin's theorem: the discs have center d_i and radius d_i. b = 0 for a graph
    without edges.

    Examples
    --------
    >>> from lapwing.graphs import KNN
    >>> built = KNN(n_neighbors=1, weight="binary").build([[0.0], [1.0], [5.0]])
    >>> spectrum_bound(built, normalized=False)
    4.0
    """
    if not graph.degrees.any():
        return 0.0
    return 2.0 if normalized else 2.0 * float(graph.degrees.max())
