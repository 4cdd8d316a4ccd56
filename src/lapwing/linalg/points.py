"""Matrices whose rows are points: dense or CSR, float32 or float64."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp


def as_points(X, name: str = "X"):
    """X as a 2-D float array or CSR matrix; float32 is kept, all else becomes float64.

    Examples
    --------
    >>> as_points([[1, 2], [3, 4]]).dtype
    dtype('float64')
    """
    X = X.tocsr() if sp.issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(
            f"{name} has {X.ndim} dimension(s), expected a matrix with one point per row; "
            f"reshape a single feature with X.reshape(-1, 1)."
        )
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def as_pair(X, Z=None):
    """(X, Z) as points with the same number of columns; Z stays None where it is not given."""
    X = as_points(X)
    if Z is None:
        return X, None
    Z = as_points(Z, "Z")
    if X.shape[1] != Z.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} columns and Z has {Z.shape[1]}; a kernel or a distance compares "
            f"points with the same columns."
        )
    return X, Z


def common_dtype(X, Z=None) -> np.dtype:
    """float32 where every given matrix is, else float64."""
    return np.dtype(X.dtype if Z is None else np.result_type(X.dtype, Z.dtype))


def row_blocks(n: int, step: int, start: int = 0) -> Iterator[slice]:
    """Slices of at most ``step`` rows that cover start … n−1 in order.

    Examples
    --------
    >>> list(row_blocks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for first in range(start, n, step):
        yield slice(first, min(first + step, n))


def dense_rows(X, rows=slice(None)) -> np.ndarray:
    """The given rows of X as a dense array."""
    part = X[rows]
    return part.toarray() if sp.issparse(part) else part


def squared_norms(X) -> np.ndarray:
    """‖x_i‖², shape (n,), in the dtype of X."""
    if sp.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def largest_entry(X) -> float:
    """max |X_ij|, 0 for an empty matrix."""
    values = X.data if sp.issparse(X) else X
    return float(max(values.max(), -values.min())) if values.size else 0.0


def unit_rows(X):
    """x_i / ‖x_i‖, where a row of zeros stays a row of zeros.

    Rows are divided by their largest entry first: squares of huge or tiny entries would
    overflow or vanish.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    X = as_points(X)
    if X.shape[1] == 0:
        return X
    peak = abs(X).max(axis=1)
    peak = peak.toarray().ravel() if sp.issparse(peak) else np.asarray(peak)
    return _divide_rows(_divide_rows(X, peak), None)


def _divide_rows(X, by: np.ndarray | None):
    """Rows divided by the given numbers, or by their norms; nothing is divided by zero."""
    by = np.sqrt(squared_norms(X)) if by is None else by
    by = np.where(by > 0, by, 1.0).astype(X.dtype)
    if sp.issparse(X):
        divided = X.copy()
        divided.data = X.data / np.repeat(by, np.diff(X.indptr))
        return divided
    return X / by[:, None]
