"""Check that a `Graph` behaves as the library expects, on given points."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from ..graphs import KNN, Given, Graph, WeightedGraph, laplacian
from ..types import MatrixLike


def check_graph(graph: Graph, X: MatrixLike, *, sparse: bool = True) -> None:
    """Assert the properties of a graph on the rows of X. All distances should differ.

    Parameters
    ----------
    graph : Graph
    X : array of shape (n, d)
    sparse : bool
        Whether the graph accepts CSR matrices.

    Examples
    --------
    >>> check_graph(KNN(n_neighbors=3), np.random.default_rng(0).normal(size=(12, 2)))
    """
    built = graph.build(X)
    check_weights(built, len(X))
    check_laplacian(built)
    assert_array_equal(clone(graph).build(X).W.toarray(), built.W.toarray())
    if isinstance(graph, KNN) and graph.symmetrize == "union" and graph.weight == "binary":
        check_neighborhoods(built, min(graph.n_neighbors, len(X) - 1))
    if not isinstance(graph, Given):  # its weights belong to row numbers
        check_equivariance(graph, X, built)
    if sparse:
        W = graph.build(sp.csr_array(X)).W.toarray()
        assert_allclose(W, built.W.toarray(), rtol=1e-9, atol=1e-12)


def check_weights(graph: WeightedGraph, n: int) -> None:
    """Check that W is an exactly symmetric csr_array of positive weights without a diagonal."""
    W = graph.W
    assert isinstance(W, sp.csr_array) and W.shape == (n, n) and graph.n == n
    assert W.dtype == np.float64
    assert (W.data > 0).all() and np.isfinite(W.data).all()
    assert_array_equal(W.diagonal(), np.zeros(n))
    assert (W != W.T).nnz == 0
    assert_allclose(graph.degrees, W.toarray().sum(axis=1), rtol=1e-12)


def check_laplacian(graph: WeightedGraph) -> None:
    """Check that the Laplacians are symmetric PSD and 0 on constants (on √degree if normalized)."""
    W, d, n = graph.W.toarray(), graph.degrees, graph.n
    f = np.random.default_rng(0).normal(size=n)
    for normalized, g in ((False, f), (True, np.divide(f, np.sqrt(d), out=0 * f, where=d > 0))):
        L = laplacian(graph, normalized)
        assert (L != L.T).nnz == 0
        energy = 0.5 * np.sum(W * (g[:, None] - g) ** 2)
        assert_allclose(f @ (L @ f), energy, rtol=1e-9, atol=1e-12)
        kernel = np.sqrt(d) if normalized else np.ones(n)
        assert_allclose(L @ kernel, np.zeros(n), atol=1e-12 * max(d.max(initial=0.0), 1.0))
        assert_array_equal(L.toarray()[d == 0], 0.0)
    L = laplacian(graph, "bistochastic")
    assert (L != L.T).nnz == 0
    assert_allclose(L @ np.ones(n), np.zeros(n), atol=1e-12)
    assert f @ (L @ f) >= -1e-12 and (L.diagonal() <= 1.0 + 1e-12).all()


def check_neighborhoods(graph: WeightedGraph, k: int) -> None:
    """Check that each point of a union keeps its own k neighbors."""
    neighbors = np.diff(graph.W.indptr)
    assert (neighbors >= k).all(), f"a point has {neighbors.min()} neighbors, fewer than {k}"


def check_equivariance(graph: Graph, X: MatrixLike, built: WeightedGraph) -> None:
    """Check that permuted rows give the permuted graph."""
    order = np.random.default_rng(1).permutation(len(X))
    W = graph.build(X[order]).W.toarray()
    assert_allclose(W, built.W.toarray()[np.ix_(order, order)], rtol=1e-9, atol=1e-12)
