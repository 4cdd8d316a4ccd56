"""R K R for a sparse symmetric R and a full symmetric K, in the memory of the result."""

import numpy as np
import scipy.sparse as sp

from ..threads import for_each


def right_product(
    K: np.ndarray, R: sp.csr_array, scale: float, ridge: float, out: np.ndarray, panel: int = 64
) -> None:
    """K R/k into ``out``, a few rows at a time.

    A sparse product with all of a large K reads each row of K from memory once per neighbor. With a
    few rows of K at a time, each is read once. The entries of K R are differences between
    neighbors, and small where K is smooth. If the ridge that will be added is as small as the
    rounding of K in float32, they are computed in float64 and then rounded.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric.
    R : csr_array of shape (n, n)
        Symmetric.
    scale : float
        k, which keeps float32 from overflow and underflow.
    ridge : float
        The number that will be added to R K R/k per unit of R².
    out : array of shape (n, n), float32 or float64
    panel : int
        The number of rows at a time: 2,000 entries of each stay in a second-level cache.
    """
    rounding = 4.0 * np.sqrt(len(K)) * np.finfo(np.float32).eps
    # rounded like the R on the left side, so that R K R is positive
    right = R.astype(out.dtype).astype(np.float64 if ridge < rounding else out.dtype)

    def fill(start: int) -> None:
        block = K[start : start + panel]
        F = np.empty((len(K), len(block)), dtype=right.dtype)
        F[...] = block.T if scale == 1.0 else (block / scale).T
        out[start : start + panel] = (right @ F).T

    for_each(fill, range(0, len(K), panel))


def left_product(R: sp.csr_array, out: np.ndarray, panel: int = 64) -> None:
    """R times ``out`` on and below the diagonal, in place; entries above it are undefined.

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
