"""Approximate neighbors for hundreds of thousands of points, by Faiss's inverted lists.

Optional: ``pip install lapwing-learn[neighbors]``. Points are put into about 4√n cells by
k-means; only the cells nearest to a point are searched. Their number is doubled until the recall
is good on a sample of rows that is searched exactly; a warning gives the recall where it stays
low. Rows that occur many times are joined with their duplicates instead (``duplicates.py``).
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

_GOOD, _POOR = 0.95, 0.9  # recall at which no more cells are searched, and below which it is said
_MOST_LEFT_OUT = 64  # columns that are searched and passed over rather than indexed anew


def is_installed() -> bool:
    """Whether Faiss can be imported; it is not imported here."""
    return importlib.util.find_spec("faiss") is not None


class ApproximateSearch:
    """The nearest of euclidean dense points, nearly all of them, in much less than n² time.

    Parameters
    ----------
    points : Points
    random_state : int, RandomState or None
        Seeds the k-means and the sample.
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
        """(i, j, d): for blocks of rows, most of the k nearest; distances in float64.

        Rows with many copies are joined with these; of each kind the first is searched for, and
        has the k nearest of other kinds beside its copies.
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
        """The index at hand where it lacks no column and has few too many; else a new one."""
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
        """(i, j, d) with d ≤ radius: exact."""
        return self.exact.within(rows, columns, radius)

    def _tune(self, index, Z: MatrixLike, rows: Any, columns: Any, k: int) -> None:
        """Search more cells until the recall on a sample of rows is good enough."""
        # of 256 rows, the standard error of the recall is below 0.01
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
            # beyond the 64th part of the cells, products of all pairs are as fast
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
        """The share of found neighbors no farther than the true k-th."""
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
    """X less its mean in float32, a block of rows at a time."""
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
