"""Rows that are equal but for rounding have nearly equal shadows on a few random lines."""

import numpy as np
import scipy.sparse as sp

from ..linalg.blocks import cached_blocks, some_rows

NEAR, TRIED = 2e-14, 4
"""The largest difference of two shadows of one row, over √d, and the number of neighbors that are
tried. Rounding in the projections is a fiftieth of it."""


class Shadows:
    """Projections of a row onto three random lines, in logarithms of its entries.

    A relative change of an entry moves a shadow by as much, whatever the size of the entry. Only
    entries far below the others of their column count by their difference: so they are rounded.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, X):
        d = X.shape[1]
        self.unit = _typical(X)
        self.lines = np.random.default_rng(0).standard_normal((d, 3)) / np.sqrt(d)
        self.near = NEAR * min(np.sqrt(d), 20.0)  # rows of many columns are sparse
        cast = self._cast(X)
        self.order = np.argsort(cast[:, 0], kind="stable")
        self.cast = cast[self.order]

    def _cast(self, X) -> np.ndarray:
        if sp.issparse(X):
            X = sp.csr_array(X)
            logs = _logarithms(X.data, self.unit[X.indices])
            return sp.csr_array((logs, X.indices, X.indptr), shape=X.shape) @ self.lines
        out = np.empty((len(X), 3))
        for block in cached_blocks(*X.shape):
            out[block] = _logarithms(X[block], self.unit) @ self.lines
        return out

    def find(self, X) -> np.ndarray:
        """For each row of X the training row with the same shadows, or −1: integers, (m,)."""
        cast = self._cast(X)
        first = np.searchsorted(self.cast[:, 0], cast[:, 0] - self.near)
        found, least = np.full(len(cast), -1), np.full(len(cast), self.near)
        for i in range(TRIED):
            at = np.minimum(first + i, len(self.cast) - 1)
            apart = np.abs(self.cast[at] - cast).max(axis=1)
            found = np.where(apart < least, self.order[at], found)
            least = np.minimum(apart, least)
        return found


def _typical(X) -> np.ndarray:
    """The median size of the entries of each column that are not 0, from 1,000 rows: (d,)."""
    some = sp.csr_array(X[some_rows(X.shape[0], 1_000)])
    some.eliminate_zeros()
    counts, out = np.bincount(some.indices, minlength=X.shape[1]), np.zeros(X.shape[1])
    seen = counts > 0
    sizes = np.abs(some.data)
    middle = (counts.cumsum() - 1 - counts // 2)[seen]
    out[seen] = sizes[np.lexsort((sizes, some.indices))][middle]
    return out


def _logarithms(values: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """About sign(x) log₂(1 + |x|/u): the bits of floats, linear between powers of 2."""
    values, half = np.asarray(values, dtype=np.float64), 0.5 * unit
    bits = (0.5 * np.abs(values) + half).view(np.int64) - half.view(np.int64)  # exact in integers
    return np.sign(values) * (bits * 2.0**-52)
