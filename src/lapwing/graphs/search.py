"""Find neighbors: the k nearest rows, all rows within a radius, or all rows.

| points | search | file |
|---|---|---|
| dense, at most 15 columns, euclidean, above 2000 rows | kd-tree | ``tree.py`` |
| dense, euclidean, other | blocks of float32 products, ranked again in float64 | ``dense.py`` |
| dense, euclidean, 4 columns or more, above 50,000 rows, Faiss | approximate | ``approximate.py`` |
| CSR, euclidean, few columns that many rows share | as dense points, exactly | ``dense.py`` |
| CSR, euclidean, other | blocks of sparse products | ``sparse.py`` |
| any other metric | blocks of scikit-learn's distances | ``all_pairs.py`` |
| `Distances` | blocks of rows of the matrix, or the stored pairs of a sparse one | ``stored.py`` |

A search yields candidates: pairs (i, j) with their distance d. They contain the k nearest and all
ties with the k-th. ``ties.py`` chooses among them. "cosine" is euclidean on rows of norm 1.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import TransformerMixin, clone
from sklearn.metrics import pairwise_distances

from ..linalg.memory import available_bytes
from ..linalg.pairwise import distances, tanimoto_distances
from ..types import MatrixLike, RandomState
from .all_pairs import AllPairs
from .approximate import ApproximateSearch, is_installed
from .base import Distances, has_coordinates
from .dense import DenseSearch
from .lists import NeighborLists
from .points import TANIMOTO, TREES, Points, prepare
from .sparse import SparseSearch
from .stored import StoredSearch
from .ties import content_ranks, nearest_of
from .tree import TreeSearch

SEARCHES = ("auto", "exact", "approximate", "brute", *TREES)

_APPROXIMATE_FROM = 50_000  # rows; an exact search of fewer rows takes seconds
_TREE_FROM, _TREE_COLUMNS = 2_000, 15  # with more than 15 columns trees are slower than products


class Neighbors:
    """A search over given points. It also holds the data for ties and hubs.

    Parameters
    ----------
    X : array, CSR matrix or Distances, on n points
    metric, search, random_state
        As in :class:`lapwing.graphs.KNN`.
    """

    def __init__(
        self,
        X: MatrixLike,
        metric: str = "euclidean",
        search: Any = "auto",
        k: int = 1,
        random_state: RandomState = 0,
    ) -> None:
        check_search(search)
        self.n, self.unit, self.rounding = X.shape[0], 1.0, 0.0
        self.symmetric = False
        placed = np.ones(self.n, dtype=bool)
        if not isinstance(search, str):
            X = _transformed(search, X, k)
        if not has_coordinates(X):
            self.search = _of_distances(X)
            self.ranks = cache(lambda: content_ranks(X.matrix, columns=False))
        else:
            points = prepare(X, metric, search)
            self.unit, self.rounding, placed = points.unit, points.rounding, points.placed
            self.search = _of_points(points, search, random_state)
            self.symmetric = points.euclidean  # d_ij = d_ji to the last bit
            self.ranks = cache(lambda: content_ranks(X))
        self.placed = np.flatnonzero(placed)

    def nearest(self, k: int, most: int, rows: Any = None, columns: Any = None) -> NeighborLists:
        """The k nearest ``columns`` of each of ``rows``, with their ties, at most ``most``.

        The lists of all other rows, and of rows that can have no neighbors, are empty.
        """
        rows = self.placed if rows is None else np.intersect1d(rows, self.placed)
        columns = self.placed if columns is None else np.intersect1d(columns, self.placed)
        parts = []
        if len(rows) and len(columns):
            for i, j, d in self.search.nearest(rows, columns, k):
                parts.append(nearest_of(i, j, d, k, most, self.ranks, self.rounding))
        return self._lists(parts)

    def within(self, radius: float) -> NeighborLists:
        """All neighbors with a distance of at most ``radius``."""
        if not len(self.placed):
            return self._lists([])
        found = self.search.within(self.placed, self.placed, radius / self.unit)
        return self._lists([(_narrow(i), _narrow(j), d) for i, j, d in found])

    def count_within(self, radius: float) -> int:
        """An estimate of the number of pairs within ``radius``, from a few evenly spaced rows."""
        if not len(self.placed):
            return 0
        rows = self.placed[:: max(len(self.placed) // 500, 1)]
        found = self.search.within(rows, self.placed, radius / self.unit)
        return sum(len(i) for i, _, _ in found) * len(self.placed) // len(rows)

    def _lists(self, parts) -> NeighborLists:
        i, j, d = (
            (np.concatenate(columns) for columns in zip(*parts, strict=True))
            if parts
            else (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))
        )
        if (i[1:] < i[:-1]).any():
            order = np.argsort(i, kind="stable")
            i, j, d = i[order], j[order], d[order]
        return NeighborLists.of_pairs(self.n, i, _narrow(j), d * self.unit)


def nearest(
    X: MatrixLike, k: int, metric: str = "euclidean", search: Any = "auto", most: int | None = None
) -> NeighborLists:
    """The k nearest neighbors of each row, nearest first. k is at most n − 1.

    Parameters
    ----------
    X : array, CSR matrix or Distances, on n points
    most : int, optional
        The largest length of a list. Ties with the k-th neighbor are kept up to this length. None
        is 2k. With most = k, the values of the rows decide which ties are kept.
    """
    k = min(k, X.shape[0] - 1)
    if k < 1:
        return NeighborLists.empty(X.shape[0])
    return Neighbors(X, metric, search, k).nearest(k, most or 2 * k)


def all_pairs(X: MatrixLike, metric: str) -> NeighborLists:
    """Lists of all other points for each point, in the order of the rows."""
    n = X.shape[0]
    placed = np.ones(n, dtype=bool)
    if not has_coordinates(X):
        if sp.issparse(X.matrix):
            raise ValueError(
                "A complete graph needs all distances, and the given matrix is sparse: it stores "
                "some; use KNN(), Radius(), or a dense matrix."
            )
        D = np.asarray(X.matrix, dtype=np.float64)
    else:
        points = prepare(X, metric)
        D, placed = _all_distances(points), points.placed
        D *= points.unit
    joined = placed[:, None] & placed
    np.fill_diagonal(joined, False)
    indptr = np.concatenate([[0], np.cumsum(joined.sum(axis=1))])
    indices = np.broadcast_to(np.arange(n, dtype=np.int32), (n, n))[joined]
    return NeighborLists(indptr, indices, D[joined])


def check_search(search: Any) -> None:
    """Raise an error unless ``search`` is a known name or a transformer."""
    if isinstance(search, str) and search in SEARCHES:
        return
    if isinstance(search, str) or not isinstance(search, TransformerMixin):
        raise ValueError(
            f"search is {search!r}; expected one of {SEARCHES}, or a transformer that returns a "
            f"sparse matrix of distances, such as KNeighborsTransformer()."
        )


def _of_points(points: Points, search: str, random_state: RandomState):
    if not points.euclidean:
        X, metric = points.X, points.metric
        pairs = AllPairs(lambda rows, columns: _distances(X[rows], X[columns], metric))
        return TreeSearch(points, search, pairs) if search in TREES else pairs
    if sp.issparse(points.X):
        if search == "approximate":
            raise ValueError(
                'search="approximate" needs dense points, and X is sparse; use search="auto", '
                "or reduce the dimension first (TruncatedSVD)."
            )
        return DenseSearch(_dense(points)) if _pays_dense(points.X) else SparseSearch(points)
    n, d = points.X.shape
    many = search == "auto" and n > _APPROXIMATE_FROM and is_installed()
    columns = 3 if many else _TREE_COLUMNS  # an approximate search is as fast with more columns
    if search in TREES or (search in ("auto", "exact") and n > _TREE_FROM and d <= columns):
        return TreeSearch(points, search if search in TREES else "kd_tree", DenseSearch(points))
    if search == "approximate" or many:
        return ApproximateSearch(points, random_state)
    return DenseSearch(points)


def _pays_dense(X: sp.csr_array) -> bool:
    """Whether products of dense rows take less time than products of sparse rows.

    Two rows share s columns on average. If s ≥ 1, nearly every product is stored. A sparse product
    of a pair of rows then takes about 16 + s nanoseconds. A dense product takes 0.02 nanoseconds
    per column. (Measured at 4,000 rows with 60 to 20,000 columns and 0.1 to 100 % of the entries
    stored.)
    """
    n, d = X.shape
    shared = float(((np.bincount(X.indices, minlength=d) / max(n, 1)) ** 2).sum())
    return shared >= 1.0 and d <= 50.0 * (16.0 + shared) and 32.0 * n * d <= available_bytes()


def _dense(points: Points) -> Points:
    X: Any = points.X
    return replace(points, X=X.toarray())


def _of_distances(X: Distances):
    D = X.matrix
    if sp.issparse(D):
        return StoredSearch(D)
    return AllPairs(lambda rows, columns: D[np.ix_(rows, columns)])


def _transformed(search: Any, X: MatrixLike, k: int) -> Distances:
    """The distances that a neighbors transformer finds. At least k per row, if it can."""
    if not has_coordinates(X):
        raise ValueError("search is a transformer, which needs points, and distances were given.")
    search = clone(search)
    if "n_neighbors" in search.get_params():
        asked = search.get_params()["n_neighbors"]
        search.set_params(n_neighbors=min(max(asked, k + 1), X.shape[0] - 1))
    return checked_distances(search.fit_transform(X))


def checked_distances(D: MatrixLike) -> Distances:
    """Distances(D), if D is a square matrix of non-negative numbers. Otherwise an error."""
    shape = np.shape(D)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"Distances must be a square matrix, one row per point; got {shape}.")
    if sp.issparse(D):
        D = sp.csr_array(D)
        values = D.data
    else:
        D = values = np.asarray(D)
    if values.size and not values.min() >= 0:
        raise ValueError("Distances must be non-negative numbers.")
    return Distances(D)


def _distances(X: MatrixLike, Z: MatrixLike, metric: str) -> np.ndarray:
    """The distances of all pairs for a metric that is not euclidean."""
    if metric == TANIMOTO:
        return tanimoto_distances(X, Z)
    return pairwise_distances(X, Z, metric)


def _all_distances(points: Points) -> np.ndarray:
    if not points.euclidean:
        D = _distances(points.X, points.X, points.metric)
        return np.maximum(D, D.T)  # makes d_ij = d_ji to the last bit
    return distances(points.X)


def _narrow(index: np.ndarray) -> np.ndarray:
    """Row numbers as 32-bit integers, which take half the memory. n is below 2³¹."""
    return index.astype(np.int32, copy=False)
