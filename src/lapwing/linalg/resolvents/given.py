"""The resolvent of a penalty matrix that the user has given, by its structure."""

from collections.abc import Sequence

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from .base import Resolvent, no_penalty, slices_of
from .low_rank import low_rank, psd_root
from .single import single


def matrix_resolvent(M, blocks: Sequence[np.ndarray], scale: float) -> Resolvent:
    """T of scale · M and diag(B_j), by the structure of M.

    ======================  ==========================================================
    M                       system
    ======================  ==========================================================
    C ⊗ I, C of rank r      a Cholesky factor of r times the order of a block
    sparse                  an LU factor over the rows of M that are not zero
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
    C = _between_blocks(M, blocks)
    if len(C):
        V = sp.kron(psd_root(C), sp.eye_array(len(blocks[0])), format="csr")
        return low_rank(np.sqrt(scale) * V, blocks)
    if not sp.issparse(M):
        return low_rank(np.sqrt(scale) * psd_root(np.asarray(M, dtype=float)), blocks)
    return _on_support(sp.csr_array(M), blocks, scale)


def _on_support(M: sp.csr_array, blocks: Sequence[np.ndarray], scale: float) -> Resolvent:
    """T of a sparse N, from a system over the rows of N that are not zero."""
    support = np.flatnonzero(abs(M).sum(axis=1))
    if not len(support):
        return no_penalty(M.shape[0])
    inner, slices = sp.csr_array(M[support][:, support]), slices_of([len(B) for B in blocks])
    places = [support[(at.start <= support) & (support < at.stop)] - at.start for at in slices]
    kept = [B[np.ix_(at, at)] for B, at in zip(blocks, places, strict=True)]
    seen = single(scipy.linalg.block_diag(*kept), inner.__matmul__, scale)

    def apply(b: np.ndarray) -> np.ndarray:
        out = np.zeros_like(b)
        out[support] = seen.apply(b[support])
        return out

    return Resolvent(M.shape[0], apply)


def _between_blocks(M, blocks: Sequence[np.ndarray]) -> np.ndarray:
    """C, (m, m), where M = C ⊗ I; otherwise empty."""
    m, n = len(blocks), len(blocks[0])
    if m > 1 and all(len(B) == n for B in blocks):
        A = sp.csr_array(M)
        C = A[::n][:, ::n].toarray().astype(float)
        if not abs(A - sp.kron(C, sp.eye_array(n))).max():
            return C
    return np.zeros((0, 0))
