"""Inverses of polynomials of a graph's L: equal to dense ones, whatever the graph looks like."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing.graphs import KNN, Given
from lapwing.linalg.graph_factor import FactorInverse, is_narrow
from lapwing.linalg.smooth_modes import EXACT, FEW_DIGITS, GLANCE, ModalInverse, SmoothModes
from lapwing.regularizers import Laplacian

DRAW = np.random.default_rng(0)
CLOUD = DRAW.standard_normal((600, 6))
CURVE = np.column_stack([np.cos(t := np.sort(DRAW.random(600)) * 6), np.sin(t)])
APART = np.vstack([CLOUD[:400], CLOUD[400:] + 50.0])


def operator(X, degree, normalized=True):
    return Laplacian(KNN(6), degree=degree, normalized=normalized).build(X)


def dense(op, ridge, lam):
    L, c = op.polynomial[0].toarray(), op.polynomial[1]
    powers = [np.linalg.matrix_power(L, p) for p in range(len(c))]
    A = ridge * np.eye(len(L)) + lam * sum(cp * power for cp, power in zip(c, powers, strict=True))
    return np.linalg.inv(A)


def coefficients(op, ridge, lam):
    c = lam * np.asarray(op.polynomial[1])
    c[0] += ridge
    return c


@pytest.mark.parametrize("X", [CLOUD, APART], ids=["one piece", "two pieces"])
@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("normalized", [True, False])
def test_a_polynomial_and_the_modes_are_the_inverse(X, degree, normalized):
    op = operator(X, degree, normalized)
    modes = SmoothModes.of(op.polynomial[0], op.graph.degrees)
    assert modes.null.shape[1] == op.graph.components.max() + 1
    inverse = ModalInverse(modes, coefficients(op, 1e-7, 1e-2))
    assert inverse.holds()
    R = DRAW.standard_normal((len(X), 3))
    exact = dense(op, 1e-7, 1e-2) @ R
    found = inverse.solve(R)
    assert_allclose(found, exact, atol=1e-6 * np.abs(exact).max())
    rest = exact - inverse.smooth(R)
    assert_allclose(inverse.rest(R, FEW_DIGITS), rest, atol=1e-3 * np.abs(rest).max())
    assert_allclose(inverse.rest(R, GLANCE), rest, atol=0.02 * np.abs(rest).max())
    assert len(inverse.series(FEW_DIGITS)) < 0.8 * len(inverse.series(EXACT))


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_modes_are_eigenvectors(degree):
    op = operator(CLOUD, degree)
    L = op.polynomial[0]
    modes = SmoothModes.of(L, op.graph.degrees)
    least = np.linalg.eigvalsh(L.toarray())[1 : 1 + len(modes.theta)]
    assert_allclose(modes.theta, least, atol=1e-8)
    assert_allclose(L @ modes.Q, modes.Q * modes.theta, atol=1e-6)
    assert_allclose(modes.Q.T @ modes.Q, np.eye(len(least)), atol=1e-10)
    assert np.abs(modes.null.T @ modes.Q).max() < 1e-10


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_factor_is_the_inverse(degree):
    op = operator(CURVE, degree)
    modes = SmoothModes.of(op.polynomial[0], op.graph.degrees, 0)
    inverse = FactorInverse(modes, coefficients(op, 1e-7, 1e-2))
    R = DRAW.standard_normal((len(CURVE), 2))
    exact = dense(op, 1e-7, 1e-2) @ R
    found = inverse.solve(R)
    assert_allclose(found, exact, atol=1e-7 * np.abs(exact).max())


@pytest.mark.parametrize("ridge", [1e-20, 1e-300])
def test_a_factor_does_without_a_ridge_that_rounding_loses(ridge):
    """On chains of pairs the factor of A itself is exactly singular, though the inverse is not."""
    W = sp.csr_array(sp.block_diag([np.ones((2, 2)) - np.eye(2)] * 100))
    op = Laplacian(Given(W), degree=1).build(np.zeros((200, 1)))
    modes = SmoothModes.of(op.polynomial[0], op.graph.degrees, 0)
    inverse = FactorInverse(modes, [ridge, 1.0])
    R = DRAW.standard_normal((200, 2))
    L = op.polynomial[0].toarray()
    assert_allclose(inverse.rest(R), np.linalg.pinv(L) @ R, atol=1e-9)
    assert_allclose(ridge * inverse.smooth(R), R - np.linalg.pinv(L) @ L @ R, atol=1e-12)


def test_curves_are_narrow_and_clouds_are_not():
    assert is_narrow(operator(CURVE, 1).polynomial[0])
    many = np.random.default_rng(1).standard_normal((3000, 8))
    assert not is_narrow(operator(many, 1).polynomial[0])


def test_clusters_stand_apart_from_a_close_spectrum():
    """Nine eigenvectors tell ten clusters apart; of the others few are told from each other."""
    centers = 5.0 * np.random.default_rng(2).standard_normal((10, 12))
    X = np.repeat(centers, 300, axis=0) + np.random.default_rng(3).standard_normal((3000, 12))
    op = operator(X, 2)
    modes = SmoothModes.of(op.polynomial[0], op.graph.degrees)
    inverse = ModalInverse(modes, coefficients(op, 1e-9, 1e-2))
    assert inverse.holds()


def test_a_missed_eigenvector_is_noticed():
    op = operator(CLOUD, 2)
    modes = SmoothModes.of(op.polynomial[0], op.graph.degrees)
    without = SmoothModes(
        modes.L, modes.null, modes.Q[:, 1:], modes.theta[1:], modes.low, modes.top
    )
    assert not ModalInverse(without, coefficients(op, 1e-7, 1e-2)).holds()


def test_a_matrix_without_such_a_null_space_has_no_modes():
    L = sp.csr_array(sp.diags_array(np.linspace(1.0, 2.0, 600)))
    assert SmoothModes.of(L, np.ones(600)) is None
