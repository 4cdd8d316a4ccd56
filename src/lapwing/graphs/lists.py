"""Who is near whom, before any weight: directed lists of neighbours with their distances."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class NeighbourLists:
    """The neighbours of each point, itself excluded: row i is indptr[i] … indptr[i + 1].

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
    def of_equal_length(cls, indices: np.ndarray, distances: np.ndarray) -> NeighbourLists:
        """From two arrays of shape (n, k)."""
        n, k = indices.shape
        return cls(np.arange(n + 1) * k, indices.ravel(), distances.ravel())

    @classmethod
    def of_pairs(cls, n: int, i: np.ndarray, j: np.ndarray, d: np.ndarray) -> NeighbourLists:
        """From pairs sorted by i."""
        return cls(np.concatenate([[0], np.cumsum(np.bincount(i, minlength=n))]), j, d)

    @property
    def n(self) -> int:
        return len(self.indptr) - 1

    @property
    def rows(self) -> np.ndarray:
        """The point each entry belongs to, shape (p,)."""
        return np.repeat(np.arange(self.n), np.diff(self.indptr))

    def reach(self) -> np.ndarray:
        """h_i, the distance to the last neighbour in the list of i, shape (n,); 0 without any."""
        h = np.zeros(self.n)
        np.maximum.at(h, self.rows, self.distances)
        return h
