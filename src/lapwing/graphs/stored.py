"""Neighbors from a sparse matrix of distances, such as scikit-learn's neighbor graphs."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from .dense import Pairs


class StoredSearch:
    """Pairs that are not stored are not neighbors. A stored 0 is a distance of 0.

    Parameters
    ----------
    D : csr_array of shape (n, n)
    """

    def __init__(self, D: sp.csr_array) -> None:
        self.D = D

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) of all stored pairs."""
        n = self.D.shape[0]
        i = np.repeat(np.arange(n), np.diff(self.D.indptr))
        j, d = self.D.indices, np.asarray(self.D.data, dtype=np.float64)
        asked, allowed = np.zeros((2, n), dtype=bool)
        asked[rows], allowed[columns] = True, True
        keep = (i != j) & asked[i] & allowed[j]
        yield i[keep], j[keep], d[keep]

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) of all stored pairs with d ≤ radius."""
        for i, j, d in self.nearest(rows, columns, 0):
            inside = d <= radius
            yield i[inside], j[inside], d[inside]
