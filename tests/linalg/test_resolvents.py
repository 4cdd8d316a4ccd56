"""Every resolvent against the matrix formula it avoids: T = (I + N B)⁻¹ N."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp

from lapwing.linalg.resolvents import block_diagonal, low_rank, nested, no_penalty, single
from lapwing.linalg.resolvents.low_rank import psd_root
from lapwing.operators import DisagreementOperator, MatrixOperator

rng = np.random.default_rng(0)


def psd(n, rank=None):
    A = rng.standard_normal((n, rank or n))
    return A @ A.T / n


def naive(N, B):
    return np.linalg.solve(np.eye(len(N)) + N @ B, N)


def dense(resolvent):
    return resolvent.apply(np.eye(resolvent.size))


def check(resolvent, N, B):
    T = dense(resolvent)
    np.testing.assert_allclose(T, naive(N, B), atol=1e-10 * max(1, np.abs(T).max()))
    np.testing.assert_allclose(T, T.T, atol=1e-10 * max(1, np.abs(T).max()))
    assert np.linalg.eigvalsh((T + T.T) / 2)[0] > -1e-10 * max(1, np.abs(T).max())


@pytest.mark.parametrize("lam", [1e-3, 1.0, 1e4])
def test_shared_rows_of_two_blocks(lam):
    B1, B2 = psd(7), psd(6)
    rows = [np.array([0, 2, 3, 6]), np.array([1, 2, 4, 5])]
    D = np.zeros((4, 13))
    D[np.arange(4), rows[0]] = 1.0
    D[np.arange(4), 7 + rows[1]] = -1.0
    resolvent = low_rank(sp.csr_array(np.sqrt(lam) * D.T), [B1, B2])
    check(resolvent, lam * D.T @ D, scipy.linalg.block_diag(B1, B2))


@pytest.mark.parametrize("m", [2, 3, 5])
@pytest.mark.parametrize("lam", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("typed", [False, True])
def test_pairwise_disagreement(m, lam, typed):
    n = 6
    blocks = [psd(n, rank=4) for _ in range(m)]  # singular blocks are no obstacle
    N = lam * np.kron(m * np.eye(m) - np.ones((m, m)), np.eye(n))
    M = MatrixOperator(N / lam) if typed else DisagreementOperator([np.arange(n)] * m, n)
    check(M.resolvent(blocks, lam), N, scipy.linalg.block_diag(*blocks))


def test_disagreement_with_absent_entries_and_own_weights():
    rows = [np.array([0, 1, 3]), np.array([0, 2, 3, 4]), np.array([1, 2, 3, 5])]
    w = np.array([0.5, 1.0, 2.0])
    blocks = [psd(len(r)) for r in rows]
    at, weight = np.concatenate(rows), np.repeat(w, [len(r) for r in rows])
    N = np.diag(weight)
    for i in range(6):
        here = np.where(at == i, weight, 0.0)
        N -= np.outer(here, here) / here.sum()
    M = DisagreementOperator(rows, 6, precisions=w)
    np.testing.assert_allclose(M.toarray(), N, atol=1e-14)
    check(M.resolvent(blocks, 1.0), N, scipy.linalg.block_diag(*blocks))


@pytest.mark.parametrize("n", [5, 40])
def test_single_with_a_sparse_penalty(n):
    L = sp.csr_array(sp.diags_array([2.0 * np.ones(n), -np.ones(n - 1), -np.ones(n - 1)],
                                    offsets=[0, 1, -1]))  # fmt: skip
    B = psd(n)
    check(single(B, lambda F: L @ F, 3.0), 3.0 * L.toarray(), B)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_low_rank(make):
    V, B = rng.standard_normal((9, 2)), psd(9)
    check(low_rank(make(V), [B]), V @ V.T, B)


def test_block_diagonal_and_no_penalty():
    B1, B2, N = psd(4), psd(3), psd(4)
    both = block_diagonal([single(B1, lambda F: N @ F), no_penalty(3)])
    expected = scipy.linalg.block_diag(N, np.zeros((3, 3)))
    check(both, expected, scipy.linalg.block_diag(B1, B2))


def test_nested_is_the_sum_of_penalties():
    B, N1, N2 = psd(8), psd(8, rank=5), psd(8, rank=3)
    inner = single(B, lambda F: N1 @ F)
    left = B - B @ dense(inner) @ B
    outer = low_rank(psd_root(N2), [left])
    check(nested(inner, outer, lambda F: B @ F), N1 + N2, B)


@pytest.mark.parametrize("rank", [0, 1, 3, 6])
def test_psd_root_has_the_rank_of_its_matrix(rank):
    M = psd(6, rank=rank) if rank else np.zeros((6, 6))
    V = psd_root(M)
    assert V.shape == (6, rank)
    np.testing.assert_allclose(V @ V.T, M, atol=1e-12)


def test_psd_root_refuses_an_indefinite_matrix():
    with pytest.raises(ValueError, match="positive semi-definite"):
        psd_root(np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(ValueError, match="positive semi-definite"):
        psd_root(-np.eye(3))
