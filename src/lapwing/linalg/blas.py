"""Products with a large matrix and few columns, by the library that factors."""

import numpy as np
from scipy.linalg import blas


def symm(K: np.ndarray, C: np.ndarray) -> np.ndarray:
    """K C, C-ordered, for symmetric float64 K of shape (n, n) and C of shape (n, t).

    numpy's BLAS and scipy's have threads of their own, and threads that have just worked go on
    spinning: calls to the two in turns take up to twice as long. Factors and triangular systems
    are scipy's, so products between them are, too. For one column half of K is read, which takes a
    fifth of the time of the routine for many.

    Examples
    --------
    >>> symm(np.eye(2), np.array([[1.0], [2.0]]))
    array([[1.],
           [2.]])
    """
    if len(K) < 1_000 or not K.flags.c_contiguous or K.dtype != np.float64:
        return K @ C
    if _few(C):
        return np.column_stack([blas.dsymv(1.0, K.T, c) for c in C.T])
    # CᵀK takes three quarters of the time of KC
    return blas.dgemm(1.0, np.asfortranarray(C, dtype=np.float64), K.T, trans_a=1).T


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
    """(UᵀU)⁻¹B for an upper triangular factor and B, columns first and of U's precision.

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
    """Whether one column at a time is faster: what counts is how often a matrix is read."""
    return 0 < B.shape[1] <= 4
