"""Conjugate gradients on plain columns, each to its own tolerance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.linalg.conjugate_gradients import solve_columns

RNG = np.random.default_rng(0)
N = 120
Q = np.linalg.qr(RNG.normal(size=(N, N)))[0]
# a good preconditioner that has missed some eigenvalues, each by another factor
A = (Q * np.r_[np.logspace(1, 5, 24), np.linspace(0.5, 1.5, N - 24)]) @ Q.T
B = RNG.normal(size=(N, 8))


def apply(V):
    return A @ V


@pytest.mark.parametrize("t", [1, 3, 8])
def test_solves(t):
    found = solve_columns(apply, B[:, :t], 1e-10, 500)
    assert_allclose(A @ found, B[:, :t], atol=1e-8)


def test_columns_that_depend_on_others():
    twice = np.hstack([B[:, :2], B[:, :2] @ [[1.0, 2.0], [3.0, -1.0]], np.zeros((N, 1))])
    found = solve_columns(apply, twice, 1e-10, 500)
    assert_allclose(A @ found, twice, atol=1e-7)
    assert_array_equal(found[:, 4], 0.0)


def test_each_column_has_its_tolerance():
    tol = np.array([1e-2, 1e-10])
    found = solve_columns(apply, B[:, :2], tol, 500)
    rest = np.linalg.norm(A @ found - B[:, :2], axis=0) / np.linalg.norm(B[:, :2], axis=0)
    assert (rest <= 1.1 * tol).all()  # of the recurrence, not computed again
    assert rest[0] > 1e-6  # and no more was done


def test_columns_that_are_done_are_left_out():
    seen, easy = [], np.linalg.eigh(A)[1][:, :2]

    def counted(V):
        seen.append(V.shape[1])
        return A @ V

    solve_columns(counted, np.hstack([B[:, :3], easy]), 1e-9, 500)
    assert seen[0] == 5
    assert seen[-1] <= 3


@pytest.mark.parametrize("spread", [1.0, 1e8])
def test_columns_of_other_sizes(spread):
    uneven = B * np.logspace(0, np.log10(spread), 8)
    found = solve_columns(apply, uneven, 1e-9, 500)
    rest = np.linalg.norm(A @ found - uneven, axis=0) / np.linalg.norm(uneven, axis=0)
    assert (rest <= 1.1e-9).all()


def test_what_is_not_positive_ends_the_search():
    assert_array_equal(solve_columns(lambda V: -(A @ V), B, 1e-10, 500), 0.0)
    assert_array_equal(solve_columns(apply, np.zeros((N, 2)), 1e-10, 5), 0.0)


def test_a_preconditioner_that_rounds_costs_few_steps():
    """Errors of a per cent that differ from step to step: two digits are gained in each."""
    draw, steps = np.random.default_rng(0), []
    A = np.diag(np.geomspace(1e-6, 1.0, 300))
    b = draw.standard_normal((300, 2))

    def apply(V):
        steps.append(V.shape[1])
        return A @ V

    def rounded(R):
        return np.linalg.solve(A, R) * (1.0 + 0.02 * draw.standard_normal(R.shape))

    x = solve_columns(apply, b, 1e-10, 100, rounded)
    assert np.linalg.norm(A @ x - b) <= 2e-10 * np.linalg.norm(b)
    assert len(steps) <= 7
