"""Matrices whose rows are points: dense or CSR, float32 or float64."""

import math

import numpy as np
import scipy.sparse as sp
from sklearn.utils.extmath import row_norms


def as_points(X, name: str = "X"):
    """X as a 2-D float array or CSR matrix; float32 is kept, other types become float64.

    Examples
    --------
    >>> as_points([[1, 2], [3, 4]]).dtype
    dtype('float64')
    """
    X = canonical(X.tocsr()) if sp.issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(
            f"{name} has {X.ndim} dimension(s), expected a matrix with one point per row; "
            f"reshape a single feature with X.reshape(-1, 1)."
        )
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def canonical(X):
    """A CSR matrix with sorted, unique indices; a copy where the user's matrix has others."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()  # scipy's maximum or abs would otherwise sort the user's matrix
    return X


def as_pair(X, Z=None):
    """(X, Z) as points with the same number of columns. The default of Z is X itself."""
    given, X = Z, as_points(X)
    # a given Z is never X itself: values must not depend on whether both are one object
    Z = X if given is None else as_points(given, "Z")[:]
    if X.shape[1] != Z.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} columns and Z has {Z.shape[1]}; a kernel or a distance compares "
            f"points with the same columns."
        )
    return X, Z


def dense_rows(X, rows=slice(None)) -> np.ndarray:
    """The given rows of X as a dense array."""
    part = X[rows]
    return part.toarray() if sp.issparse(part) else part


def squared_norms(X) -> np.ndarray:
    """‖x_i‖², shape (n,), in the dtype of X."""
    return row_norms(X, squared=True)


def largest_entry(X) -> float:
    """max |X_ij|, 0 for an empty matrix."""
    values = X.data if sp.issparse(X) else X
    return float(max(values.max(), -values.min())) if values.size else 0.0


def unit_rows(X):
    """x_i / ‖x_i‖. A row of zeros stays a row of zeros.

    Rows are first divided by their largest entry. Squares of huge or tiny entries would otherwise
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
    U = divided_rows(X, largest_entries(X))
    return divided_rows(U, np.sqrt(squared_norms(U)))


def largest_entries(X) -> np.ndarray:
    """max_j |X_ij| of each row, (n,). X has at least one column."""
    peak = abs(X).max(axis=1)
    return peak.toarray().ravel() if sp.issparse(peak) else np.asarray(peak)


def divided_rows(X, by: np.ndarray):
    """The rows of X divided by the numbers ``by``, (n,); a zero leaves its row unchanged."""
    by = np.where(by > 0, by, 1.0).astype(X.dtype)
    if not sp.issparse(X):
        return X / by[:, None]
    divided = X.copy()
    divided.data = X.data / np.repeat(by, np.diff(X.indptr))
    return divided


def sample(X):
    """64 to 127 rows, evenly spaced; all rows where there are fewer."""
    return X[:: max(1, X.shape[0] // 64)]


def center(X) -> np.ndarray:
    """The medians of the columns over a sample of the rows, (d,): outliers hardly move them.

    In a CSR matrix, a column that is mostly empty has the median 0.

    Examples
    --------
    >>> center(np.array([[1.0, 5.0], [2.0, 5.0], [1e9, 5.0]]))
    array([2., 5.])
    """
    some = sample(X)
    if some.shape[0] == 0:
        return np.zeros(X.shape[1], dtype=X.dtype)
    middle = some.shape[0] // 2  # one of the values: the mean of two would round or overflow
    if not sp.issparse(X):
        return np.partition(some, middle, axis=0)[middle]
    c = np.zeros(X.shape[1], dtype=X.dtype)
    stored = np.bincount(some.indices, minlength=X.shape[1])
    full = np.flatnonzero(2 * stored >= some.shape[0])
    c[full] = np.partition(some[:, full].toarray(), middle, axis=0)[middle]
    return c


def minus(X, c: np.ndarray):
    """X − c, row by row, as a copy. A CSR matrix is filled only in columns where c is not 0."""
    if not sp.issparse(X):
        return X - c
    return X - sp.csr_array(np.ones((X.shape[0], 1), X.dtype)) @ sp.csr_array(c[None, :])


def scaled(X, c: np.ndarray, width: float):
    """(X − c)/σ, clipped where squares would overflow. Clipping makes no distance larger."""
    info = np.finfo(X.dtype)
    most, width = math.sqrt(float(info.max)) * 1e-10, float(np.clip(width, info.tiny, info.max))
    with np.errstate(over="ignore", under="ignore"):
        A = minus(X, c)
        entries = A.data if sp.issparse(A) else A
        entries /= width
    np.clip(entries, -most, most, out=entries)
    return A
