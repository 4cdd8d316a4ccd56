"""Exact neighbors of dense rows by blocks of products, in float32 if that is enough.

‖x_i − z_j‖² − ‖x_i‖² = ‖z_j‖² − 2⟨x_i, z_j⟩ is computed for a block of rows i and all j. Its error
has a rigorous bound. With this bound, every j that may be among the k nearest of i, or tie with the
k-th, is a candidate. The distance of each candidate is computed again from the coordinates in
float64. The result is therefore exact. Rows with too many candidates in float32 are computed again
in float64. scikit-learn's ``NearestNeighbors(algorithm="brute")`` took 1.3 to 3.2 times as long in
our measurements, and does not guarantee the same ties.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..linalg.blocks import BUFFER_BYTES, batches, row_blocks
from ..linalg.pairwise import distances_of_pairs
from ..linalg.points import squared_norms
from .points import Points
from .ties import TIE

Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]


class DenseSearch:
    """Find candidates for the nearest euclidean neighbors, and all pairs within a radius."""

    def __init__(self, points: Points) -> None:
        self.points = points

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: all j that may be the k nearest or tie."""
        single, double = self._in("f4", columns), None
        enough = 4 * k + 64
        for block in batches(len(rows), single.rows_at_once):
            some = rows[block]
            local, j, counts = single.below_kth(some, k)
            crowded = counts > enough
            if crowded.any():
                double = double or self._in("f8", columns)
                good = ~crowded[local]
                local, j = local[good], j[good]
                again = np.flatnonzero(crowded)
                for part in batches(len(again), double.rows_at_once):
                    more, at, _ = double.below_kth(some[again[part]], k)
                    yield self._with_distances(some[again[part]][more], columns[at])
            yield self._with_distances(some[local], columns[j])

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: all pairs with distance d ≤ radius."""
        products = self._in("f8", columns)
        # no distance exceeds twice the largest norm; the square of the radius itself may overflow
        radius = min(radius, 3.0 * float(np.sqrt(products.norms.max(initial=0.0))))
        for block in batches(len(rows), products.rows_at_once):
            local, j = products.below(rows[block], radius**2)
            i, j, d = self._with_distances(rows[block][local], columns[j])
            inside = d <= radius
            yield i[inside], j[inside], d[inside]

    def _in(self, dtype: str, columns: np.ndarray) -> _Products:
        return _Products(self.points.X, columns, np.dtype(dtype))

    def _with_distances(self, i: np.ndarray, j: np.ndarray) -> Pairs:
        other = i != j
        i, j = i[other], j[other]
        return i, j, distances_of_pairs(self.points.X, i, j)


class _Products:
    """A lower bound of ‖z_j‖² − 2⟨x_i, z_j⟩ for blocks of rows: the computed value minus its error.

    Rows are centered, because inner products of rows far from the origin cancel. Columns are sorted
    by norm. The error of a product grows with the norm, and one far point must not affect the
    others.
    """

    def __init__(self, X: np.ndarray, columns: np.ndarray, dtype: np.dtype) -> None:
        n, d = X.shape
        # |fl(z² − 2xz) − (z² − 2xz)| ≤ γ(x² + 2z²), the rounding to dtype included
        self.gamma = (d + 8) * 0.5 * float(np.finfo(dtype).eps)
        self.left, self.norms = np.ones((n, d + 1), dtype), np.empty(n)
        mean = X.mean(axis=0)
        for rows in row_blocks(n, d):
            centered = X[rows] - mean
            self.left[rows, :d], self.norms[rows] = centered, squared_norms(centered)
        z2 = self.norms[columns]
        self.order = np.argsort(z2, kind="stable")
        z2 = z2[self.order]
        self.ordinary = int(np.searchsorted(z2, 8.0 * np.median(z2), side="right"))
        self.slack = 4.0 * self.gamma * float(z2[max(self.ordinary - 1, 0)])
        self.right = np.empty((d + 1, len(columns)), dtype)
        self.right[:d] = self.left[columns[self.order], :d].T
        self.right[:d] *= -2.0
        self.right[d] = z2 * (1.0 - 2.0 * self.gamma)
        # a block of products should fit into the cache
        self.rows_at_once = max(BUFFER_BYTES // 4 // (dtype.itemsize * max(len(columns), 1)), 16)
        shape = min(self.rows_at_once, n), len(columns)
        self._D, self._mask = np.empty(shape, dtype), np.empty(shape, dtype=bool)

    def below_kth(self, rows: np.ndarray, k: int):
        """(local row, column, count per row) of all pairs that may be nearer than the k-th, or tie.

        Each point may be its own nearest. The k-th other point is then among the first k + 1.
        """
        D = self._product(rows)
        within = max(self.ordinary, min(k + 1, D.shape[1]))
        limit = _upper_kth(D[:, :within], k + 1).astype(np.float64)
        slack = self.slack if within == self.ordinary else 4.0 * self.gamma * self.norms.max()
        return self._select(D, rows, limit + slack)

    def below(self, rows: np.ndarray, squared: float):
        """(local row, column) of all pairs that may lie within a squared distance."""
        D = self._product(rows)
        return self._select(D, rows, squared - self.norms[rows])[:2]

    def _product(self, rows: np.ndarray) -> np.ndarray:
        """The product is written into the same memory each time. New memory would take as long."""
        return np.matmul(self.left[rows], self.right, out=self._D[: len(rows)])

    def _select(self, D: np.ndarray, rows: np.ndarray, limit: np.ndarray):
        x2 = self.norms[rows]
        tie = 4.0 * TIE * np.maximum(limit + x2, 0.0)
        limit = limit + tie + 2.5 * self.gamma * x2
        top = np.nextafter(limit.astype(D.dtype), D.dtype.type(np.inf))
        mask = np.less_equal(D, top[:, None], out=self._mask[: len(rows)])
        flat = np.flatnonzero(mask.ravel())
        local, at = np.divmod(flat, D.shape[1])
        return local, self.order[at], np.bincount(local, minlength=len(rows))


def _upper_kth(D: np.ndarray, k: int) -> np.ndarray:
    """An upper bound of the k-th smallest value of each row, nearly always the value itself.

    The columns are divided into groups, and each group has a minimum. At least k columns are at
    most as large as the k-th smallest of these minima. Minima are several times faster than
    partitioning a row.
    """
    n = D.shape[1]
    k = min(k, n)
    groups = min(32, n // (8 * k))
    if groups > 1:
        width = n // groups
        D = D[:, : groups * width].reshape(len(D), groups, width).min(axis=1)
    return np.partition(D, k - 1, axis=1)[:, k - 1]
