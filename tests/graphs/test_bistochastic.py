"""The bistochastic normalization: unit row sums for every graph, constants in the null space."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.graphs import KNN, Given, Radius, laplacian
from lapwing.graphs.bistochastic import bistochastic_scaling
from lapwing.regularizers import Heat, Laplacian, LaplacianPolynomial

rng = np.random.default_rng(2)
X = rng.normal(size=(70, 3))


def joined(n, edges, weights=None):
    W = np.zeros((n, n))
    for (i, j), w in zip(edges, np.ones(len(edges)) if weights is None else weights, strict=True):
        W[i, j] = W[j, i] = w
    return W


def wild():
    """Weights over two hundred orders of magnitude."""
    edges = [(i, j) for i in range(40) for j in range(i) if rng.random() < 0.15]
    return joined(40, edges, 10.0 ** rng.uniform(-120, 80, size=len(edges)))


WEIGHTS = {
    "neighbors": KNN(n_neighbors=4).build(X).W.toarray(),
    "mutual": KNN(n_neighbors=3, symmetrize="mutual").build(X).W.toarray(),
    "isolated vertices": Radius(0.8).build(X).W.toarray(),
    "star": joined(200, [(0, j) for j in range(1, 200)]),
    "path": joined(150, [(j, j + 1) for j in range(149)]),
    "bipartite": joined(60, [(i, j) for i in range(4) for j in range(4, 60)]),
    "pair": joined(2, [(0, 1)], [1e-250]),
    "no edges": np.zeros((5, 5)),
    "wild": wild(),
    "huge": 1e200 * KNN(n_neighbors=4).build(X).W.toarray(),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_rows_sum_to_one(name):
    W = sp.csr_array(WEIGHTS[name])
    s, epsilon = bistochastic_scaling(W)
    assert (s > 0).all() and epsilon > 0
    assert_allclose(s * (W @ s + epsilon * s), 1.0, atol=1e-12)


@pytest.mark.parametrize("name", WEIGHTS)
def test_laplacian(name):
    graph = Given(WEIGHTS[name]).build(None)
    L = laplacian(graph, "bistochastic")
    s, epsilon = bistochastic_scaling(graph.W)
    S = s[:, None] * (graph.W.toarray() + epsilon * np.eye(graph.n)) * s
    assert_allclose(L.toarray(), np.eye(graph.n) - S, atol=1e-12)
    assert (L != L.T).nnz == 0
    values = np.linalg.eigvalsh(L.toarray())
    assert values[0] > -1e-13 and values[-1] <= 2.0 + 1e-12
    for c in range(graph.components.max() + 1):
        assert_allclose(L @ (graph.components == c).astype(float), 0.0, atol=1e-14)
    assert_array_equal(L.toarray()[graph.degrees == 0], 0.0)


def test_nothing_else_is_annihilated():
    """The null space of a graph of two components has dimension two."""
    graph = KNN(n_neighbors=4).build(np.vstack([X, X + 50.0]))
    values = np.linalg.eigvalsh(laplacian(graph, "bistochastic").toarray())
    assert (values < 1e-12).sum() == graph.components.max() + 1 == 2


def test_permuted_vertices_and_scaled_weights():
    W, order = WEIGHTS["neighbors"], rng.permutation(70)
    L = laplacian(Given(W).build(None), "bistochastic").toarray()
    permuted = laplacian(Given(W[np.ix_(order, order)]).build(None), "bistochastic").toarray()
    assert_allclose(permuted, L[np.ix_(order, order)], atol=1e-12)
    assert_allclose(laplacian(Given(37.0 * W).build(None), "bistochastic").toarray(), L, atol=1e-12)


def test_a_regular_graph_is_normalized_by_its_degree():
    ring = joined(30, [(j, (j + 1) % 30) for j in range(30)])
    L = laplacian(Given(ring).build(None), "bistochastic").toarray()
    assert_allclose(L, (2 * np.eye(30) - ring) / 2.02, atol=1e-12)  # ε is 0.01 of degree 2


def test_powers_polynomials_and_heat_are_functions_of_it():
    graph = Given(WEIGHTS["neighbors"])
    L = laplacian(graph.build(None), "bistochastic").toarray()
    values, V = np.linalg.eigh(L)
    for part, function in (
        (Laplacian(graph, "bistochastic", degree=3), lambda x: x**3),
        (LaplacianPolynomial(graph, (1.0, -2.0, 1.0), "bistochastic"), lambda x: (1.0 - x) ** 2),
        (Heat(graph, 2.0, "bistochastic"), lambda x: np.exp(2.0 * x)),
    ):
        expected = (V * function(values)) @ V.T
        assert_allclose(part.build(X).toarray(), expected, atol=1e-11)
    constant = np.ones((70, 1))
    assert_allclose(Laplacian(graph, "bistochastic").build(X).apply(constant), 0.0, atol=1e-14)
    assert_allclose(Heat(graph, 2.0, "bistochastic").build(X).apply(constant), 1.0, atol=1e-12)


@pytest.mark.parametrize("word", ["sinkhorn", "yes", None, 1])
def test_other_words_are_refused(word):
    with pytest.raises(ValueError, match="bistochastic"):
        Laplacian(normalized=word).build(X)
