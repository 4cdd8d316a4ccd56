"""Approximate neighbors for hundreds of thousands of points, by Faiss's inverted lists.

Faiss is optional: ``pip install lapwing-learn[neighbors]``. k-means puts the points into about 4√n
cells. A search looks only at the cells nearest to a point. A sample of rows is also searched
exactly, and the number of cells is doubled until the recall on this sample is good. A warning gives
the recall if it stays low. Rows that occur many times are joined with their copies
(``duplicates.py``).
"""

import importlib.util
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..exceptions import ApproximationWarning, warn
from ..linalg.blocks import row_blocks
from ..linalg.pairwise import distances_of_pairs
from ..linalg.threads import available_threads
from ..types import MatrixLike, RandomState
from .dense import DenseSearch, Pairs
from .duplicates import Duplicates
from .points import Points
from .tree import SPARE

_GOOD, _POOR = 0.95, 0.9  # recall that is good enough, and recall below which a warning is given
_MOST_LEFT_OUT = 64  # unwanted columns that an existing index may contain


def is_installed() -> bool:
    """Whether Faiss is installed. This does not import it."""
    return importlib.util.find_spec("faiss") is not None


class ApproximateSearch:
    """Find nearly all nearest neighbors of dense points in much less than n² time.

    Parameters
    ----------
    points : Points
    random_state : int, RandomState or None
        The seed of k-means and of the sample.
    """

    def __init__(self, points: Points, random_state: RandomState = 0) -> None:
        if not is_installed():
            raise ImportError(
                'search="approximate" needs Faiss: pip install "lapwing-learn[neighbors]", or use '
                'search="exact".'
            )
        self.points = points
        self.exact = DenseSearch(points)
        self.random = check_random_state(random_state)
        self._built: tuple | None = None

    def nearest(self, rows: np.ndarray, columns: np.ndarray, k: int) -> Iterator[Pairs]:
        """Yield arrays (i, j, d) per block of rows: most of the k nearest, with float64 distances.

        Rows with more than k copies are joined with their copies. Only the first row of such a
        group is searched. It has the k nearest rows of other groups in addition to its copies.
        """
        many = self.copies.size.max(initial=0) > k + 1
        if many:
            yield from self._among_copies(rows, columns, k)
            alone = self.copies.alone(k)
            rows, columns = rows[alone[rows]], columns[alone[columns]]
            if not (len(rows) and len(columns)):
                return
        index, Z, indexed = self._index_over(rows, columns, k)
        left_out = len(indexed) - len(columns)
        m = min(k + 1 + SPARE + min(left_out, _MOST_LEFT_OUT), len(indexed))
        wanted = np.zeros(self.points.n, dtype=bool)
        wanted[columns] = True
        for block in row_blocks(len(rows), m):
            _, at = index.search(Z[rows[block]], m)
            i, at = np.repeat(rows[block], m), at.ravel()
            i, j = i[at >= 0], indexed[at[at >= 0]]
            found = wanted[j] & (i != j)
            i, j = i[found], j[found]
            yield self._pairs(i, self.copies.another(i, j, k) if many else j)

    @cached_property
    def copies(self) -> Duplicates:
        return Duplicates(self.points.X)

    def _among_copies(self, rows: Any, columns: Any, k: int) -> Iterator[Pairs]:
        asked, wanted = np.zeros((2, self.points.n), dtype=bool)
        asked[rows], wanted[columns] = True, True
        for i, j in self.copies.joined(k):
            both = asked[i] & wanted[j]
            yield i[both], j[both], np.zeros(int(both.sum()))

    def _index_over(self, rows: Any, columns: Any, k: int):
        """Reuse the index if it holds all columns and few others. Otherwise build a new one."""
        if self._built:
            indexed = self._built[2]
            inside = np.isin(columns, indexed, assume_unique=True).all()
            if inside and len(indexed) - len(columns) <= _MOST_LEFT_OUT:
                return self._built
        Z = _centered(self.points.X)
        index = _inverted_lists(Z[columns], int(self.random.randint(2**31 - 1)))
        self._tune(index, Z, rows, columns, k)
        self._built = (index, Z, columns)
        return self._built

    def within(self, rows: np.ndarray, columns: np.ndarray, radius: float) -> Iterator[Pairs]:
        """Yield arrays (i, j, d): all pairs with d ≤ radius, found exactly."""
        return self.exact.within(rows, columns, radius)

    def _tune(self, index, Z: MatrixLike, rows: Any, columns: Any, k: int) -> None:
        """Search more cells until the recall on a sample of rows is good enough."""
        # with 256 rows the standard error of the recall is below 0.01
        sample = np.sort(self.random.choice(rows, min(256, len(rows)), replace=False))
        kth = np.zeros(self.points.n)
        for i, _, d in self.exact.nearest(sample, columns, k):
            if not len(i):  # none of these rows has a neighbor at a finite distance
                continue
            order = np.lexsort((d, i))
            i, d = i[order], d[order]
            starts = np.flatnonzero(np.r_[True, i[1:] != i[:-1]])
            kth[i[starts]] = d[np.minimum(starts + k, np.r_[starts[1:], len(i)]) - 1]
        while True:
            recall = self._recall(index, Z, sample, columns, k, kth)
            # with more than 1/64 of the cells, products of all pairs are as fast
            if recall >= _GOOD or index.nprobe * 64 >= index.nlist:
                break
            index.nprobe *= 2
        if recall < _POOR:
            warn(
                f"The approximate search finds {recall:.0%} of the {k} nearest neighbors (on "
                f"{len(sample)} of {self.points.n} points): data without clusters or of high "
                f'dimension is hard to index. Reduce the dimension (PCA), or use search="exact".',
                ApproximationWarning,
            )

    def _recall(self, index, Z: MatrixLike, sample, columns: Any, k: int, kth: np.ndarray) -> float:
        """The share of found neighbors that are at most as far as the true k-th neighbor."""
        _, at = index.search(Z[sample], min(k + 1 + SPARE, len(columns)))
        i, at = np.repeat(sample, at.shape[1]), at.ravel()
        i, _, d = self._pairs(i[at >= 0], columns[at[at >= 0]])
        near = np.bincount(i[d <= kth[i] * (1.0 + 1e-9)], minlength=self.points.n)[sample]
        return float(np.minimum(near, k).mean() / min(k, len(columns) - 1))

    def _pairs(self, i, j) -> Pairs:
        other = i != j
        i, j = i[other], j[other]
        return i, j, distances_of_pairs(self.points.X, i, j)


def _centered(X: np.ndarray) -> np.ndarray:
    """X minus its mean in float32, computed in blocks of rows."""
    Z, mean = np.empty(X.shape, dtype=np.float32), X.mean(axis=0)
    for rows in row_blocks(*X.shape):
        Z[rows] = X[rows] - mean
    return Z


def _inverted_lists(Z: np.ndarray, seed: int):
    """Faiss's IVF index over the rows of Z, trained on at most 40 rows per cell."""
    import faiss  # optional, and slow to import

    faiss.omp_set_num_threads(available_threads())
    cells = int(min(4.0 * np.sqrt(len(Z)), max(len(Z) / 40, 1)))
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(Z.shape[1]), Z.shape[1], cells)
    index.cp.seed = seed
    index.cp.max_points_per_centroid = 40
    index.cp.niter = 8
    index.cp.min_points_per_centroid = 1
    index.train(Z)
    index.add(Z)
    index.nprobe = min(4, cells)
    return index
