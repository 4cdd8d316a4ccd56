"""Exact search for neighbours: the k nearest, all within a radius, or everyone.

| points | search |
|---|---|
| dense, any metric | scikit-learn's trees or chunked brute force |
| CSR, euclidean or cosine | blocks of X Xᵀ in a dense buffer of 64 MB |
| CSR, other metrics | scikit-learn's chunked brute force |
| `Distances` | blocks of rows of the matrix |

Candidates found through inner products have lost digits where points are close, so a few more
than k are taken, and their distances computed again from the coordinates, in float64.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import VALID_METRICS, NearestNeighbors

from ..linalg.blocks import cut
from ..linalg.pairwise import distances, distances_of_pairs
from ..linalg.points import as_points, largest_entry, squared_norms, unit_rows
from .base import Distances
from .lists import NeighbourLists

SEARCHES = ("auto", "brute", "kd_tree", "ball_tree")

_BUFFER = 64 * 2**20  # bytes of the dense block
_TIE = 1e-9  # squared distances that agree to nine digits are a tie: either may be chosen
_SPARE = 4  # candidates beyond k, to be ranked again by their exact distances


@dataclass(frozen=True)
class Points:
    """Coordinates, with a metric that ranks them; "cosine" has become euclidean on unit rows.

    Candidates are found with ``ranked``, which is centred, since far from the origin inner
    products cancel; distances are taken from ``X``, since centring rounds.
    """

    X: np.ndarray
    ranked: np.ndarray
    metric: str
    search: str
    unit: float = 1.0  # what X was divided by: a power of two, so that no digit is lost

    @property
    def euclidean(self) -> bool:
        return self.metric == "euclidean"

    @property
    def by_blocks(self) -> bool:
        return self.euclidean and sp.issparse(self.X)


def nearest(X, k: int, metric: str, search: str = "auto") -> NeighbourLists:
    """The k nearest neighbours of each row, nearest first; k is clipped to n − 1."""
    n = X.shape[0]
    k = min(k, n - 1)
    if k < 1:
        return NeighbourLists.of_equal_length(np.empty((n, 0), dtype=np.intp), np.empty((n, 0)))
    if isinstance(X, Distances):
        indices = _smallest(_distance_blocks(X), n, k)
        return _ranked(indices, np.take_along_axis(X.matrix, indices, axis=1), k)
    points = prepare(X, metric, search)
    if not points.euclidean:
        d, indices = _sklearn(points, n_neighbors=k).kneighbors()
        return NeighbourLists.of_equal_length(indices, d)
    more = min(k + _SPARE, n - 1)
    if points.by_blocks:
        indices = _smallest(_squared_blocks(points.ranked), n, more)
    else:
        indices = _sklearn(points, n_neighbors=more).kneighbors(return_distance=False)
    i = np.repeat(np.arange(n), more)
    d = distances_of_pairs(points.X, i, indices.ravel()).reshape(n, more)
    _search_again(points, indices, d, k)
    return _ranked(indices, d * points.unit, k)


def within(X, radius: float, metric: str, search: str = "auto") -> NeighbourLists:
    """All neighbours of each row at a distance of at most ``radius``."""
    n = X.shape[0]
    if isinstance(X, Distances):
        i, j = _below(_distance_blocks(X), radius)
        return NeighbourLists.of_pairs(n, i, j, np.asarray(X.matrix[i, j], dtype=np.float64))
    points = prepare(X, metric, search)
    radius = radius / points.unit
    if points.euclidean:
        i, j = _pairs_within(points, radius)
        d = distances_of_pairs(points.X, i, j)
    else:
        i, j, d = _listed(*_sklearn(points, radius=radius).radius_neighbors())
    inside = d <= radius
    return NeighbourLists.of_pairs(n, i[inside], j[inside], d[inside] * points.unit)


def _pairs_within(points: Points, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that contain all within the radius, and some beyond by the error of a product."""
    top = float(squared_norms(points.ranked).max(initial=0.0))
    # no distance exceeds twice the largest norm, while the square of the radius may overflow
    radius = min(radius, 3.0 * math.sqrt(top))
    limit = radius**2 * (1.0 + 1e-9) + 64.0 * np.finfo(np.float64).eps * top
    if points.by_blocks:
        return _below(_squared_blocks(points.ranked), limit)
    found = _sklearn(points, radius=math.sqrt(limit)).radius_neighbors(return_distance=False)
    i, j, _ = _listed(found, found)
    return i, j


def _listed(d, lists) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(i, j, d_ij) of scikit-learn's lists of unequal length, sorted by i."""
    i = np.repeat(np.arange(len(lists)), [len(row) for row in lists])
    return i, np.concatenate(lists).astype(np.intp), np.concatenate(d)


def everyone(X, metric: str) -> NeighbourLists:
    """All other points of each point, in the order of the rows."""
    n = X.shape[0]
    if isinstance(X, Distances):
        D = np.asarray(X.matrix, dtype=np.float64)
    else:
        points = prepare(X, metric, "auto")
        D = _all_distances(points) * points.unit
    off = ~np.eye(n, dtype=bool)
    indices = np.broadcast_to(np.arange(n), (n, n))[off].reshape(n, -1)
    return NeighbourLists.of_equal_length(indices, D[off].reshape(n, -1))


def _all_distances(points: Points) -> np.ndarray:
    if not points.euclidean:
        return pairwise_distances(points.X, metric=points.metric)
    return distances(points.X)


def prepare(X, metric: str, search: str) -> Points:
    """Points with a metric to rank them by, after all checks and before any search."""
    check_search(search)
    X, unit = as_points(X), 1.0
    metric = "euclidean" if metric == "l2" else metric
    if metric == "cosine":
        X, metric = unit_rows(X.astype(np.float64)), "euclidean"
    elif metric == "euclidean":
        X = X.astype(np.float64)
        # Squares of huge or tiny coordinates would overflow or vanish.
        unit = 2.0 ** (math.frexp(largest_entry(X))[1] - 1)
        X = X / unit
    _check_metric(metric, search)
    if sp.issparse(X) and search not in ("auto", "brute"):
        raise ValueError(
            f'search={search!r} needs dense points, and X is sparse; use search="auto".'
        )
    centre = metric == "euclidean" and not sp.issparse(X) and X.shape[0] > 0
    return Points(X, X - X.mean(axis=0) if centre else X, metric, search, unit)


def check_search(search) -> None:
    if search not in SEARCHES:
        raise ValueError(f"search is {search!r}; expected one of {SEARCHES}.")


def _check_metric(metric, search: str) -> None:
    known = VALID_METRICS["brute" if search == "auto" else search]
    if not isinstance(metric, str) or metric not in known or metric == "precomputed":
        raise ValueError(
            f"metric is {metric!r}, which search={search!r} does not know; expected "
            f'"euclidean", "cosine", "manhattan" or another of scikit-learn\'s metric names. '
            f"Known distances are given as Distances(matrix) in place of X."
        )


def _sklearn(points: Points, **query) -> NearestNeighbors:
    search = NearestNeighbors(metric=points.metric, algorithm=points.search, **query)
    return search.fit(points.ranked)


def _squared_blocks(X) -> Iterator[tuple[slice, np.ndarray]]:
    """‖x_i − x_j‖² of a block of rows i against all j, up to rounding; dense, at most 64 MB."""
    n, x2, XT = X.shape[0], squared_norms(X), X.T.tocsr()
    for rows in cut(slice(n), max(_BUFFER // (X.dtype.itemsize * n), 1)):
        D = (X[rows] @ XT).toarray()
        D *= -2.0
        D += x2
        D += x2[rows, None]
        yield rows, D


def _distance_blocks(X: Distances) -> Iterator[tuple[slice, np.ndarray]]:
    n = X.shape[0]
    for rows in cut(slice(n), max(_BUFFER // (8 * n), 1)):
        yield rows, np.array(X.matrix[rows], dtype=np.float64)


def _smallest(blocks, n: int, k: int) -> np.ndarray:
    """The columns of the k smallest entries of each row off the diagonal, shape (n, k)."""
    indices = np.empty((n, k), dtype=np.intp)
    for rows, D in blocks:
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = np.inf
        indices[rows] = np.argpartition(D, k - 1, axis=1)[:, :k]
    return indices


def _search_again(points: Points, indices: np.ndarray, d: np.ndarray, k: int) -> None:
    """Redo, in place, the rows where rounding may have hidden a neighbour from the candidates.

    An inner product errs by about ε(‖x_i‖² + ‖x_j‖²). No point outside the candidates is nearer
    than the last of them less twice that error; where the k-th lies beyond, all distances of the
    row are computed from the coordinates. It happens for tight groups of points far apart.
    """
    if indices.shape[1] == len(indices) - 1:
        return  # everyone is a candidate
    x2 = squared_norms(points.ranked)
    error = 16.0 * np.finfo(np.float64).eps * (x2 + x2.max())
    kth, last = np.partition(d, k - 1, axis=1)[:, k - 1] ** 2, d.max(axis=1) ** 2
    doubtful = (kth > 0.0) & (error > _TIE * kth) & (last - kth < 2.0 * error)
    everyone = np.arange(len(indices))
    for i in np.flatnonzero(doubtful):
        row = distances_of_pairs(points.X, np.full(len(indices), i), everyone)
        row[i] = np.inf
        indices[i] = np.argpartition(row, indices.shape[1] - 1)[: indices.shape[1]]
        d[i] = row[indices[i]]


def _below(blocks, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """The pairs off the diagonal with an entry of at most ``limit``, sorted by row."""
    pairs = []
    for rows, D in blocks:
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = np.inf
        i, j = np.nonzero(limit >= D)
        pairs.append(np.stack([i + rows.start, j]))
    i, j = np.concatenate(pairs, axis=1) if pairs else np.empty((2, 0), dtype=np.intp)
    return i, j


def _ranked(indices: np.ndarray, d: np.ndarray, k: int) -> NeighbourLists:
    """The k nearest candidates of each row, nearest first."""
    order = np.argsort(d, axis=1, kind="stable")[:, :k]
    return NeighbourLists.of_equal_length(
        np.take_along_axis(indices, order, axis=1),
        np.take_along_axis(d, order, axis=1).astype(np.float64),
    )
