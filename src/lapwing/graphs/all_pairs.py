"""Exact neighbors for any metric, from the distances of all pairs in blocks of rows."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..linalg.blocks import row_blocks
from .dense import Pairs
from .ties import TIE


class AllPairs:
    """Find neighbors by computing all distances.

    Parameters
    ----------
    distances : callable
        A function of two integer arrays, rows and columns. It returns the matrix of their
        distances.
    """

    def __init__(self, distances: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.distances = distances

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: the k nearest of each i, and all ties."""
        for some, D in self._blocks(rows, columns):
            at = min(k, D.shape[1]) - 1
            kth = np.partition(D, at, axis=1)[:, at]
            yield _chosen(some, columns, D, kth[:, None] * (1.0 + 4.0 * TIE) >= D)

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: all pairs with distance d ≤ radius."""
        for some, D in self._blocks(rows, columns):
            yield _chosen(some, columns, D, radius >= D)

    def _blocks(self, rows: Any, columns: Any):
        """Blocks of distances with infinity on the diagonal, so that no point lists itself."""
        for block in row_blocks(len(rows), len(columns)):
            D = np.array(self.distances(rows[block], columns), dtype=np.float64)
            D[rows[block][:, None] == columns] = np.inf
            yield rows[block], D


def _chosen(rows: Any, columns: Any, D: np.ndarray, mask: np.ndarray) -> Pairs:
    local, at = np.nonzero(mask & np.isfinite(D))
    return rows[local], columns[at], D[local, at]
