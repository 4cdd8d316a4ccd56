"""Exact neighbors of CSR points by blocks of sparse products.

‖x_i − x_j‖² = ‖x_i‖² + ‖x_j‖² − 2⟨x_i, x_j⟩, where most products are 0 and are never looked at:
of the pairs that share no column only those of the smallest norms can be near.
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
    """Candidates for the nearest of euclidean CSR points, and all within a radius."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self.norms = squared_norms(points.X)

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """(i, j, d): for blocks of rows, all that may be among the k nearest or tie with them."""
        z2 = self.norms[columns]
        by_norm = np.argsort(z2, kind="stable")
        smallest = z2[by_norm[: k + 1]]

        def block(some: np.ndarray) -> Pairs:
            P, values = self._values(some, right, z2)
            # a product that is not stored is 0; one of the k + 1 of smallest norm may be the row
            limit = np.array([_kth(part, smallest, k + 1) for part in _rows_of(values, P.indptr)])
            return self._pairs(some, P, values, limit, columns, by_norm)

        right = sp.csr_array(self.points.X[columns].T)
        yield from _in_threads(block, self._blocks(rows, columns))

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """(i, j, d) with d ≤ radius, for blocks of rows."""
        z2 = self.norms[columns]
        by_norm = np.argsort(z2, kind="stable")
        # no distance exceeds twice the largest norm, while the square of the radius may overflow
        radius = min(radius, 3.0 * float(np.sqrt(self.norms.max(initial=0.0))))
        right = sp.csr_array(self.points.X[columns].T)
        for some in self._blocks(rows, columns):
            P, values = self._values(some, right, z2)
            limit = radius**2 - self.norms[some]
            i, j, d = self._pairs(some, P, values, limit, columns, by_norm)
            inside = d <= radius
            yield i[inside], j[inside], d[inside]

    def _blocks(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        for block in row_blocks(len(rows), len(columns)):  # were the products full
            yield rows[block]

    def _values(self, some, right, z2) -> tuple[sp.csr_array, np.ndarray]:
        """The products of some rows with all, and ‖z_j‖² − 2⟨x_i, z_j⟩ of those stored."""
        P = sp.csr_array(self.points.X[some] @ right)
        return P, z2[P.indices] - 2.0 * P.data

    def _pairs(self, some, P, values: Any, limit, columns: Any, by_norm) -> Pairs:
        """Pairs whose squared distance less ‖x_i‖² is at most the limit, up to rounding."""
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
        """(local row, column) with a product that is not stored and a norm within the limit."""
        counts = np.searchsorted(self.norms[columns][by_norm], limit, side="right")
        rows, found = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
        for r in np.flatnonzero(counts):
            stored = P.indices[P.indptr[r] : P.indptr[r + 1]]
            apart = np.setdiff1d(by_norm[: counts[r]], stored, assume_unique=True)
            rows.append(np.full(len(apart), r))
            found.append(apart)
        return np.concatenate(rows), np.concatenate(found)


def _in_threads(function: Any, items) -> Iterator:
    """function(item) in order; sparse products run outside the interpreter lock."""
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
    """An upper bound of the k-th smallest value of a row, of which only some are stored.

    The k columns of smallest norm have at most that norm where their product is not stored (it
    is 0), and else at most the largest value stored.
    """
    top = smallest[min(k, len(smallest)) - 1]
    if len(values) < k:
        return float(max(top, values.max(initial=-np.inf)))
    stored = np.partition(values, k - 1)[k - 1]
    return float(stored if stored <= top else min(stored, max(top, values.max())))
