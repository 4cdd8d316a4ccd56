"""R K R for a sparse symmetric R and a full symmetric K, in the memory of the result."""

import numpy as np
import scipy.sparse as sp

from ..threads import for_each


def right_product(
    K: np.ndarray, R: sp.csr_array, scale: float, ridge: float, out: np.ndarray, panel: int = 64
) -> None:
    """K R/k into ``out``, some rows after the others.

    A sparse product with all of a large K reads each row of K from memory once per neighbor; a
    few rows of K are read once. The entries of K R are differences between neighbors, small where
    K is smooth: where a ridge as small as float32's rounding of K is to be added, they are computed
    in float64 and rounded then.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric.
    R : csr_array of shape (n, n)
        Symmetric.
    scale : float
        k: float32 must neither overflow nor underflow.
    ridge : float
        What will be added to R K R/k for each unit of R².
    out : array of shape (n, n), float32 or float64
    panel : int
        Rows at once: 2,000 entries of each stay in a second-level cache.
    """
    rounding = 4.0 * np.sqrt(len(K)) * np.finfo(np.float32).eps
    # rounded like the R on the other side: R K R is positive
    right = R.astype(out.dtype).astype(np.float64 if ridge < rounding else out.dtype)

    def fill(start: int) -> None:
        block = K[start : start + panel]
        F = np.empty((len(K), len(block)), dtype=right.dtype)
        F[...] = block.T if scale == 1.0 else (block / scale).T
        out[start : start + panel] = (right @ F).T

    for_each(fill, range(0, len(K), panel))


def left_product(R: sp.csr_array, out: np.ndarray, panel: int = 64) -> None:
    """R times ``out`` on and below the diagonal, in its place; above it, anything.

    Examples
    --------
    >>> R, K = sp.csr_array([[1.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> S = np.empty((2, 2), dtype=np.float32)
    >>> right_product(K, R, 1.0, ridge=1e-3, out=S)
    >>> left_product(R, S)
    >>> np.tril(S)
    array([[1., 0.],
           [1., 4.]], dtype=float32)
    """
    R = R.astype(out.dtype)

    def fill(start: int) -> None:
        F = np.ascontiguousarray(out[:, start : start + panel])
        out[start:, start : start + panel] = _rows_from(R, start) @ F

    for_each(fill, range(0, len(out), panel))


def _rows_from(R: sp.csr_array, start: int) -> sp.csr_array:
    """The rows of R from ``start`` on, without a copy."""
    first = R.indptr[start]
    parts = R.data[first:], R.indices[first:], R.indptr[start:] - first
    return sp.csr_array(parts, shape=(R.shape[0] - start, R.shape[1]))
