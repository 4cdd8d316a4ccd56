"""Symmetric and PSD, or a clear error."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from lapwing.linalg.psd import check_psd, check_symmetric


def path_laplacian(n):
    ones = np.ones(n - 1)
    W = sp.csr_array(sp.diags_array([ones, ones], offsets=[-1, 1]))
    return sp.csr_array(sp.diags_array(W.sum(axis=1)) - W)


def spectrum(values, seed=0):
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(len(values),) * 2))[0]
    M = (Q * values) @ Q.T
    return (M + M.T) / 2


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("rank", [0, 1, 20, 60])
def test_accepts_psd_of_any_rank_and_scale(rank, scale):
    B = np.random.default_rng(0).normal(size=(60, rank))
    M = scale * (B @ B.T)
    assert_array_equal(check_psd((M + M.T) / 2), (M + M.T) / 2)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("n", [1, 2, 3, 50, 400])
def test_rejects_one_negative_eigenvalue(make, n):
    values = np.linspace(-0.01, 1.0, n)
    with pytest.raises(ValueError, match=r"smallest eigenvalue is about -0\.01"):
        check_psd(make(spectrum(values)))


@pytest.mark.parametrize("n", [2, 50, 2000])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_accepts_sparse_laplacians_and_powers(n, degree):
    """Powers beyond the first are not diagonally dominant: Lanczos has to pass them."""
    L = path_laplacian(n)
    M = L
    for _ in range(degree - 1):
        M = M @ L
    assert abs(check_psd(M) - M).max() == 0


def test_rejects_a_shifted_sparse_laplacian():
    L = path_laplacian(2000)
    with pytest.raises(ValueError, match="positive semi-definite"):
        check_psd(L - 0.01 * sp.eye_array(2000))


def test_float32_rounding_is_no_asymmetry():
    B = np.random.default_rng(0).normal(size=(80, 10)).astype(np.float32)
    M = B @ B.T
    M[0, 1] *= 1 + 1e-6
    checked = check_psd(M)
    assert checked.dtype == np.float32
    assert_array_equal(checked, checked.T)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    ("M", "says"),
    [
        (np.ones((2, 3)), r"square matrix, got shape \(2, 3\)"),
        (np.array([[1.0, 0.5], [0.0, 1.0]]), r"symmetric; the largest .* is 0\.5"),
        (np.array([[np.nan, 0.0], [0.0, 1.0]]), "NaN or infinite"),
        (np.array([[1.0, np.inf], [np.inf, 1.0]]), "NaN or infinite"),
        (np.array([[1.0, 1j], [-1j, 1.0]]), "real numbers"),
        (np.array([[-1.0]]), "about -1"),
    ],
)
def test_errors_say_what_is_wrong(M, says, make):
    with pytest.raises(ValueError, match=says):
        check_psd(make(M))


def test_vector_is_not_a_matrix():
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        check_symmetric(np.ones(3))


def test_integers_are_welcome_and_input_is_kept():
    M = np.array([[2, 1], [1, 2]])
    assert check_psd(M).dtype == np.float64
    assert_array_equal(M, [[2, 1], [1, 2]])


def test_a_given_sparse_matrix_keeps_the_order_of_its_indices():
    data, indices = np.array([1.0, 1.0, 2.0, 0.0, 1.0]), np.array([2, 1, 2, 1, 0])
    M = sp.csr_array((data, indices, np.array([0, 1, 2, 5])), shape=(3, 3))
    with pytest.raises(ValueError, match="semi-definite"):
        check_psd(M)
    assert_array_equal(M.indices, [2, 1, 2, 1, 0])
