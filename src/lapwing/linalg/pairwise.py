"""Inner products, distances and functions of them, for all pairs of rows or for single pairs.

A distance depends on its two points only, up to rounding, and not on the other rows. The expansion
‖x‖² + ‖z‖² − 2⟨x, z⟩ takes one product of matrices. Its error is ε(‖x − c‖² + ‖z − c‖²) for points
measured from a center c. The pairs for which this is too much are computed again from the
differences of their coordinates (decision 0050).
"""

import math
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from .blocks import CACHED, batches
from .points import (
    as_pair,
    center,
    dense_rows,
    divided_rows,
    largest_entries,
    largest_entry,
    minus,
    sample,
    scaled,
    squared_norms,
)
from .tiles import TILE, Finish, Strip, fill

Transform = Callable[[np.ndarray], np.ndarray]  # tile ↦ tile, possibly in place

_LOST = 1e-3  # the error of a distance in widths is at most ε/(2·_LOST), 500 roundings of 1


def as_it_is(tile: np.ndarray) -> np.ndarray:
    """No transform."""
    return tile


def inner_products(X, Z=None, *, transform: Transform = as_it_is) -> np.ndarray:
    """⟨x_i, z_j⟩ for all pairs, (n, m). Each tile passes through ``transform``."""
    X, Z = as_pair(X, Z)

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        _product(X[rows], Z[cols], out)

    return _all_pairs(strip, lambda G, rows, cols: transform(G), X, Z)


def squared_distances(
    X, Z=None, *, width: float = 1.0, far: float = math.inf, transform: Transform = as_it_is
) -> np.ndarray:
    """‖x_i − z_j‖² / σ² for all pairs, (n, m).

    The error of its root is at most 500 ε. For equal points it is exactly 0.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    Z : array or CSR matrix of shape (m, d), optional
        The default is X. The result is then exactly symmetric, and its diagonal exactly 0.
    width : float, above 0
        σ, the unit of the error. Points are divided by it before squaring: d²/σ² is of moderate
        size where d² may overflow.
    far : float
        The distance, in widths, beyond which errors do not matter because the transform is 0.
    transform : callable, optional
        Applied to each tile of squared distances; it may work in place.

    Examples
    --------
    >>> squared_distances(np.array([[0.0], [3.0]]))
    array([[0., 9.],
           [9., 0.]])
    """
    X, Z = as_pair(X, Z)
    c = center(Z)
    if sp.issparse(X):
        c = np.where(center(X), c, 0.0)  # shifting other columns would fill a sparse matrix
    A = scaled(X, c, width)
    B = A if Z is X else scaled(Z, c, width)
    x2, z2 = squared_norms(A), squared_norms(B)
    expand = _sparse_expansion if sp.issparse(A) or sp.issparse(B) else _dense_expansion

    def finish(D: np.ndarray, rows: slice, cols: slice) -> np.ndarray:
        own = Z is X and rows == cols
        if own:
            np.fill_diagonal(D, 0.0)
        if not D.min() >= _doubtful(x2[rows].max() + z2[cols].max(), far):
            doubt = _doubtful(x2[rows, None] + z2[cols], far) > D
            if own:
                np.fill_diagonal(doubt, False)
            _refine(D, doubt, X[rows], Z[cols], width)
        return transform(D)

    return _all_pairs(expand(A, B, x2, z2), finish, X, Z)


def distances(X, Z=None) -> np.ndarray:
    """‖x_i − z_j‖ for all pairs, (n, m), with an error of at most 500 ε of the spread of Z.

    Examples
    --------
    >>> distances(np.array([[0.0], [3.0]]))
    array([[0., 3.],
           [3., 0.]])
    """
    unit = _spread(as_pair(X, Z)[1])

    def root(D: np.ndarray) -> np.ndarray:
        np.sqrt(D, out=D)
        return np.multiply(D, unit, out=D)

    with np.errstate(over="ignore"):
        return squared_distances(X, Z, width=unit, transform=root)


def manhattan_distances(X, Z=None, *, transform: Transform = as_it_is) -> np.ndarray:
    """‖x_i − z_j‖₁ for all pairs, (n, m). CSR rows become dense one tile at a time."""
    X, Z = as_pair(X, Z)

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        left = dense_rows(X, rows)
        for some in batches(cols.stop, TILE, cols.start):
            part = slice(some.start - cols.start, some.stop - cols.start)
            out[:, part] = cdist(left, dense_rows(Z, some), "cityblock")

    return _all_pairs(strip, lambda D, rows, cols: transform(D), X, Z)


def tanimoto_similarities(X, Z=None) -> np.ndarray:
    """⟨x, z⟩ / (‖x‖² + ‖z‖² − ⟨x, z⟩) for all pairs, (n, m); 0 where x or z is 0.

    For rows of 0 and 1 it is the number of common ones divided by that of all ones (Jaccard).

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    Z : array or CSR matrix of shape (m, d), optional

    Examples
    --------
    >>> tanimoto_similarities(np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])).round(3)
    array([[1.   , 0.333],
           [0.333, 1.   ]])
    """
    S, (X, Z) = inner_products(X, Z), as_pair(X, Z)
    rest = squared_norms(X)[:, None] + squared_norms(Z) - S
    np.divide(S, rest, out=S, where=rest > 0)
    return S


def tanimoto_distances(X, Z=None) -> np.ndarray:
    """1 minus the similarity, (n, m): a metric on rows of 0 and 1."""
    return np.maximum(1.0 - tanimoto_similarities(X, Z), 0.0)


def distances_of_pairs(X, i: np.ndarray, j: np.ndarray, Z=None) -> np.ndarray:
    """‖x_i − z_j‖ of single pairs, in float64, from the differences of the coordinates.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    i, j : integer arrays of shape (p,)
    Z : array or CSR matrix of shape (m, d), optional
        The default is X.

    Returns
    -------
    array of shape (p,)
        Accurate to rounding for any distance, and the same for (i, j) as for (j, i).
    """
    X, Z = as_pair(X, Z)
    d = np.empty(len(i))
    for part in _chunks(X, len(i)):
        d[part] = _norms(_difference(X, Z, i[part], j[part]))
    return d


def products_of_pairs(X, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """⟨x_i, x_j⟩ of single pairs, (p,)."""
    products = np.empty(len(i))
    for part in _chunks(X, len(i)):
        A, B = X[i[part]], X[j[part]]
        entries = A.multiply(B) if sp.issparse(X) else A * B
        products[part] = np.asarray(entries.sum(axis=1)).ravel()
    return products


def _all_pairs(strip: Strip, finish: Finish, X, Z) -> np.ndarray:
    dtype = np.result_type(X.dtype, Z.dtype)
    return fill(strip, finish, X.shape[0], Z.shape[0], dtype, symmetric=Z is X)


def _product(A, B, out: np.ndarray) -> None:
    if sp.issparse(A) or sp.issparse(B):
        P = A @ B.T
        out[:] = P.toarray() if sp.issparse(P) else P
    else:
        np.matmul(A, B.T, out=out)


def _dense_expansion(X, Z, x2, z2) -> Strip:
    """‖x‖² − 2⟨x, z⟩ + ‖z‖² as one product, (−2x, ‖x‖², 1) · (z, 1, ‖z‖²).

    This saves the passes that would add the norms.
    """
    one_x, one_z = np.ones((len(x2), 1), X.dtype), np.ones((len(z2), 1), Z.dtype)
    A = np.hstack([-2.0 * X, x2[:, None], one_x])
    B = np.hstack([Z, one_z, z2[:, None]])

    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        np.matmul(A[rows], B[cols].T, out=out)

    return strip


def _sparse_expansion(X, Z, x2, z2) -> Strip:
    def strip(rows: slice, cols: slice, out: np.ndarray) -> None:
        _product(X[rows], Z[cols], out)
        out *= -2.0
        out += x2[rows, None]
        out += z2[cols]

    return strip


def _doubtful(s, far: float):
    """The squared distance below which the expansion is not trusted, for s = ‖x‖² + ‖z‖².

    The error of D = r² is εs, and that of r is εs/2r. This exceeds ε/(2·_LOST) where r < _LOST·s.
    Below √ε s half of the digits of D are lost. The bound √ε s also covers rounding at ``far``.
    """
    with np.errstate(over="ignore"):
        return np.sqrt(np.finfo(s.dtype).eps) * s + np.minimum((_LOST * s) ** 2, far**2)


def _refine(D: np.ndarray, doubt: np.ndarray, X, Z, width: float) -> None:
    """Compute the doubtful entries of a tile again; as one block where they are many."""
    i, j = np.nonzero(doubt)
    rows, cols = np.flatnonzero(doubt.any(axis=1)), np.flatnonzero(doubt.any(axis=0))
    with np.errstate(over="ignore", under="ignore"):  # an overflow is infinity
        if (
            len(rows) * len(cols) < 8 * len(i)  # a single pair costs as much as 8 of a block
            and (len(rows) + len(cols)) * X.shape[1] <= 16 * CACHED
        ):
            unit = 2.0 ** math.frexp(width)[1]  # dividing by it is exact
            A, B = dense_rows(X, rows) / unit, dense_rows(Z, cols) / unit
            if max(largest_entry(A), largest_entry(B)) < 1e140:  # squares do not overflow
                D[np.ix_(rows, cols)] = cdist(A, B, "sqeuclidean") * (unit / width) ** 2
                return
        if len(i):
            D[i, j] = (distances_of_pairs(X, i, j, Z) / width) ** 2


def _chunks(X, pairs: int) -> list[slice]:
    """Slices of pairs whose coordinates are gathered together, a few megabytes at most."""
    if sp.issparse(X):
        return batches(pairs, max(16 * CACHED * X.shape[0] // max(X.nnz, 1), 1))
    # two sets of dense rows that fit the cache of a core need no new memory pages
    return batches(pairs, max(CACHED // 2 // max(X.shape[1], 1), 64))


def _difference(X, Z, i, j):
    if sp.issparse(X) and sp.issparse(Z):
        return X[i].astype(np.float64) - Z[j].astype(np.float64)
    if len(i) and (i == i[0]).all():  # all pairs share one row, which is not repeated
        i = i[:1]
    return np.subtract(dense_rows(X, i), dense_rows(Z, j), dtype=np.float64)


def _norms(D) -> np.ndarray:
    """‖row‖ of each row, divided by its largest entry before squaring where squares overflow."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        d = np.sqrt(squared_norms(D))
        extreme = np.flatnonzero(~((d > 1e-140) & (d < 1e140)))
        if len(extreme) and D.shape[1]:
            peak = largest_entries(D[extreme])
            d[extreme] = np.sqrt(squared_norms(divided_rows(D[extreme], peak))) * peak
    return d


def _spread(X) -> float:
    """The power of two below the median distance of a sample of the rows from their center."""
    some, c = sample(X), center(X)
    with np.errstate(over="ignore"):
        typical = np.median(_norms(minus(some, c))) if some.shape[0] else 0.0
        top = float(typical) or largest_entry(minus(X, c))
    return 2.0 ** (math.frexp(top)[1] - 1) if top else 1.0
