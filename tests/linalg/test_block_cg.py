"""One Krylov space for all right-hand sides."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.linalg.conjugate_gradients import solve_columns
from lapwing.linalg.exact.block_cg import solve_block

RNG = np.random.default_rng(0)
N = 120
Q = np.linalg.qr(RNG.normal(size=(N, N)))[0]
# a good preconditioner that has missed some eigenvalues, each by another factor
A = (Q * np.r_[np.logspace(1, 5, 24), np.linspace(0.5, 1.5, N - 24)]) @ Q.T
B = RNG.normal(size=(N, 8))


class Counted:
    def __init__(self, M):
        self.M, self.calls = M, 0

    def __call__(self, V):
        self.calls += 1
        return (self.M @ V,)


def same(R):
    return R


@pytest.mark.parametrize("t", [1, 3, 8])
def test_solves(t):
    found, _ = solve_block(Counted(A), B[:, :t], 1e-10, 500, same)
    assert_allclose(A @ found, B[:, :t], atol=1e-8)


def test_columns_help_each_other():
    apart, together = Counted(A), Counted(A)
    solve_columns(lambda V: apart(V)[0], B, 1e-8, 500)
    solve_block(together, B, 1e-8, 500, same)
    assert 2 * together.calls < apart.calls


def test_columns_that_depend_on_others():
    twice = np.hstack([B[:, :2], B[:, :2] @ [[1.0, 2.0], [3.0, -1.0]], np.zeros((N, 1))])
    found, _ = solve_block(Counted(A), twice, 1e-10, 500, same)
    assert_allclose(A @ found, twice, atol=1e-7)
    assert_array_equal(found[:, 4], 0.0)


def test_each_column_has_its_tolerance():
    tol = np.array([1e-2, 1e-10])
    found, _ = solve_block(Counted(A), B[:, :2], tol, 500, same)
    rest = np.linalg.norm(A @ found - B[:, :2], axis=0) / np.linalg.norm(B[:, :2], axis=0)
    assert (rest <= 1.1 * tol).all()  # summed up, not computed again


def test_mixtures_that_are_done_are_left_out():
    """A preconditioner that has missed four eigenvalues, and columns that few of them concern."""
    vectors, E = np.linalg.eigh(A)[1], np.zeros(N)
    E[:4], wide, seen = [2.0, 1.0, 0.3, 0.1], B @ np.diag([1.0, 1.0, 1.0, 1.0, 0, 0, 0, 0]), []
    wide += vectors[:, 20:28] @ RNG.normal(size=(8, 8))
    inverse = np.linalg.inv(A) + 1e-3 * (vectors * E / np.linalg.eigvalsh(A)) @ vectors.T

    def scaled(R):
        seen.append(R.shape[1])
        return inverse @ R

    found, _ = solve_block(Counted(A), wide, 1e-9, 500, scaled)
    assert (np.linalg.norm(A @ found - wide, axis=0) <= 1.1e-9 * np.linalg.norm(wide, axis=0)).all()
    assert seen[0] == 8
    assert seen[-1] < 8


@pytest.mark.parametrize("spread", [1.0, 1e8])
def test_columns_of_other_sizes(spread):
    uneven = B * np.logspace(0, np.log10(spread), 8)
    found, _ = solve_block(Counted(A), uneven, 1e-9, 500, same)
    rest = np.linalg.norm(A @ found - uneven, axis=0) / np.linalg.norm(uneven, axis=0)
    assert (rest <= 1.1e-9).all()


def test_what_is_not_positive_ends_the_search():
    found, _ = solve_block(Counted(-A), B, 1e-10, 500, same)
    assert_array_equal(found, 0.0)
    assert_array_equal(solve_block(Counted(A), np.zeros((N, 2)), 1e-10, 5, same)[0], 0.0)


def test_images_are_those_of_the_solution():
    """What the steps have summed up is A X and any other image."""
    C = RNG.normal(size=(5, N))
    X, AX, CX = solve_block(lambda V: (A @ V, C @ V), B[:, :3], 1e-14, 4, lambda R: R)
    assert np.linalg.norm(A @ X - B[:, :3]) > 1e-3
    assert_allclose(AX, A @ X, atol=1e-10)
    assert_allclose(CX, C @ X, atol=1e-10)
