"""Where the points stand on the map: two coordinates each, within [−1, 1]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse, triu
from sklearn.decomposition import PCA, TruncatedSVD

from ..estimators import RegularizedLaplacianEigenmaps
from ..exceptions import unsaid
from ..graphs import KNN, axes_of
from ..types import MatrixLike
from .reading import numbers
from .rows import Rows

ROUNDS = 150
"""Passes over the edges of the neighbor map."""

PUSHES = 5
"""Random points that each end of an edge is pushed away from, in each pass (as UMAP does)."""

LAYOUTS = ("neighbors", "eigenmaps", "axes")


def layout(X: MatrixLike, kind: str, columns: np.ndarray | None = None) -> np.ndarray:
    """Coordinates of all points.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    kind : {"neighbors", "eigenmaps", "axes", "columns"}
        "neighbors": neighbors of the graph side by side, others apart, starting from the principal
        axes. "eigenmaps": :class:`lapwing.RegularizedLaplacianEigenmaps`, each coordinate by its
        ranks, since a few far groups would squeeze all others. "axes": the two principal axes.
        "columns": the two columns given, each on a scale of its own, gaps at the edge.
    columns : array of shape (n, 2), optional

    Returns
    -------
    float32 array of shape (n, 2)

    Examples
    --------
    >>> layout(np.random.default_rng(0).normal(size=(30, 4)), "axes").shape
    (30, 2)
    """
    if kind == "columns":
        if columns is None:
            raise ValueError("The layout 'columns' needs two numeric columns.")
        return on_axes(np.asarray(columns, dtype=float))
    if kind not in LAYOUTS:
        raise ValueError(f"layout is {kind!r}; expected one of {', '.join(LAYOUTS)}, columns.")
    if X.shape[0] < 5 or X.shape[1] < 2:
        kind = "axes"
    ways: dict[str, Callable[[Any], np.ndarray]] = {
        "neighbors": neighbor_map, "eigenmaps": eigenmaps, "axes": axes,
    }  # fmt: skip
    return fitted_in(ways[kind](X))


class Maps:
    """Where the points of some rows stand, computed once for each layout.

    Parameters
    ----------
    rows : Rows
    """

    def __init__(self, rows: Rows):
        self.rows = rows
        self._known: dict[tuple, np.ndarray] = {}

    def places(self, kind: str, columns: tuple[str, str] | None = None) -> np.ndarray:
        """Coordinates of all points, (n_points, 2)."""
        key = (kind, columns)
        if key not in self._known:
            values = None if columns is None else numbers(self.rows, columns)
            self._known[key] = layout(self.rows.X, kind, values)
        return self._known[key]


def axes(X: MatrixLike) -> np.ndarray:
    """The two principal axes; of a sparse matrix, the two leading singular directions."""
    if min(X.shape) < 3:
        Z = np.zeros((X.shape[0], 2))
        columns = X.toarray() if issparse(X) else np.asarray(X, dtype=float)
        Z[:, : min(2, X.shape[1])] = columns[:, :2]
        return Z
    way = TruncatedSVD if issparse(X) else PCA
    return way(2, random_state=0).fit_transform(X)


def eigenmaps(X: MatrixLike) -> np.ndarray:
    """Regularized Laplacian eigenmaps, each coordinate by its ranks."""
    with unsaid():
        Z = RegularizedLaplacianEigenmaps(n_components=2, random_state=0).fit_transform(X)
    return np.argsort(np.argsort(Z, axis=0, kind="stable"), axis=0, kind="stable").astype(float)


def neighbor_map(X: MatrixLike, rounds: int = ROUNDS, seed: int = 0) -> np.ndarray:
    """Neighbors attract each other and random points repel, as in UMAP, all edges at a time.

    The pull along an edge of length d is 2d/(1 + d²), the push between two points apart by d is
    2d/((0.01 + d²)(1 + d²)): the gradients of UMAP's cross-entropy with a = b = 1.

    References
    ----------
    McInnes, Healy, Melville 2018, *UMAP: Uniform Manifold Approximation and Projection*.
    """
    with unsaid():
        rule = KNN(10, weight="binary", components=axes_of(X))
        W = triu(csr_matrix(rule.build(X).W), k=1).tocoo()
    heads, tails, n = W.row, W.col, X.shape[0]
    rng = np.random.default_rng(seed)
    Z = axes(X)
    Z = 10.0 * Z / max(np.abs(Z).max(), 1e-12) + rng.normal(scale=1e-4, size=Z.shape)
    for step in range(rounds):
        rate = 1.0 - step / rounds
        _move(Z, heads, tails, -rate, _pull)
        for _ in range(PUSHES):
            _move(Z, heads, rng.integers(n, size=len(heads)), rate / 2, _push)
            _move(Z, tails, rng.integers(n, size=len(tails)), rate / 2, _push)
    return Z


def _pull(square: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + square)


def _push(square: np.ndarray) -> np.ndarray:
    return 1.0 / ((0.01 + square) * (1.0 + square))


def _move(Z: np.ndarray, here: np.ndarray, there: np.ndarray, rate: float, force) -> None:
    """Move both ends of all pairs, each point by the mean over its own pairs of this pass."""
    apart = Z[here] - Z[there]
    step = np.clip(force((apart**2).sum(axis=1))[:, None] * apart, -4.0, 4.0)
    ends = np.concatenate([here, there])
    times = np.maximum(np.bincount(ends, minlength=len(Z)), 1)
    for axis in range(2):
        both = np.concatenate([step[:, axis], -step[:, axis]])
        Z[:, axis] += rate * np.bincount(ends, both, minlength=len(Z)) / times


def fitted_in(Z: np.ndarray) -> np.ndarray:
    """Moved and scaled, the same on both axes, into [−1, 1]; outliers beyond are drawn in."""
    Z = np.asarray(Z, dtype=float)
    center, half = _middle(Z)
    return _drawn_in(0.94 * (Z - center) / max(half.max(), 1e-12))


def on_axes(columns: np.ndarray) -> np.ndarray:
    """Two columns, each on a scale of its own, in [−1, 1]; rows with a gap stand at the edge.

    Examples
    --------
    >>> places = on_axes(np.array([[0.0, 100.0], [1.0, 300.0], [np.nan, 200.0]]))
    >>> places.astype(float).round(2).tolist()
    [[-0.94, -0.94], [0.94, 0.94], [-1.0, 0.0]]
    """
    places = np.full(columns.shape, -1.0, dtype=np.float32)
    for j, column in enumerate(columns.T):
        known = np.isfinite(column)
        if known.any():
            center, half = _middle(column[known])
            places[known, j] = _drawn_in(0.94 * (column[known] - center) / max(half, 1e-12))
    return places


def _middle(Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The middle and half the width of all values but outliers, by axis.

    An outlier is more than 0.3 of half the width beyond the middle 99 %.
    """
    low, high = np.quantile(Z, [0.005, 0.995], axis=0)
    center, reach = (low + high) / 2, 1.3 * (high - low) / 2
    low = np.maximum(Z.min(axis=0), center - reach)
    high = np.minimum(Z.max(axis=0), center + reach)
    return (low + high) / 2, (high - low) / 2


def _drawn_in(Z: np.ndarray) -> np.ndarray:
    """Values beyond ±0.94 are drawn in, to ±1 at most."""
    far = np.sign(Z) * (0.94 + 0.06 * np.tanh(np.abs(Z) - 0.94))
    return np.where(np.abs(Z) > 0.94, far, Z).astype(np.float32)
