"""Which of some rows are training rows: what the points themselves answer for."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..linalg.blocks import row_blocks

ODD = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(32)


class KnownRows:
    """The rows of a matrix by 64 bits each; equal rows, dense or sparse, have equal bits.

    Of ten million rows two different ones share their bits with probability 3e-6.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)

    Examples
    --------
    >>> known = KnownRows(np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> known.find(sp.csr_array(np.array([[2.0, 3.0], [2.0, 3.1]])))
    array([ 1, -1])
    """

    def __init__(self, X):
        keys = _keys(X)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def find(self, X) -> np.ndarray:
        """The training row that each row of X is, the first of equal ones, or −1, (m,)."""
        keys = _keys(X)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.order[at], -1)


def _keys(X) -> np.ndarray:
    """Σ_j mix(bits of x_j) r_j modulo 2⁶⁴, (n,): a zero counts nothing, stored or not."""
    odd = np.random.default_rng(0).integers(1 << 63, size=X.shape[1], dtype=np.uint64)
    odd = 2 * odd + np.uint64(1)
    if sp.issparse(X):
        X = sp.csr_array(X)
        total = np.concatenate([[np.uint64(0)], np.cumsum(_mixed(X.data) * odd[X.indices])])
        return _stirred(total[X.indptr[1:]] - total[X.indptr[:-1]])
    out = np.empty(X.shape[0], dtype=np.uint64)
    for block in row_blocks(*X.shape):
        out[block] = (_mixed(X[block]) * odd).sum(axis=1, dtype=np.uint64)
    return _stirred(out)


def _mixed(values: np.ndarray) -> np.ndarray:
    # −0 is 0
    return _stirred((np.asarray(values, dtype=np.float64) + 0.0).view(np.uint64))


def _stirred(bits: np.ndarray) -> np.ndarray:
    """High bits to low ones: those of whole numbers alone differ in few, and high ones."""
    bits = (bits ^ (bits >> SHIFT)) * ODD
    return bits ^ (bits >> SHIFT)
