"""Sums, multiples, blocks and given matrices."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.graphs import KNN, Distances, Given
from lapwing.kernels import RBF
from lapwing.regularizers import (
    ClassWise,
    HessianEnergy,
    KernelNorm,
    Laplacian,
    Matrix,
    NoRegularizer,
    Scaled,
    Sum,
)

N = 40
X = np.random.default_rng(0).normal(size=(N, 2))


def edge(i, j, n=4):
    W = np.zeros((n, n))
    W[i, j] = W[j, i] = 1.0
    return Given(W)


def test_sum_and_multiple_are_those_of_the_matrices():
    a, b = Laplacian(KNN(n_neighbors=4)), HessianEnergy()
    expected = 0.5 * a.build(X).toarray() + 3.0 * b.build(X).toarray()
    assert_allclose((0.5 * a + b * 3).build(X).toarray(), expected, rtol=1e-12, atol=1e-12)


def test_reach_is_the_union_of_the_graphs():
    points = np.zeros((4, 1))
    joined = Laplacian(edge(0, 1)) + Laplacian(edge(1, 2))
    components = joined.build(points).graph.components
    assert components[0] == components[1] == components[2] != components[3]


def test_what_couples_all_points_has_no_graph():
    assert (Laplacian() + KernelNorm(RBF(sigma=0.5))).build(X).graph is None


def test_nothing_adds_nothing():
    alone, more = Laplacian().build(X), (Laplacian() + NoRegularizer()).build(X)
    assert_array_equal(more.toarray(), alone.toarray())
    assert_array_equal(more.graph.components, alone.graph.components)
    assert_array_equal((0 * Laplacian()).build(X).toarray(), np.zeros((N, N)))


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_are_not_negative(weight):
    with pytest.raises(ValueError, match="finite number ≥ 0"):
        Scaled(Laplacian(), weight).build(X)


def test_only_regularizers_add():
    with pytest.raises(TypeError):
        Laplacian() + 1.0
    with pytest.raises(TypeError):
        Laplacian() * Laplacian()
    with pytest.raises(TypeError, match="right must be a Regularizer"):
        Sum(Laplacian(), np.eye(N)).build(X)


def test_class_wise_is_block_diagonal():
    """MR §6.2: γ_c L_c on the rows of class c, nothing between classes or on unlabeled rows."""
    y = np.random.default_rng(1).integers(-1, 3, size=N)
    part, weights = Laplacian(KNN(n_neighbors=3), degree=2), {0: 0.5, 1: 2.0, 2: 7.0}
    expected = np.zeros((N, N))
    for c, weight in weights.items():
        rows = np.flatnonzero(y == c)
        expected[np.ix_(rows, rows)] = weight * part.build(X[rows]).toarray()
    operator = ClassWise(part, weights).build(X, y)
    assert_allclose(operator.toarray(), expected, atol=1e-14)
    components = operator.graph.components
    for row in np.flatnonzero(y == -1):
        assert np.sum(components == components[row]) == 1
    same = ClassWise(part, [0.5, 2.0, 7.0]).build(X, y)
    assert_array_equal(same.toarray(), operator.toarray())


def test_class_wise_of_one_class_is_the_regularizer():
    part = Laplacian(KNN(n_neighbors=4))
    whole = ClassWise(part).build(X, np.zeros(N, dtype=int))
    assert_allclose(whole.toarray(), part.build(X).toarray(), atol=1e-15)


def test_class_wise_on_distances():
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    y = np.arange(N) % 2
    part = ClassWise(Laplacian(KNN(n_neighbors=3)))
    expected = part.build(X, y).toarray()
    assert_allclose(part.build(Distances(D), y).toarray(), expected, atol=1e-8)


def test_classes_of_one_row_contribute_nothing():
    y = np.full(N, -1)
    y[:2] = 0, 1
    assert_array_equal(ClassWise().build(X, y).toarray(), np.zeros((N, N)))
    with pytest.raises(ValueError, match="no row has one"):
        ClassWise().build(X, np.full(N, -1))


def test_class_wise_reaches_within_a_class_without_a_graph():
    y = np.arange(N) % 2
    components = ClassWise(KernelNorm(RBF(sigma=0.5))).build(X, y).graph.components
    assert len(set(zip(components, y, strict=True))) == 2


@pytest.mark.parametrize(
    ("y", "weights", "says"),
    [
        (None, None, r"call build\(X, y\)"),
        (np.zeros(N - 1, dtype=int), None, r"shape \(40,\)"),
        (np.zeros(N), None, "dtype float64"),
        (np.arange(N) % 3, [1.0, 1.0], "class code 2"),
        (np.arange(N) % 3, {0: 1.0, 2: 1.0}, "class code 1"),
        (np.arange(N) % 2, 2.0, "class code 0"),
        (np.arange(N) % 2, [1.0, -1.0], "number ≥ 0, got -1.0"),
    ],
)
def test_class_wise_errors(y, weights, says):
    with pytest.raises(ValueError, match=says):
        ClassWise(weights=weights).build(X, y)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array, sp.coo_array, sp.csc_matrix])
def test_matrix_is_applied_as_given(make):
    M = Laplacian(KNN(n_neighbors=4)).build(X).toarray()
    operator = Matrix(make(M)).build(X)
    assert_allclose(operator.toarray(), M, atol=1e-15)
    expected = Laplacian(KNN(n_neighbors=4)).build(X).graph.components
    assert_array_equal(operator.graph.components, expected)


def test_dense_matrix_without_zeros_couples_all():
    assert Matrix(np.ones((N, N))).build(X).graph is None


def test_matrix_of_one_point():
    assert Matrix(np.array([[2.0]])).build(np.zeros((1, 1))).value(np.ones((1, 1))) == 2.0


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    ("M", "says"),
    [
        (np.eye(N + 1), r"shape \(41, 41\), but X has 40 rows"),
        (np.ones((N, 2)), r"shape \(40, 2\)"),
        (np.triu(np.ones((N, N))), "must be symmetric"),
        (np.diag(np.r_[-1.0, np.ones(N - 1)]), "smallest eigenvalue is about -1"),
    ],
)
def test_matrix_errors(M, says, make):
    with pytest.raises(ValueError, match=says):
        Matrix(make(M)).build(X)
