"""(γ I + diag(w) K + λ M K) X = B against numpy, in both precisions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing.linalg.exact.gram_system import GramSystem
from lapwing.linalg.quadratic_form import QuadraticForm
from lapwing.operators import MatrixOperator

N = 60
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 2))
K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
A = RNG.normal(size=(N, N))
M = A @ A.T / N
W = np.where(np.arange(N) < 20, 0.05, 0.0)
B = RNG.normal(size=(N, 3))


def dense(gamma, lam, w):
    weights = w if len(w) else np.zeros(N)
    return gamma * np.eye(N) + weights[:, None] * K + lam * M @ K


@pytest.mark.parametrize("mixed", [False, True], ids=["float64", "float32"])
@pytest.mark.parametrize("lam", [0.0, 0.3])
@pytest.mark.parametrize("w", [np.zeros(0), W], ids=["unweighted", "weighted"])
def test_solution(monkeypatch, mixed, lam, w):
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MIXED_FROM", 0 if mixed else 10**9)
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MANY", 1)
    system = GramSystem(K, QuadraticForm(MatrixOperator(M), lam, w), 1e-2)
    assert_allclose(system.apply(B), dense(1e-2, lam, w) @ B, rtol=1e-10, atol=1e-12)
    solution = system.solve(B)[0]
    assert_allclose(solution, np.linalg.solve(dense(1e-2, lam, w), B), rtol=1e-7, atol=1e-8)
    assert_allclose(system.apply(solution), B, atol=1e-10)
    assert system._dtype == (np.float32 if mixed else np.float64)


def test_single_precision_gives_up_where_it_must(monkeypatch):
    """Too ill-conditioned for float32: factored again in float64, and as good as that."""
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MIXED_FROM", 0)
    system = GramSystem(K, QuadraticForm(MatrixOperator(M), 1.0), 1e-10)
    solution = system.solve(B)[0]
    assert system._dtype == np.float64
    residual = np.linalg.norm(B - dense(1e-10, 1.0, np.zeros(0)) @ solution)
    assert residual < 1e-4 * np.linalg.norm(B)


class Same:
    """An operator that returns its argument."""

    def apply(self, F):
        return F


def test_the_gram_matrix_is_left_alone():
    before = K.copy()
    for lam in (0.0, 0.5):
        GramSystem(K, QuadraticForm(Same(), lam, W), 1.0).solve(B)
    assert_allclose(K, before, rtol=0)


@pytest.mark.parametrize("mixed", [False, True], ids=["float64", "float32"])
def test_free_functions_are_taken_off(monkeypatch, mixed):
    """diag(w) − W E (EᵀWE)⁻¹ EᵀW in place of diag(w), for one constant and for two groups."""
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MIXED_FROM", 0 if mixed else 10**9)
    groups = (np.arange(N) % 2)[:, None] == np.arange(2)
    for E in (np.ones((N, 1)), groups.astype(float)):
        form = QuadraticForm(MatrixOperator(M), 0.3, W).without(E)
        WE = W[:, None] * E
        G = np.diag(W) - WE @ np.linalg.inv(E.T @ WE) @ WE.T + 0.3 * M
        assert_allclose(form.apply(B), G @ B, atol=1e-12)
        expected = np.linalg.solve(1e-2 * np.eye(N) + G @ K, B)
        assert_allclose(GramSystem(K, form, 1e-2).solve(B)[0], expected, rtol=1e-7, atol=1e-8)
