"""The leading eigenpairs, dense and by Lanczos, and the symmetric Sylvester equation."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.linalg
from scipy.linalg import solve_sylvester

from lapwing.linalg.eigenpairs import LANCZOS_FROM, LANCZOS_SHARE, top_eigenpairs
from lapwing_papers.baselines.graph import solve_symmetric_sylvester

rng = np.random.default_rng(0)


def psd(n, values):
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return (Q * values) @ Q.T, Q


@pytest.mark.parametrize("n, s", [(30, 1), (30, 7), (30, 20), (30, 30), (LANCZOS_FROM, 5)])
def test_pairs_are_the_largest(n, s):
    K, Q = psd(n, 2.0 ** -np.arange(n))
    values, vectors = top_eigenpairs(K, s, rtol=0.0 if s < 20 else 1e-300)
    np.testing.assert_allclose(values, 2.0 ** -np.arange(s), atol=1e-13)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-10)
    k = min(s, 7)
    overlap = np.abs(np.sum(vectors[:, :k] * Q[:, :k], axis=0))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-8)


def test_lanczos_and_lapack_agree_to_the_sign():
    n, s = LANCZOS_FROM, LANCZOS_FROM // LANCZOS_SHARE - 1
    K, _ = psd(n, 1.0 / (1.0 + np.arange(n)) ** 2)
    few, U = top_eigenpairs(K, s)
    many, V = top_eigenpairs(K, n)
    np.testing.assert_allclose(few, many[:s], atol=1e-12)
    np.testing.assert_allclose(U, V[:, :s], atol=1e-7)


def test_rank_is_respected():
    X = rng.normal(size=(40, 3))
    values, vectors = top_eigenpairs(X @ X.T, 25)
    assert len(values) == 3 and vectors.shape == (40, 3)
    values, vectors = top_eigenpairs(np.zeros((5, 5)), 2)
    assert len(values) == 0 and vectors.shape == (5, 0)


@pytest.mark.parametrize("n, s", [(100, 10), (LANCZOS_FROM, 20), (LANCZOS_FROM, 100)])
@pytest.mark.parametrize("noise", [0.0, 1e-17, 1e-12])
def test_equal_eigenvalues(n, s, noise):
    """A kernel so narrow that K ≈ I: LAPACK's partial driver then loses pairs."""
    E = noise * rng.normal(size=(n, n))
    K = np.eye(n) + E + E.T
    values, vectors = top_eigenpairs(K, s)
    assert vectors.shape == (n, s)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(s), atol=1e-10)
    np.testing.assert_allclose(values, 1.0, atol=1e-9)


def test_pairs_lost_by_the_partial_driver_are_found_again(monkeypatch):
    K, _ = psd(50, np.arange(50.0) + 1)
    whole = scipy.linalg.eigh

    def losing(K, subset_by_index=None, **options):
        values, vectors = whole(K, subset_by_index=subset_by_index, **options)
        return (values[:0], vectors[:, :0]) if subset_by_index else (values, vectors)

    monkeypatch.setattr("scipy.linalg.eigh", losing)
    values, _ = top_eigenpairs(K, 5)
    np.testing.assert_allclose(values, [50, 49, 48, 47, 46])


def test_signs_are_fixed():
    K, _ = psd(12, np.arange(12.0) + 1)
    _, U = top_eigenpairs(K, 12)
    assert (U[np.abs(U).argmax(axis=0), np.arange(12)] > 0).all()


def test_sylvester_agrees_with_scipy():
    A, _ = psd(6, np.arange(6.0) + 0.5)
    B, _ = psd(3, np.array([0.0, 1.0, 2.0]))
    C = rng.normal(size=(6, 3))
    np.testing.assert_allclose(
        solve_symmetric_sylvester(A, B, C), solve_sylvester(A, B, C), atol=1e-10
    )


def test_sylvester_of_least_norm():
    A, _ = psd(6, np.array([0, 0, 0, 1.0, 2.0, 3.0]))
    B, _ = psd(3, np.array([0, 0, 2.0]))
    truth = rng.normal(size=(6, 3))
    C = A @ truth + truth @ B
    W = solve_symmetric_sylvester(A, B, C)
    np.testing.assert_allclose(A @ W + W @ B, C, atol=1e-10)
    system = np.kron(np.eye(3), A) + np.kron(B, np.eye(6))
    least = np.linalg.pinv(system, rcond=1e-12) @ C.T.ravel()
    np.testing.assert_allclose(W.T.ravel(), least, atol=1e-10)
    np.testing.assert_array_equal(solve_symmetric_sylvester(0 * A, 0 * B, 0 * C), 0.0)


def test_of_zero_no_pair_is_kept():
    """Where Lanczos has nothing to begin with: 500 is above the order from which it is tried."""
    values, vectors = top_eigenpairs(np.zeros((500, 500)), 3)
    assert values.shape == (0,) and vectors.shape == (500, 0)


class TenDigits:
    """A symmetric matrix with given eigenvalues, whose products have ten digits and are counted."""

    def __init__(self, values, seed):
        n = len(values)
        self.Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
        self.values, self.products = values, 0

    def exact(self, V):
        return (self.Q * self.values) @ (self.Q.T @ V)

    def noisy(self, v):
        self.products += 1
        noise = np.random.default_rng(self.products).standard_normal(len(v))
        return self.exact(v.ravel()) * (1.0 + 1e-10 * noise)

    def largest(self, s):
        n = len(self.values)
        operator = scipy.sparse.linalg.LinearOperator((n, n), matvec=self.noisy, dtype=float)
        return top_eigenpairs(operator, s)


def test_products_with_ten_digits_and_equal_eigenvalues_end():
    """Products by iteration never agree to the last digit; equal eigenvalues would ask for it."""
    matrix = TenDigits(np.r_[np.full(40, 1.0), np.linspace(0.9, 0.1, 117)], 0)
    found, vectors = matrix.largest(3)
    np.testing.assert_allclose(found, 1.0, atol=1e-7)
    np.testing.assert_allclose(matrix.exact(vectors), vectors, atol=1e-6)
    assert matrix.products < 3_000


def test_products_with_ten_digits_and_a_dense_cluster_end():
    """Fifty eigenvalues within a few millionths of the largest one: six digits are enough."""
    cluster = 1.0 - 1e-6 * np.random.default_rng(1).random(50)
    matrix = TenDigits(np.r_[cluster, np.linspace(0.9999, 0.1, 187)], 1)
    found, vectors = matrix.largest(1)
    np.testing.assert_allclose(found, 1.0, atol=1e-5)
    np.testing.assert_allclose(matrix.exact(vectors), vectors, atol=1e-5)
    assert matrix.products < 15_000


def test_all_copies_of_an_eigenvalue_are_found():
    """Lanczos' method from one vector finds copies by rounding alone."""
    rng = np.random.default_rng(2)
    n = 450
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.r_[np.full(6, 1.0), np.full(3, 0.9), np.linspace(0.1, 0.01, n - 9)]

    def product(v):
        return Q @ (values * (Q.T @ v.ravel()))

    operator = scipy.sparse.linalg.LinearOperator((n, n), matvec=product, dtype=float)
    np.testing.assert_allclose(top_eigenpairs(operator, 8)[0], values[:8], atol=1e-9)
