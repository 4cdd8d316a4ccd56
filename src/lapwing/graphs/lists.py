"""Directed lists of neighbors with their distances, before weights are computed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class NeighborLists:
    """The neighbors of each point without itself. Entries indptr[i] … indptr[i + 1] belong to i.

    Parameters
    ----------
    indptr : integer array of shape (n + 1,)
    indices : integer array of shape (p,)
    distances : array of shape (p,)
    """

    indptr: np.ndarray = field(repr=False)
    indices: np.ndarray = field(repr=False)
    distances: np.ndarray = field(repr=False)

    @classmethod
    def of_pairs(cls, n: int, i: np.ndarray, j: np.ndarray, d: np.ndarray) -> NeighborLists:
        """Make the lists from pairs (i, j, d) that are sorted by i."""
        return cls(np.concatenate([[0], np.cumsum(np.bincount(i, minlength=n))]), j, d)

    @classmethod
    def empty(cls, n: int) -> NeighborLists:
        """The lists of n points without neighbors."""
        return cls(np.zeros(n + 1, dtype=np.intp), np.empty(0, dtype=np.int32), np.empty(0))

    @property
    def n(self) -> int:
        return len(self.indptr) - 1

    @property
    def rows(self) -> np.ndarray:
        """The point i of each entry, shape (p,)."""
        return np.repeat(np.arange(self.n), np.diff(self.indptr))

    def reach(self) -> np.ndarray:
        """h_i, the distance of point i to its last neighbor, shape (n,). 0 if it has none."""
        h = np.zeros(self.n)
        np.maximum.at(h, self.rows, self.distances)
        return h

    def replaced(self, rows: np.ndarray, other: NeighborLists) -> NeighborLists:
        """Return these lists with the lists of ``rows`` taken from ``other``."""
        new = np.zeros(self.n, dtype=bool)
        new[rows] = True
        mine, theirs = ~new[self.rows], new[other.rows]
        i = np.concatenate([self.rows[mine], other.rows[theirs]])
        j = np.concatenate([self.indices[mine], other.indices[theirs]])
        d = np.concatenate([self.distances[mine], other.distances[theirs]])
        order = np.argsort(i, kind="stable")
        return NeighborLists.of_pairs(self.n, i[order], j[order], d[order])
