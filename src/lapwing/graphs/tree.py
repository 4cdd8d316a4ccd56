"""Exact neighbors in few dimensions by scikit-learn's trees."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from ..linalg.blocks import row_blocks
from ..linalg.pairwise import distances_of_pairs
from .dense import Pairs
from .points import Points
from .ties import TIE

SPARE = 4  # candidates beyond k; they show whether the k-th has ties


class TreeSearch:
    """Search with a kd-tree or a ball tree. Rows with more ties are searched with all pairs.

    Parameters
    ----------
    points : Points
    algorithm : {"kd_tree", "ball_tree"}
    all_pairs : DenseSearch or AllPairs
    """

    def __init__(self, points: Points, algorithm: str, all_pairs: Any) -> None:
        self.points = points
        self.algorithm = algorithm
        self.all_pairs = all_pairs

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: the k nearest of each i, and all ties."""
        X, m = self.points.X, min(k + 1 + SPARE, len(columns))
        tree = NearestNeighbors(
            n_neighbors=m, metric=self.points.metric, algorithm=self.algorithm
        ).fit(X[columns])
        for block in row_blocks(len(rows), m + X.shape[1]):
            some = rows[block]
            D, at = tree.kneighbors(X[some])
            # the point itself may be among them: the k-th other point is at most at position k
            kth = D[:, min(k, m - 1)]
            crowded = (D[:, -1] <= kth * (1.0 + 4.0 * TIE)) & (m < len(columns))
            fine = ~crowded
            yield self._pairs(np.repeat(some[fine], m), columns[at[fine].ravel()], D[fine].ravel())
            if crowded.any():
                yield from self.all_pairs.nearest(some[crowded], columns, k)

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: all pairs with distance d ≤ radius."""
        return self.all_pairs.within(rows, columns, radius)

    def _pairs(self, i, j, d) -> Pairs:
        other = i != j
        i, j, d = i[other], j[other], d[other]
        return i, j, distances_of_pairs(self.points.X, i, j) if self.points.euclidean else d
