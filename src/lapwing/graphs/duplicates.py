"""Rows that occur many times. They are joined with each other, and only one of them is searched."""

from collections.abc import Iterator

import numpy as np

from ..linalg.blocks import row_blocks
from .row_keys import ODD, row_keys


class Duplicates:
    """Find equal rows and count them.

    The k nearest neighbors of a row with more than k copies are copies of it, at distance 0. Such a
    row is not searched, because an index of cells would compare all copies with each other. Copies
    that are joined only with each other would be cut off from all other rows. So each group of
    copies counts once in the search: its first row is searched and can be found. A row that finds
    it is joined with one of the copies.

    Parameters
    ----------
    X : array of shape (n, d)

    Attributes
    ----------
    place : integer array of shape (n,)
        The position of each row among its copies, from 0.
    size : integer array of shape (n,)
        How often each row occurs.

    Examples
    --------
    >>> found = Duplicates(np.array([[1.0], [2.0], [1.0], [1.0]]))
    >>> found.size, found.place
    (array([3, 1, 3, 3]), array([0, 0, 1, 2]))
    """

    def __init__(self, X: np.ndarray) -> None:
        n = len(X)
        self._order = np.argsort(row_keys(X), kind="stable")
        new = np.ones(n, dtype=bool)
        for part in row_blocks(n - 1, X.shape[1]):
            after = slice(part.start + 1, part.stop + 1)
            new[after] = (X[self._order[after]] != X[self._order[part]]).any(axis=1)
        starts = np.flatnonzero(new)
        sizes = np.diff(np.r_[starts, n])
        self._start, self.place, self.size = np.empty((3, n), dtype=np.intp)
        self._start[self._order] = np.repeat(starts, sizes)
        self.place[self._order] = np.arange(n) - np.repeat(starts, sizes)
        self.size[self._order] = np.repeat(sizes, sizes)

    def alone(self, k: int) -> np.ndarray:
        """Whether a row has at most k copies or is the first of its copies, shape (n,)."""
        return (self.size <= k + 1) | (self.place == 0)

    def another(self, i: np.ndarray, j: np.ndarray, k: int) -> np.ndarray:
        """j, or one of its copies if it has more than k. Different i get different copies."""
        many = self.size[j] > k + 1
        turn = (i[many].astype(np.uint64) * ODD) >> np.uint64(32)
        j = j.copy()
        j[many] = self._order[
            self._start[j[many]] + (turn % self.size[j[many]].astype(np.uint64)).astype(np.intp)
        ]
        return j

    def joined(self, k: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield k pairs (i, j) for each row i with more than k copies. They connect all its copies.

        The s copies form a ring. Each copy lists the copies 1, s^{1/k}, s^{2/k}, … places further
        on.
        """
        rows = self._order[self.size[self._order] > k + 1]
        for part in row_blocks(len(rows), k):
            i = rows[part]
            s = self.size[i][:, None]
            to = self.place[i][:, None] + _steps(s[:, 0], k)
            j = self._order[self._start[i][:, None] + to % s]
            yield np.repeat(i, k), j.ravel()


def _steps(s: np.ndarray, k: int) -> np.ndarray:
    """k different integers from 1 to s − 1, near the powers of s^{1/k}, (len(s), k), for s > k."""
    steps = np.empty((len(s), k), dtype=np.intp)
    for m in range(k):
        far = (s ** (m / k)).astype(np.intp)
        steps[:, m] = np.maximum(far, steps[:, m - 1] + 1) if m else 1
    return steps
