"""R K R in the memory of the result, and triangular solutions, against dense products."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing.linalg.blas import potrs
from lapwing.linalg.exact.congruence import left_product, right_product

PANEL = 64

RNG = np.random.default_rng(0)


def problem(n):
    K = RNG.normal(size=(n, n))
    R = sp.random_array((n, n), density=0.1, rng=RNG, format="csr")
    return K @ K.T, sp.csr_array(R + R.T)


@pytest.mark.parametrize("n", [1, 2, PANEL - 1, PANEL, 3 * PANEL + 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ridge", [0.0, 1.0])
@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_a_part_of_a_larger_array(n, dtype, ridge, scale):
    K, R = problem(n)
    S = np.full((n + 3, n + 3), 7.0, dtype=dtype)
    tol = {"rtol": 0, "atol": 1e2 * np.finfo(dtype).eps * np.abs(R @ K @ R).max() + 1e-300}
    right_product(K, R, scale, ridge, S[:n, :n])
    assert_allclose(S[:n, :n], K @ R.toarray() / scale, **tol)
    left_product(R, S[:n, :n])
    assert_allclose(np.tril(S[:n, :n]), np.tril(R @ K @ R.toarray() / scale), **tol)
    assert (S[n:] == 7.0).all()
    assert (S[:, n:] == 7.0).all()


@pytest.mark.parametrize("columns", [0, 1, 4, 5])
@pytest.mark.parametrize("zeros", [0, 10, 45, 50])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_leading_zeros_change_nothing(columns, zeros, dtype):
    K, _ = problem(50)
    U = np.asfortranarray(np.linalg.cholesky(K + np.eye(50)).T, dtype=dtype)
    B = np.asfortranarray(RNG.normal(size=(50, columns)), dtype=dtype)
    B[:zeros] = 0.0
    before = B.copy()
    found = potrs(U, B)
    assert found.shape == B.shape
    assert found.dtype == dtype
    assert (before == B).all()
    A = U.astype(float).T @ U.astype(float)
    assert_allclose(A @ found, B, rtol=0, atol=1e4 * np.finfo(dtype).eps)
