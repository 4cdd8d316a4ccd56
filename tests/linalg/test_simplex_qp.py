"""The quadratic program of cutting planes: feasible, certified, right."""

import cvxpy as cp
import numpy as np
import pytest

from lapwing.linalg.simplex_qp import maximize_on_simplices
from lapwing.linalg.simultaneous import commute, simultaneous_eigenbasis

CASES = [  # variables, groups, rank of H, scale of H
    (20, 5, 3, 1.0),
    (60, 20, 60, 1e4),
    (60, 1, 10, 1e6),
    (7, 7, 7, 1e-8),
    (5, 3, 0, 1.0),
    (1, 1, 1, 1.0),
]


@pytest.mark.parametrize(("m", "g", "rank", "scale"), CASES)
def test_against_a_general_solver(m, g, rank, scale):
    rng = np.random.default_rng(m)
    R = np.sqrt(scale) * rng.normal(size=(m, rank))
    b, group = rng.uniform(0, 2, m), rng.integers(0, g, m)
    cap = rng.uniform(0.1, 1.0, g)
    found = maximize_on_simplices(R @ R.T, b, group, cap, 1e-9)
    filled = np.bincount(group, weights=found.x, minlength=g)
    assert np.all(found.x >= 0)
    assert np.all(filled <= cap * (1 + 1e-12))
    assert found.value == pytest.approx(b @ found.x - 0.5 * np.sum((R.T @ found.x) ** 2))
    assert found.gap <= 1e-9 * 2 * cap.sum() + 1e-15
    x = cp.Variable(m, nonneg=True)
    member = np.zeros((g, m))
    member[group, np.arange(m)] = 1.0
    quadratic = cp.sum_squares(R.T @ x) if rank else 0.0
    problem = cp.Problem(cp.Maximize(b @ x - 0.5 * quadratic), [member @ x <= cap])
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert found.value == pytest.approx(problem.value, rel=1e-5, abs=1e-7)
    assert found.value + found.gap >= problem.value - 1e-6 * abs(problem.value) - 1e-8


def test_nothing_to_gain_and_nothing_to_solve():
    found = maximize_on_simplices(np.eye(2), -np.ones(2), np.array([0, 1]), np.ones(2))
    assert found.value == pytest.approx(0.0, abs=1e-8)
    assert (
        maximize_on_simplices(np.zeros((0, 0)), np.zeros(0), np.zeros(0, int), np.ones(3)).gap == 0
    )


def test_equal_variables_share():
    """A singular H with two equal cuts: the value is that of one."""
    H, b = np.ones((2, 2)), np.ones(2)
    one = maximize_on_simplices(H[:1, :1], b[:1], np.zeros(1, int), np.array([0.5]))
    two = maximize_on_simplices(H, b, np.zeros(2, int), np.array([0.5]))
    assert two.value == pytest.approx(one.value, rel=1e-9)


def test_one_basis_for_commuting_matrices():
    rng = np.random.default_rng(0)
    V = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    A = V @ np.diag([1.0, 1, 1, 2, 2, 5]) @ V.T
    B = V @ np.diag([3.0, 3, 4, 1, 2, 2]) @ V.T
    assert commute(A, B)
    values, U = simultaneous_eigenbasis(A, B)
    for M in (A, B):
        D = U.T @ M @ U
        np.testing.assert_allclose(D, np.diag(np.diagonal(D)), atol=1e-9)
    np.testing.assert_allclose(np.diagonal(U.T @ A @ U), values, atol=1e-9)
    assert len(np.unique(values)) == 3  # equal eigenvalues are exactly equal
    assert not commute(A, np.diag(np.arange(6.0)))
