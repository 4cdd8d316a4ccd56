"""Matrices of all pairs of rows, filled tile by tile: products, distances, and functions of them.

A tile stays in the cache while it is turned from a product into a distance into a kernel value;
of a symmetric matrix only the tiles on and above the diagonal are computed, and mirrored, so
that it is symmetric to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from .points import as_pair, common_dtype, dense_rows, largest_entry, row_blocks, squared_norms
from .threads import available_threads, for_each

Transform = Callable[[np.ndarray], np.ndarray]  # may work in place; returns its tile

_TILE = 256  # 256 × 256 doubles: half a megabyte, at home in a second-level cache
_STRIP = 8 * _TILE  # rows of one product: fewer, larger products serve several threads better
_FEW_TILES = 16  # below, a pool of threads costs more than it saves
_CHUNK = 1 << 21  # entries of the coordinates gathered at once for single pairs


def inner_products(X, Z=None, *, transform: Transform | None = None) -> np.ndarray:
    """⟨x_i, z_j⟩ for all pairs, shape (n, m), each tile passed through ``transform``."""
    X, Z = as_pair(X, Z)
    right = X if Z is None else Z

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        _product(X[rows], right[cols], out)

    def finish(G: np.ndarray, rows: slice, cols: slice) -> np.ndarray:
        return G if transform is None else transform(G)

    return _fill(strip, finish, X, Z)


def squared_distances(
    X, Z=None, *, width: float = 1.0, transform: Transform | None = None, refine: bool = False
) -> np.ndarray:
    """‖x_i − z_j‖² / σ² = (‖x_i‖² + ‖z_j‖² − 2⟨x_i, z_j⟩) / σ² for all pairs, shape (n, m).

    Dense rows are centred first: far from the origin the three terms are huge and cancel.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    Z : array or CSR matrix of shape (m, d), optional
        X where it is not given: the result is then exactly symmetric, its diagonal exactly 0.
    width : float, above 0
        σ. It divides before squaring: d²/σ² is of moderate size where d² itself may overflow.
    transform : callable, optional
        Applied to each tile of squared distances; it may work in place.
    refine : bool
        Recompute the pairs that are close for their norms from the differences of their
        coordinates. Needed where the *root* of the distance matters: 1e-16 of cancellation is
        1e-8 of distance.

    Examples
    --------
    >>> squared_distances(np.array([[0.0], [3.0]]))
    array([[0., 9.],
           [9., 0.]])
    """
    X, Z = as_pair(X, Z)
    X, Z, ratio = _in_units(X, Z, width)
    raw, raw_right = X, X if Z is None else Z  # centring rounds; close pairs are refined without
    inner, outer = _split(ratio, common_dtype(X, Z))
    X, Z = _centred(X, Z, inner)
    right, x2 = X if Z is None else Z, squared_norms(X)
    z2 = x2 if Z is None else squared_norms(right)
    close = _closeness(x2, z2) if refine else None
    expand = _sparse_expansion if sp.issparse(X) or sp.issparse(right) else _dense_expansion

    def finish(D: np.ndarray, rows: slice, cols: slice) -> np.ndarray:
        np.maximum(D, 0.0, out=D)
        if close is not None:
            _refine(D, raw[rows], raw_right[cols], close, inner)
        if Z is None and rows == cols:
            np.fill_diagonal(D, 0.0)
        if outer != 1.0:
            _rescale(D, outer)
        return D if transform is None else transform(D)

    return _fill(expand(X, right, x2, z2), finish, X, Z)


def manhattan_distances(X, Z=None, *, transform: Transform | None = None) -> np.ndarray:
    """‖x_i − z_j‖₁ for all pairs, shape (n, m); CSR rows are made dense one tile at a time."""
    X, Z = as_pair(X, Z)
    right = X if Z is None else Z

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        left = dense_rows(X, rows)
        for some in row_blocks(cols.stop, _TILE, cols.start):
            part = slice(some.start - cols.start, some.stop - cols.start)
            out[:, part] = cdist(left, dense_rows(right, some), "cityblock")

    def finish(D: np.ndarray, rows: slice, cols: slice) -> np.ndarray:
        return D if transform is None else transform(D)

    return _fill(strip, finish, X, Z)


def distances_of_pairs(X, i: np.ndarray, j: np.ndarray, Z=None) -> np.ndarray:
    """‖x_i − z_j‖ of single pairs, in float64, from the differences of the coordinates.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    i, j : integer arrays of shape (p,)
    Z : array or CSR matrix of shape (m, d), optional
        X where it is not given.

    Returns
    -------
    array of shape (p,)
        Accurate to rounding whatever the distance, and the same for (i, j) as for (j, i).
    """
    right = X if Z is None else Z
    d = np.empty(len(i))
    for part in _chunks(X, len(i)):
        d[part] = _norms(_difference(X, right, i[part], j[part]))
    return d


def products_of_pairs(X, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """⟨x_i, x_j⟩ of single pairs, shape (p,)."""
    products = np.empty(len(i))
    for part in _chunks(X, len(i)):
        A, B = X[i[part]], X[j[part]]
        entries = A.multiply(B) if sp.issparse(X) else A * B
        products[part] = np.asarray(entries.sum(axis=1)).ravel()
    return products


def _chunks(X, pairs: int) -> Iterator[slice]:
    """Slices of the pairs whose coordinates are gathered at once, a few megabytes each."""
    per_row = X.nnz // max(X.shape[0], 1) if sp.issparse(X) else X.shape[1]
    return row_blocks(pairs, max(_CHUNK // max(per_row, 1), 1))


def _difference(X, Z, i, j):
    if sp.issparse(X) and sp.issparse(Z):
        return X[i].astype(np.float64) - Z[j].astype(np.float64)
    return dense_rows(X, i).astype(np.float64) - dense_rows(Z, j).astype(np.float64)


def _norms(D) -> np.ndarray:
    """‖row‖, with the largest entry taken out before squaring where squares would overflow."""
    scale = largest_entry(D)
    if scale == 0.0 or 1e-140 < scale < 1e140:
        return np.sqrt(squared_norms(D))
    return np.sqrt(squared_norms(D / scale)) * scale


def _product(A, B, out: np.ndarray) -> None:
    if sp.issparse(A) or sp.issparse(B):
        P = A @ B.T
        out[:] = P.toarray() if sp.issparse(P) else P
    else:
        np.matmul(A, B.T, out=out)


def _in_units(X, Z, width: float):
    """X/u, Z/u and u/σ for u the power of two at the largest entry: dividing by it is exact."""
    top = max(largest_entry(X), 0.0 if Z is None else largest_entry(Z))
    unit = 2.0 ** (math.frexp(top)[1] - 1)
    return X / unit, None if Z is None else Z / unit, unit / width


def _split(ratio: float, dtype) -> tuple[float, float]:
    """u/σ as a factor of the coordinates, or of the distances where its square would overflow."""
    limit = 1e15 if dtype == np.float32 else 1e140
    if 1.0 / limit < ratio < limit:
        return ratio, 1.0
    return 1.0, min(ratio, float(np.finfo(dtype).max))


def _rescale(D: np.ndarray, scale: float) -> None:
    """D·scale², where a product beyond the largest number is infinity and zero stays zero."""
    with np.errstate(over="ignore", under="ignore"):
        D *= D.dtype.type(scale)
        D *= D.dtype.type(scale)


def _centred(X, Z, factor: float):
    """factor · (X − mean of X), and Z likewise; CSR rows are not moved: that would fill them."""
    if sp.issparse(X) or sp.issparse(Z) or X.shape[0] == 0:
        return X * factor, None if Z is None else Z * factor
    mean = X.mean(axis=0, dtype=np.float64)

    def moved(A):
        return ((A - mean) * factor).astype(A.dtype, copy=False)

    return moved(X), None if Z is None else moved(Z)


def _dense_expansion(X, Z, x2, z2):
    """‖x‖² − 2⟨x, z⟩ + ‖z‖² as one product, (−2x, ‖x‖², 1) · (z, 1, ‖z‖²): no pass to add norms."""
    one_x, one_z = np.ones((len(x2), 1), X.dtype), np.ones((len(z2), 1), Z.dtype)
    A = np.hstack([-2.0 * X, x2[:, None], one_x])
    B = np.hstack([Z, one_z, z2[:, None]])

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        np.matmul(A[rows], B[cols].T, out=out)

    return strip


def _sparse_expansion(X, Z, x2, z2):
    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        _product(X[rows], Z[cols], out)
        out *= -2.0
        out += x2[rows, None]
        out += z2[cols]

    return strip


def _closeness(x2: np.ndarray, z2: np.ndarray) -> float:
    """The squared distance below which cancellation may cost more than half the digits."""
    eps = np.finfo(np.result_type(x2, z2)).eps
    return float(np.sqrt(eps)) * float(max(x2.max(initial=0.0), z2.max(initial=0.0)))


def _refine(D: np.ndarray, A, B, close: float, factor: float) -> None:
    i, j = np.nonzero(close >= D)
    if len(i):
        D[i, j] = (factor * distances_of_pairs(A, i, j, B)) ** 2


def _fill(strip, finish, X, Z) -> np.ndarray:
    """The matrix of all pairs; with Z None the lower half mirrors the upper.

    ``strip`` writes the products of some rows with all columns to come, long enough for a
    product on several threads to pay; ``finish`` turns them, tile by tile, into values.
    """
    n, m = X.shape[0], (X if Z is None else Z).shape[0]
    K = np.empty((n, m), dtype=common_dtype(X, Z))
    threads = available_threads() if n * m > _FEW_TILES * _TILE**2 else 1
    for band in row_blocks(n, _STRIP):
        first = band.start if Z is None else 0
        strip(band, slice(first, m), K[band, first:])

        def tile(at: tuple[slice, slice]) -> None:
            rows, cols = at
            T = K[rows, cols]
            T[:] = finish(T, rows, cols)
            if Z is None and cols == rows:
                T[:] = np.triu(T) + np.triu(T, 1).T
            elif Z is None:
                K[cols, rows] = T.T

        tiles = [
            (rows, cols)
            for rows in row_blocks(band.stop, _TILE, band.start)
            for cols in row_blocks(m, _TILE, rows.start if Z is None else 0)
        ]
        for_each(tile, tiles, threads if len(tiles) > _FEW_TILES else 1)
    return K
