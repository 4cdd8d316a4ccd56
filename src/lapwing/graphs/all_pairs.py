"""Exact neighbors by blocks of rows of all distances, whatever the metric."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..linalg.blocks import row_blocks
from .dense import Pairs
from .ties import TIE


class AllPairs:
    """Candidates from the distances themselves.

    Parameters
    ----------
    distances : callable
        (rows, columns), two integer arrays, to the matrix of their distances.
    """

    def __init__(self, distances: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.distances = distances

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """(i, j, d): for blocks of rows, the k nearest and all that tie with the k-th."""
        for some, D in self._blocks(rows, columns):
            at = min(k, D.shape[1]) - 1
            kth = np.partition(D, at, axis=1)[:, at]
            yield _chosen(some, columns, D, kth[:, None] * (1.0 + 4.0 * TIE) >= D)

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """(i, j, d) with d ≤ radius, for blocks of rows."""
        for some, D in self._blocks(rows, columns):
            yield _chosen(some, columns, D, radius >= D)

    def _blocks(self, rows: Any, columns: Any):
        """With infinity on the diagonal: whatever it holds, no point lists itself."""
        for block in row_blocks(len(rows), len(columns)):
            D = np.array(self.distances(rows[block], columns), dtype=np.float64)
            D[rows[block][:, None] == columns] = np.inf
            yield rows[block], D


def _chosen(rows: Any, columns: Any, D: np.ndarray, mask: np.ndarray) -> Pairs:
    local, at = np.nonzero(mask & np.isfinite(D))
    return rows[local], columns[at], D[local, at]
