"""Which rows of a matrix are training rows."""

import numpy as np
import scipy.sparse as sp

from ..graphs.row_keys import mean_of_copies, row_keys
from ..linalg.blocks import row_blocks

NEAR, TRIED = 1e-13, 4
"""The largest difference of two shadows of one row, over √d, and the number of neighbors that are
tried. Rounding in the projections is a twentieth of it."""


class KnownRows:
    """The rows of a matrix X, to be recognized in another matrix.

    Rows whose entries agree to about eleven digits are equal: ``transform`` of some transformers
    (TF-IDF) rounds otherwise than their ``fit_transform``.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
        The training rows.
    rounded : bool
        Whether rows that were rounded otherwise are looked for. False: only equal ones.

    Examples
    --------
    >>> known = KnownRows(np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> known.find(np.array([[2.0, 3.0], [2.0, 3.0001], [2.0, np.nextafter(3.0, 4.0)]]))
    array([ 1, -1,  1])
    """

    shadows: "Shadows | None" = None

    def __init__(self, X, rounded: bool = True):
        keys = row_keys(X)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        self.shadows = Shadows(X) if rounded else None

    def find(self, X) -> np.ndarray:
        """For each row of X the first equal training row, or −1: integers, (m,)."""
        keys = row_keys(X)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found = np.where(self.keys[at] == keys, self.order[at], -1)
        if self.shadows and (found < 0).any():
            found = np.where(found < 0, self.shadows.find(X), found)
        return found

    def shared(self, values: np.ndarray) -> np.ndarray:
        """Values at the training rows, (n, t): equal rows get their mean."""
        return mean_of_copies(self.keys, self.order, values)


class Shadows:
    """Projections of the logarithms of a row's entries onto two random lines.

    A relative change of an entry moves a shadow by as much, whatever the size of the entry.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, X):
        d = X.shape[1]
        self.lines = np.random.default_rng(0).standard_normal((d, 2)) / np.sqrt(d)
        self.near = NEAR * min(np.sqrt(d), 20.0)  # rows of many columns are sparse
        cast = self._cast(X)
        self.order = np.argsort(cast[:, 0], kind="stable")
        self.cast = cast[self.order]

    def _cast(self, X) -> np.ndarray:
        if sp.issparse(X):
            X = sp.csr_array(X)
            logs = _logarithms(X.data)
            return sp.csr_array((logs, X.indices, X.indptr), shape=X.shape) @ self.lines
        out = np.empty((len(X), 2))
        for block in row_blocks(*X.shape):
            out[block] = _logarithms(X[block]) @ self.lines
        return out

    def find(self, X) -> np.ndarray:
        """For each row of X a training row with the same shadows, or −1: integers, (m,)."""
        cast = self._cast(X)
        first = np.searchsorted(self.cast[:, 0], cast[:, 0] - self.near)
        found = np.full(len(cast), -1)
        for i in range(TRIED):
            at = np.minimum(first + i, len(self.cast) - 1)
            same = (np.abs(self.cast[at] - cast) <= self.near).all(axis=1)
            found = np.where((found < 0) & same, self.order[at], found)
        return found


def _logarithms(values: np.ndarray) -> np.ndarray:
    """About sign(x)(log₂|x| + 64), and 0 at 0: the bits of a float, linear between powers of 2."""
    values = np.asarray(values, dtype=np.float64)
    return np.sign(values) * (np.abs(values).view(np.int64) * 2.0**-52 - 959.0)
