"""Shifted pencils against dense solutions, also where K is singular or vanishes."""

import numpy as np
import pytest

from lapwing.linalg.cholesky import pivoted_cholesky
from lapwing.linalg.pencil import FEW, DensePencil, FactoredPencil, ReducedPencil, choose_pencil
from lapwing.linalg.quadratic_form import QuadraticForm
from lapwing.linalg.tridiagonal import Tridiagonal
from lapwing.operators import MatrixOperator


def psd(rng, n, rank):
    A = rng.standard_normal((n, rank))
    return A @ A.T


@pytest.mark.parametrize("rank", [0, 1, 7, 40])
def test_pivoted_cholesky_finds_the_rank(rank):
    K = psd(np.random.default_rng(rank), 40, rank)
    before = K.copy()
    C, _ = pivoted_cholesky(K)
    assert C.shape == (40, rank)
    np.testing.assert_allclose(C @ C.T, K, atol=1e-12 * max(1.0, K.max()))
    np.testing.assert_array_equal(K, before)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 50])
def test_reduction_is_an_orthogonal_similarity(order):
    rng = np.random.default_rng(order)
    B = psd(rng, order, order)
    reduction = Tridiagonal(B.copy(order="F"))
    d, e = reduction.diagonal, reduction.off_diagonal
    T = np.diag(d) + np.diag(e, 1) + np.diag(e, -1) if order else np.zeros((0, 0))
    H = reduction.unrotate(np.eye(order))
    np.testing.assert_allclose(H.T @ H, np.eye(order), atol=1e-12)
    np.testing.assert_allclose(H @ T @ H.T, B, atol=1e-11 * max(1.0, abs(B).max(initial=0)))
    np.testing.assert_allclose(reduction.rotate(H), np.eye(order), atol=1e-12)


def test_reduction_survives_a_shift_below_rounding():
    """γ far below the rounding of B: L D Lᵀ breaks down, the pivoted elimination does not."""
    rng = np.random.default_rng(0)
    reduction = Tridiagonal(np.asfortranarray(psd(rng, 30, 5)))
    R = rng.standard_normal((30, 2))
    assert np.isfinite(reduction.solve(np.full(2, 1e-22), np.ones(2), R)).all()


@pytest.mark.parametrize("pencil", [ReducedPencil, FactoredPencil])
@pytest.mark.parametrize("rank", [0, 5, 30])
def test_pencil_solves_every_shift(pencil, rank):
    rng = np.random.default_rng(3)
    n, sigma = 30, np.array([0.0, 0.3, 0.3, 2.0, 5.0, 7.0])
    gamma = np.array([1e-3, 1e-3, 1e-2, 1e-3, 1.0, 1e-3])
    K, G = psd(rng, n, rank) / 30, psd(rng, n, 12) / 30
    R = rng.standard_normal((n, len(sigma)))
    a, f = pencil(K, QuadraticForm(MatrixOperator(G), 1.0)).solve(gamma, sigma, R)
    for j in range(len(sigma)):
        dense = np.linalg.solve(gamma[j] * np.eye(n) + sigma[j] * G @ K, R[:, j])
        np.testing.assert_allclose(a[:, j], dense, atol=1e-9 * abs(dense).max())
        if f is not None:
            np.testing.assert_allclose(f[:, j], K @ dense, atol=1e-9 * abs(dense).max())


def test_few_shifts_are_factored_and_many_reduced():
    K = np.eye(3)
    form = QuadraticForm(MatrixOperator(K), 1.0)
    assert isinstance(choose_pencil(K, form, FEW), FactoredPencil)
    assert isinstance(choose_pencil(K, form, FEW + 1), ReducedPencil)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("t", [2, 9])
def test_dense_pencil_solves_every_shift(t, symmetric):
    rng = np.random.default_rng(1)
    Z, G = rng.standard_normal((30, 6)), psd(rng, 30, 12) / 30
    metric = np.eye(6) if symmetric else np.diag(np.linspace(1.0, 3.0, 6))
    B = np.linalg.solve(metric, Z.T @ G @ Z)
    gamma, sigma = np.linspace(1e-3, 1.0, t), np.linspace(0.0, 4.0, t)
    R = rng.standard_normal((6, t))
    a, _ = DensePencil(lambda: B).solve(gamma, sigma, R)
    for j in range(t):
        dense = np.linalg.solve(gamma[j] * np.eye(6) + sigma[j] * B, R[:, j])
        np.testing.assert_allclose(a[:, j], dense, atol=1e-9 * abs(dense).max())
