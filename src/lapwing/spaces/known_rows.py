"""Which rows of a matrix are training rows."""

import numpy as np
import scipy.sparse as sp

from ..graphs.row_keys import mean_of_copies, row_keys
from ..linalg.blocks import some_rows

NEAR, TRIED = 1e-9, 4
"""Rows that differ by less than this share of the columns' spreads are equal: many transformers
(randomized PCA, TruncatedSVD, TF-IDF) round otherwise in ``transform`` than in ``fit_transform``.
And the number of neighbors along a line that are looked at."""

SAMPLED = 10_000
"""Rows that tell the spreads of the columns."""


class KnownRows:
    """The rows of a matrix X, to be recognized in another matrix, also after some rounding.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
        The training rows.

    Examples
    --------
    >>> known = KnownRows(np.array([[1.0, 0.0], [2.0, 3.0]]))
    >>> known.find(np.array([[2.0, 3.0], [2.0, 3.1], [2.0, 3.0 + 1e-12]]))
    array([ 1, -1,  1])
    """

    shadows: "Shadows | None" = None

    def __init__(self, X):
        keys = row_keys(X)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        self.shadows = Shadows(X) if X.dtype.kind == "f" else None

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
    """Projections of rows onto two random lines, to recognize rows that were rounded otherwise.

    Two different rows have the same shadows on both lines by chance once in 10¹⁷ pairs.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, X):
        some, d = X[some_rows(X.shape[0], SAMPLED)], X.shape[1]
        squares = some.multiply(some) if sp.issparse(some) else some * some
        means, squares = (np.asarray(a.mean(axis=0)).ravel() for a in (some, squares))
        # columns that hardly vary may be rounded too
        spread = np.sqrt(np.maximum(squares - means**2, 1e-10 * squares))
        lines = np.random.default_rng(0).standard_normal((d, 2)) / np.sqrt(d)
        self.lines = lines / np.where(spread > 0, spread, 1.0)[:, None]
        self.origin = means @ self.lines
        cast = self._cast(X)
        self.order = np.argsort(cast[:, 0], kind="stable")
        self.cast = cast[self.order]

    def _cast(self, X) -> np.ndarray:
        return np.asarray(X @ self.lines) - self.origin

    def find(self, X) -> np.ndarray:
        """For each row of X a training row with the same shadows, or −1: integers, (m,)."""
        cast = self._cast(X)
        first = np.searchsorted(self.cast[:, 0], cast[:, 0] - NEAR)
        found = np.full(len(cast), -1)
        for i in range(TRIED):
            at = np.minimum(first + i, len(self.cast) - 1)
            same = (np.abs(self.cast[at] - cast) <= NEAR).all(axis=1)
            found = np.where((found < 0) & same, self.order[at], found)
        return found
