"""Matrices of all pairs of rows, filled tile by tile: products, distances, and functions of them.

A tile stays in the cache while it is turned from a product into a distance into a kernel value;
of a symmetric matrix only the tiles on and above the diagonal are computed, and mirrored, so
that it is symmetric to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from .points import as_pair, common_dtype, dense_rows, largest_entry, row_blocks, squared_norms

Transform = Callable[[np.ndarray], np.ndarray]  # may work in place; returns its tile

_TILE = 256  # 256 × 256 doubles: half a megabyte, at home in a second-level cache
_SPARSE_TILE = 1024  # a sparse product has more to set up
_CHUNK = 1 << 21  # entries of the coordinates gathered at once for single pairs


def inner_products(X, Z=None, *, transform: Transform | None = None) -> np.ndarray:
    """⟨x_i, z_j⟩ for all pairs, shape (n, m), each tile passed through ``transform``."""
    X, Z = as_pair(X, Z)
    right = X if Z is None else Z

    def tile(rows: slice, cols: slice) -> np.ndarray:
        product = _product(X[rows], right[cols])
        return product if transform is None else transform(product)

    return _fill(tile, X, Z)


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
    X, Z, scale = _comfortable(X, Z, width)
    raw, raw_right = X, X if Z is None else Z  # centring rounds; close pairs are refined without
    X, Z = _centred(X, Z)
    right, x2 = X if Z is None else Z, squared_norms(X)
    z2 = x2 if Z is None else squared_norms(right)
    close = _closeness(x2, z2) if refine else None
    expand = _sparse_expansion if sp.issparse(X) or sp.issparse(right) else _dense_expansion
    expanded = expand(X, right, x2, z2)

    def tile(rows: slice, cols: slice) -> np.ndarray:
        D = expanded(rows, cols)
        np.maximum(D, 0.0, out=D)
        if close is not None:
            _refine(D, raw[rows], raw_right[cols], close)
        if Z is None and rows == cols:
            np.fill_diagonal(D, 0.0)
        if scale != 1.0:
            _rescale(D, scale)
        return D if transform is None else transform(D)

    return _fill(tile, X, Z)


def manhattan_distances(X, Z=None, *, transform: Transform | None = None) -> np.ndarray:
    """‖x_i − z_j‖₁ for all pairs, shape (n, m); CSR rows are made dense one tile at a time."""
    X, Z = as_pair(X, Z)
    right, dtype = X if Z is None else Z, common_dtype(X, Z)

    def tile(rows: slice, cols: slice) -> np.ndarray:
        D = cdist(dense_rows(X, rows), dense_rows(right, cols), "cityblock").astype(
            dtype, copy=False
        )
        return D if transform is None else transform(D)

    return _fill(tile, X, Z, step=_TILE)


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


def _product(A, B) -> np.ndarray:
    P = A @ B.T
    return P.toarray() if sp.issparse(P) else np.asarray(P)


def _comfortable(X, Z, width: float):
    """X/w, Z/w and s = 1 for w = σ; w = max |X_ij| and s = w/σ where squares would overflow."""
    top = max(largest_entry(X), 0.0 if Z is None else largest_entry(Z))
    dtype = common_dtype(X, Z)
    limit = 1e15 if dtype == np.float32 else 1e140
    if top == 0.0 or width / limit < top < limit * width:
        scale = 1.0
    else:
        with np.errstate(over="ignore"):
            scale, width = min(np.float64(top) / width, float(np.finfo(dtype).max)), top
    if width == 1.0:
        return X, Z, scale
    return X / width, None if Z is None else Z / width, scale


def _rescale(D: np.ndarray, scale: float) -> None:
    """D·scale², where a product beyond the largest number is infinity and zero stays zero."""
    with np.errstate(over="ignore", under="ignore"):
        D *= D.dtype.type(scale)
        D *= D.dtype.type(scale)


def _centred(X, Z):
    """Both moved by the mean of X; CSR rows stay, since centring would fill them."""
    if sp.issparse(X) or sp.issparse(Z) or X.shape[0] == 0:
        return X, Z
    mean = X.mean(axis=0, dtype=np.float64)
    return (X - mean).astype(X.dtype, copy=False), (
        None if Z is None else (Z - mean).astype(Z.dtype, copy=False)
    )


def _dense_expansion(X, Z, x2, z2):
    """‖x‖² − 2⟨x, z⟩ + ‖z‖² as one product, (−2x, ‖x‖², 1) · (z, 1, ‖z‖²): no pass to add norms."""
    one_x, one_z = np.ones((len(x2), 1), X.dtype), np.ones((len(z2), 1), Z.dtype)
    A = np.hstack([-2.0 * X, x2[:, None], one_x])
    B = np.hstack([Z, one_z, z2[:, None]])
    return lambda rows, cols: A[rows] @ B[cols].T


def _sparse_expansion(X, Z, x2, z2):
    def tile(rows: slice, cols: slice) -> np.ndarray:
        D = _product(X[rows], Z[cols])
        D *= -2.0
        D += x2[rows, None]
        D += z2[cols]
        return D

    return tile


def _closeness(x2: np.ndarray, z2: np.ndarray) -> float:
    """The squared distance below which cancellation may cost more than half the digits."""
    eps = np.finfo(np.result_type(x2, z2)).eps
    return float(np.sqrt(eps)) * float(max(x2.max(initial=0.0), z2.max(initial=0.0)))


def _refine(D: np.ndarray, A, B, close: float) -> None:
    i, j = np.nonzero(close >= D)
    if len(i):
        D[i, j] = distances_of_pairs(A, i, j, B) ** 2


def _fill(tile, X, Z, step: int | None = None) -> np.ndarray:
    """The matrix of all tiles; with Z None the lower half mirrors the upper."""
    if step is None:
        step = _SPARSE_TILE if sp.issparse(X) or sp.issparse(Z) else _TILE
    n, m = X.shape[0], (X if Z is None else Z).shape[0]
    K = np.empty((n, m), dtype=common_dtype(X, Z))
    for rows in row_blocks(n, step):
        for cols in row_blocks(m, step):
            if Z is not None:
                K[rows, cols] = tile(rows, cols)
            elif cols.start > rows.start:
                K[rows, cols] = T = tile(rows, cols)
                K[cols, rows] = T.T
            elif cols == rows:
                T = tile(rows, cols)
                K[rows, cols] = np.triu(T) + np.triu(T, 1).T
    return K
