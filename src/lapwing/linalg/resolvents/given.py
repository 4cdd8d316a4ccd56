"""A penalty matrix that the user wrote down: which structure has it?"""

from collections.abc import Sequence

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from .base import BlockApply, Resolvent, no_penalty, slices_of
from .consensus import consensus
from .low_rank import low_rank, psd_root
from .shared import shared
from .single import single


def factored_resolvent(V, blocks: Sequence[np.ndarray], scale: float) -> Resolvent:
    """T of scale · V Vᵀ and diag(B_j): a system of the order of V's columns."""
    return low_rank(np.sqrt(scale) * V, BlockApply.of(blocks))


def matrix_resolvent(M, blocks: Sequence[np.ndarray], scale: float) -> Resolvent:
    """T of scale · M and diag(B_j), by what M is.

    ======================  ==========================================================
    M                       system
    ======================  ==========================================================
    C ⊗ I, C of rank 1      one Cholesky factor of the order of a block
    C ⊗ I, C ∝ m I − 11ᵀ    m + 1 Cholesky factors of that order
    sparse                  an LU factor over the rows that M does not leave out
    dense                   a Cholesky factor of the order of M's rank
    ======================  ==========================================================

    Parameters
    ----------
    M : array or sparse matrix of shape (N, N)
        Symmetric PSD, already checked if sparse.
    blocks : sequence of arrays of shape (n_j, n_j)
        B_j, N = Σ n_j.
    scale : float > 0
    """
    coupling = _between_blocks(M, blocks)
    if coupling is not None:
        found = _coupled(coupling, blocks, scale)
        if found is not None:
            return found
    if not sp.issparse(M):
        return factored_resolvent(psd_root(np.asarray(M, dtype=float), "M"), blocks, scale)
    return _on_support(sp.csr_array(M), blocks, scale)


def _on_support(M: sp.csr_array, blocks: Sequence[np.ndarray], scale: float) -> Resolvent:
    """A sparse N: the rows that it leaves out leave the system."""
    support = np.flatnonzero(np.asarray(abs(M).sum(axis=1)).ravel())
    if not len(support):
        return no_penalty(M.shape[0])
    inner = sp.csr_array(M[support][:, support])
    kept = [B[np.ix_(at, at)] for B, at in zip(blocks, _local(support, blocks), strict=True)]
    seen = single(scipy.linalg.block_diag(*kept), inner.__matmul__, scale)

    def apply(b: np.ndarray) -> np.ndarray:
        out = np.zeros_like(b)
        out[support] = seen.apply(b[support])
        return out

    return Resolvent(M.shape[0], apply)


def _between_blocks(M, blocks: Sequence[np.ndarray]) -> np.ndarray | None:
    """C where M = C ⊗ I, (m, m); None where it is not."""
    m, n = len(blocks), len(blocks[0])
    if m == 1 or any(len(B) != n for B in blocks):
        return None
    first = M[::n][:, ::n] if not sp.issparse(M) else sp.csr_array(M)[::n][:, ::n].toarray()
    C = np.asarray(first, dtype=float)
    if sp.issparse(M):
        gap = abs(sp.csr_array(M) - sp.csr_array(sp.kron(C, sp.eye_array(n))))
        return C if gap.nnz == 0 or gap.max() == 0 else None
    stripped = np.array(M, dtype=float)
    for j in range(m):
        for k in range(m):
            stripped[j * n : (j + 1) * n, k * n : (k + 1) * n].flat[:: n + 1] -= C[j, k]
    return C if not stripped.any() else None


def _coupled(C: np.ndarray, blocks: Sequence[np.ndarray], scale: float) -> Resolvent | None:
    m, n = len(C), len(blocks[0])
    V = psd_root(C, "M")
    rows = [np.arange(n)] * m
    if V.shape[1] == 1:
        return shared(blocks, rows, V[:, 0].tolist(), scale)
    pairwise = -C[0, 1]
    if pairwise > 0 and np.array_equal(C, pairwise * (m * np.eye(m) - np.ones((m, m)))):
        return consensus(blocks, rows, [np.full(n, scale * pairwise * m)] * m)
    return None


def _local(support: np.ndarray, blocks: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The supported rows of each block, counted from the block's start."""
    slices = slices_of([len(B) for B in blocks])
    return [support[(support >= at.start) & (support < at.stop)] - at.start for at in slices]
