"""R K R for a sparse symmetric R and a full symmetric K, in float32, by panels of columns."""

import numpy as np
import scipy.sparse as sp

from .threads import for_each

PANEL = 32  # columns of K at once: 4,000 rows of them stay in a second-level cache


class Panels:
    """R K/k, a panel of columns after the other, and half of R times its transpose.

    A sparse product with all of a large K reads each row of K from memory once per neighbour. A
    narrow panel of K is read once, and its transpose is gathered from the panels in small blocks.
    The entries of R K are differences between neighbours, small where K is smooth: where a ridge as
    small as float32's rounding of K is to be added, R K is computed in float64 and rounded then.

    Parameters
    ----------
    R : csr_array of shape (n, n)
        Symmetric.
    K : array of shape (n, n)
        Symmetric.
    scale : float
        k: float32 must neither overflow nor underflow.
    ridge : float
        What will be added to R K R/k for each unit of R².

    Examples
    --------
    >>> R, K = sp.csr_array([[1.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> S = np.zeros((2, 2), dtype=np.float32)
    >>> Panels(R, K, 1.0, ridge=1e-3).sandwich(S)
    >>> np.tril(S)
    array([[1., 0.],
           [1., 4.]], dtype=float32)
    """

    def __init__(self, R: sp.csr_array, K: np.ndarray, scale: float, ridge: float):
        self.R = R.astype(np.float32)  # the same R on both sides: R K R is positive
        self.n = n = len(K)
        self._panels = np.empty((-(-n // PANEL), n, PANEL), dtype=np.float32)
        rounding = 4.0 * np.sqrt(n) * np.finfo(np.float32).eps
        dtype = np.float64 if ridge < rounding else np.float32
        left = self.R.astype(dtype)

        def fill(j: int) -> None:
            block = K[j * PANEL : (j + 1) * PANEL]
            F = np.zeros((n, PANEL), dtype=dtype)
            F[:, : len(block)] = block.T if scale == 1.0 else (block / scale).T
            self._panels[j] = left @ F

        for_each(fill, range(len(self._panels)))

    def rows(self, at: np.ndarray) -> np.ndarray:
        """Some rows of K R/k, (len(at), n)."""
        out = np.empty((len(at), self.n), dtype=np.float32)
        for i, row in enumerate(at):
            out[i] = self._panels[row // PANEL, :, row % PANEL]
        return out

    def add_ridge(self, ridge: float) -> None:
        """R K/k + ridge · I."""
        i = np.arange(self.n)
        self._panels[i // PANEL, i, i % PANEL] += np.float32(ridge)

    def sandwich(self, out: np.ndarray) -> None:
        """R (R K/k)ᵀ on and below the diagonal of ``out``; above it, anything."""
        n = self.n

        def fill(j: int) -> None:
            rows = slice(j * PANEL, min((j + 1) * PANEL, n))
            F = self._panels[:, rows].transpose(0, 2, 1).reshape(-1, rows.stop - rows.start)
            out[rows.start :, rows] = _rows_from(self.R, rows.start) @ F[:n]

        for_each(fill, range(len(self._panels)))


def _rows_from(R: sp.csr_array, start: int) -> sp.csr_array:
    """The rows of R from ``start`` on, without a copy."""
    first = R.indptr[start]
    parts = R.data[first:], R.indices[first:], R.indptr[start:] - first
    return sp.csr_array(parts, shape=(R.shape[0] - start, R.shape[1]))
