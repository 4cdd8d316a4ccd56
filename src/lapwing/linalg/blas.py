"""Products of a large matrix with few columns, by the BLAS library that also factors."""

import numpy as np
from scipy.linalg import blas


def symm(K: np.ndarray, C: np.ndarray, few: int = 1_000) -> np.ndarray:
    """K C, C-ordered, for symmetric float64 K of shape (n, n) and C of shape (n, t).

    numpy and scipy each have a BLAS with its own threads. Threads that have just worked keep
    spinning, so that alternate calls to the two take up to twice as long. Factors and triangular
    systems use scipy's BLAS. The products between them therefore use it too. For one column only
    half of K is read, which takes a fifth of the time of the routine for many columns.

    Examples
    --------
    >>> symm(np.eye(2), np.array([[1.0], [2.0]]))
    array([[1.],
           [2.]])
    """
    if len(K) < few or not K.flags.c_contiguous or K.dtype != np.float64:
        return K @ C
    if _few(C):
        return np.column_stack([blas.dsymv(1.0, K.T, c) for c in C.T])
    # CᵀK takes three quarters of the time of KC
    return blas.dgemm(1.0, np.asfortranarray(C, dtype=np.float64), K.T, trans_a=1).T


def symm_few(K: np.ndarray, C: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """K C for a C that is zero outside the given rows: of few rows only these of K are read.

    Examples
    --------
    >>> symm_few(np.diag([1.0, 2.0]), np.array([[0.0], [3.0]]), np.array([1]))
    array([[0.],
           [6.]])
    """
    if 4 * len(rows) > len(C):
        return symm(K, C)
    # K is symmetric, and its rows are read faster than its columns
    return gemm_tn(C[rows], K[rows]).T


def gemm_tn(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """AᵀB for C-ordered float64 A of shape (n, s) and B of shape (n, t), by the same library.

    Examples
    --------
    >>> gemm_tn(np.array([[1.0], [2.0]]), np.array([[3.0, 0.0], [4.0, 1.0]]))
    array([[11.,  2.]])
    """
    return blas.dgemm(1.0, A.T, B.T, trans_b=1)


def gemm(A: np.ndarray, S: np.ndarray) -> np.ndarray:
    """A S, C-ordered, for C-ordered float64 A of shape (n, s) and a small S, by the same library.

    Examples
    --------
    >>> gemm(np.array([[1.0, 2.0]]), np.array([[1.0], [3.0]]))
    array([[7.]])
    """
    return blas.dgemm(1.0, S.T, A.T).T


def potrs(U: np.ndarray, B: np.ndarray) -> np.ndarray:
    """(UᵀU)⁻¹B for an upper triangular U; B is F-ordered and has the precision of U.

    Examples
    --------
    >>> U = np.asfortranarray([[2.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> potrs(U, np.asfortranarray([[4.0], [3.0]], dtype=np.float32))
    array([[1.],
           [3.]], dtype=float32)
    """
    one, many = blas.get_blas_funcs(("trsv", "trsm"), (U, B))
    if _few(B):
        return np.column_stack([one(U, one(U, b, trans=1)) for b in B.T])
    return many(1.0, U, many(1.0, U, B, trans_a=1), overwrite_b=1)


def _few(B: np.ndarray) -> bool:
    """Whether one column at a time is faster. The number of passes over the matrix decides."""
    return 0 < B.shape[1] <= 4
