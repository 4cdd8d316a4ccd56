"""A 64-bit key for each row. Equal rows, dense or sparse, have equal keys."""

import numpy as np
import scipy.sparse as sp

from ..linalg.blocks import row_blocks
from ..linalg.points import canonical

ODD = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(32)


def row_keys(X) -> np.ndarray:
    """Σ_j mix(bits of x_j) r_j modulo 2⁶⁴, shape (n,). Zeros add nothing, stored or not.

    Among ten million rows, two different rows have the same key with probability 3e-6.

    Examples
    --------
    >>> a, b = row_keys(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> bool(a == b), bool(row_keys(sp.csr_array([[1.0, 0.0]])) == a)
    (False, True)
    """
    odd = np.random.default_rng(0).integers(1 << 63, size=X.shape[1], dtype=np.uint64)
    odd = 2 * odd + np.uint64(1)
    if sp.issparse(X):
        X = canonical(sp.csr_array(X))
        total = np.concatenate([[np.uint64(0)], np.cumsum(_mixed(X.data) * odd[X.indices])])
        return _stirred(total[X.indptr[1:]] - total[X.indptr[:-1]])
    out = np.empty(X.shape[0], dtype=np.uint64)
    for block in row_blocks(*X.shape):
        out[block] = (_mixed(X[block]) * odd).sum(axis=1, dtype=np.uint64)
    return _stirred(out)


def _mixed(values: np.ndarray) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64) + 0.0  # −0 is 0
    values[np.isnan(values)] = np.nan  # NaN has many bit patterns
    return _stirred(values.view(np.uint64))


def _stirred(bits: np.ndarray) -> np.ndarray:
    """Mix high bits into low ones. Whole numbers differ in a few high bits only."""
    bits = (bits ^ (bits >> SHIFT)) * ODD
    return bits ^ (bits >> SHIFT)


def mean_of_copies(keys: np.ndarray, order: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at rows, (n, t), with the mean over all rows of the same key at each of them.

    Parameters
    ----------
    keys : array of shape (n,)
        The keys in ascending order.
    order : integer array of shape (n,)
        The row of each key.
    values : array of shape (n, t)

    Examples
    --------
    >>> mean_of_copies(np.array([5, 7, 7]), np.array([1, 0, 2]), np.array([[1.0], [4.0], [3.0]]))
    array([[2.],
           [4.],
           [2.]])
    """
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    if len(starts) == len(keys):
        return values
    counts = np.diff(starts, append=len(keys))
    means = np.add.reduceat(values[order], starts, axis=0) / counts[:, None]
    out = np.empty_like(values)
    out[order] = np.repeat(means, counts, axis=0)
    return out
