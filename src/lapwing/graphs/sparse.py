"""Exact neighbors of CSR rows by blocks of sparse products.

‖x_i − x_j‖² = ‖x_i‖² + ‖x_j‖² − 2⟨x_i, x_j⟩. Most products are 0 and are not stored. Two rows that
share no column can only be near if their norms are among the smallest.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.blocks import row_blocks
from ..linalg.pairwise import distances_of_pairs
from ..linalg.points import squared_norms
from ..linalg.threads import available_threads
from .points import Points
from .ties import TIE

Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]


class SparseSearch:
    """Find candidates for the nearest neighbors of CSR rows, and all pairs within a radius."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self.norms = squared_norms(points.X)

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: all j that may be the k nearest or tie."""
        z2 = self.norms[columns]
        by_norm = np.argsort(z2, kind="stable")
        smallest = z2[by_norm[: k + 1]]

        def block(some: np.ndarray) -> Pairs:
            P, values = self._values(some, right, z2)
            # a product that is not stored is 0; the row itself may be among the k + 1 smallest
            limit = np.array([_kth(part, smallest, k + 1) for part in _rows_of(values, P.indptr)])
            return self._pairs(some, P, values, limit, columns, by_norm)

        right = sp.csr_array(self.points.X[columns].T)
        yield from _in_threads(block, self._blocks(rows, columns))

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: all pairs with distance d ≤ radius."""
        z2 = self.norms[columns]
        by_norm = np.argsort(z2, kind="stable")
        # no distance exceeds twice the largest norm; the square of the radius itself may overflow
        radius = min(radius, 3.0 * float(np.sqrt(self.norms.max(initial=0.0))))
        right = sp.csr_array(self.points.X[columns].T)
        for some in self._blocks(rows, columns):
            P, values = self._values(some, right, z2)
            limit = radius**2 - self.norms[some]
            i, j, d = self._pairs(some, P, values, limit, columns, by_norm)
            inside = d <= radius
            yield i[inside], j[inside], d[inside]

    def _blocks(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        for block in row_blocks(len(rows), len(columns)):  # sizes as if all products were stored
            yield rows[block]

    def _values(self, some, right, z2) -> tuple[sp.csr_array, np.ndarray]:
        """The products of some rows with all rows, and ‖z_j‖² − 2⟨x_i, z_j⟩ where stored."""
        P = sp.csr_array(self.points.X[some] @ right)
        return P, z2[P.indices] - 2.0 * P.data

    def _pairs(self, some, P, values: Any, limit, columns: Any, by_norm) -> Pairs:
        """All pairs with ‖x_i − z_j‖² − ‖x_i‖² at most the limit, up to rounding."""
        x2 = self.norms[some]
        error = 32.0 * np.finfo(np.float64).eps * (x2 + self.norms[columns].max(initial=0.0))
        limit = limit + error + 4.0 * TIE * np.maximum(limit + x2, 0.0)
        row = np.repeat(np.arange(len(some)), np.diff(P.indptr))
        near = np.flatnonzero(values <= limit[row])
        i, j = some[row[near]], columns[P.indices[near]]
        d = distances_of_pairs(self.points.X, i, j)
        apart = self._sharing_nothing(P, limit, columns, by_norm)
        if len(apart[0]):
            far_i, far_j = some[apart[0]], columns[apart[1]]
            d = np.r_[d, np.sqrt(self.norms[far_i] + self.norms[far_j])]
            i, j = np.r_[i, far_i], np.r_[j, far_j]
        other = i != j
        return i[other], j[other], d[other]

    def _sharing_nothing(self, P, limit, columns: Any, by_norm):
        """(local row, column) of pairs without a stored product with a norm below the limit."""
        counts = np.searchsorted(self.norms[columns][by_norm], limit, side="right")
        rows, found = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
        for r in np.flatnonzero(counts):
            stored = P.indices[P.indptr[r] : P.indptr[r + 1]]
            apart = np.setdiff1d(by_norm[: counts[r]], stored, assume_unique=True)
            rows.append(np.full(len(apart), r))
            found.append(apart)
        return np.concatenate(rows), np.concatenate(found)


def _in_threads(function: Any, items) -> Iterator:
    """Yield function(item) in order, from threads. Sparse products release the interpreter lock."""
    threads = available_threads()
    if threads == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(function, items)


def _rows_of(values: np.ndarray, indptr: np.ndarray) -> Iterator[np.ndarray]:
    for first, last in pairwise(indptr):
        yield values[first:last]


def _kth(values: np.ndarray, smallest: np.ndarray, k: int) -> float:
    """An upper bound of the k-th smallest value of a row. Only some values are stored.

    Take the k columns of smallest norm. A product that is not stored is 0, and the value is then
    the squared norm. A stored value is at most the largest stored value.
    """
    top = smallest[min(k, len(smallest)) - 1]
    if len(values) < k:
        return float(max(top, values.max(initial=-np.inf)))
    stored = np.partition(values, k - 1)[k - 1]
    return float(stored if stored <= top else min(stored, max(top, values.max())))
