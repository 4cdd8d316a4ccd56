"""Refinement, low-rank corrections and norms, against dense algebra."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing.linalg.cholesky import Cholesky
from lapwing.linalg.refinement import refined, worst_ratio
from lapwing.linalg.two_level import norm_from_below
from lapwing.linalg.woodbury import woodbury

RNG = np.random.default_rng(0)
A = RNG.normal(size=(40, 40)) + 20.0 * np.eye(40)
B = RNG.normal(size=(40, 3)) * [1.0, 1e6, 0.0]


def residual(X):
    return B - A @ X, X[:2]


def test_a_rough_inverse_gives_all_digits():
    rough = np.linalg.inv(A).astype(np.float32).astype(float) * (1.0 + 1e-3)
    X, worst, (first,) = refined(lambda R: rough @ R, residual, B, 12)
    assert worst <= 1e-12
    assert_allclose(X, np.linalg.solve(A, B), rtol=1e-10)
    assert_allclose(first, X[:2])


def test_a_round_that_does_not_help_is_not_taken():
    X, worst, _ = refined(lambda R: -np.linalg.solve(A, R), residual, B, 12)
    assert_allclose(X, -np.linalg.solve(A, B))
    assert worst == pytest.approx(2.0)


def test_rounds_are_limited_and_nan_is_infinite():
    calls = []
    refined(lambda R: calls.append(1) or 0.05 * R, residual, B, 2)
    assert len(calls) <= 3
    assert worst_ratio(np.full((2, 1), np.nan), np.ones((2, 1))) == np.inf


def test_woodbury_takes_off_what_is_of_low_rank():
    L, R = RNG.normal(size=(40, 4)), RNG.normal(size=(4, 40))
    inverse = np.linalg.inv(A)
    take_off = woodbury(inverse @ L, R @ inverse @ L)
    x = inverse @ B
    assert_allclose(take_off(x, R @ x), np.linalg.solve(A - L @ R, B), rtol=1e-9)
    assert_allclose(woodbury(L, np.full((4, 4), np.nan))(x, R @ x), x)


def test_norms_lie_between_the_mean_square_and_the_norm():
    S = A @ A.T
    largest, spread = np.linalg.norm(S, 2), np.linalg.norm(S) / np.sqrt(40)
    one, eight = (norm_from_below(lambda v: S @ v, 40, k) for k in (1, 8))
    assert one == pytest.approx(spread, rel=0.3)
    assert 0.8 * largest < eight <= 1.0001 * largest


@pytest.mark.parametrize("ridge", [0.0, 1e-3])
def test_cholesky_of_a_singular_matrix(ridge):
    V = RNG.normal(size=(30, 5))
    S = V @ V.T
    S -= 1e-13 * np.trace(S) * np.eye(30)  # indefinite by rounding
    x = Cholesky(S.copy(), ridge).solve(V)
    assert_allclose(S @ x, V, atol=2e-2 if ridge else 1e-6)
    with pytest.raises(ValueError, match="rounding leaves nothing"):
        Cholesky(-np.eye(3))
