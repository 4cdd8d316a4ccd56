"""Recognizes training rows in another matrix by their entries."""

import numpy as np
import scipy.sparse as sp

from ..graphs.row_keys import row_keys
from ..graphs.row_shadows import Shadows
from ..types import MatrixLike

Known = tuple[np.ndarray, Shadows]


def recognizable(X: MatrixLike) -> Known:
    """What recognizes the rows of X, also where they are rounded otherwise."""
    return row_keys(X), Shadows(X)


def averages(training: Known, X: MatrixLike, remedy: str) -> sp.csr_array:
    """S, (m, n): S f is f at the rows of X, the mean where several training rows are equal.

    Parameters
    ----------
    training : (array of shape (n,), Shadows)
        :func:`recognizable` of the training rows.
    X : array or CSR matrix of shape (m, d)
        The rows at which f is wanted.
    remedy : str
        The end of the error message for rows that are no training rows.
    """
    keys, (known, shadows) = row_keys(X), training
    new = np.flatnonzero(~np.isin(keys, known))
    if len(new):
        at = shadows.find(X[new])
        keys[new[at >= 0]] = known[at[at >= 0]]
    if np.array_equal(keys, known):  # the training rows themselves: equal rows keep their values
        return sp.csr_array(sp.eye_array(len(keys)))
    order = np.argsort(known, kind="stable")
    first, last = (np.searchsorted(known[order], keys, side) for side in ("left", "right"))
    counts, lacking = last - first, np.flatnonzero(first == last)
    if len(lacking):
        raise ValueError(
            f"{len(lacking)} of the {len(keys)} rows are not training rows (row {lacking[0]} "
            f"first). {remedy}"
        )
    found = np.concatenate([order[a:b] for a, b in zip(first, last, strict=True)])
    starts = np.concatenate([[0], np.cumsum(counts)])
    shares = np.repeat(1.0 / counts, counts)
    return sp.csr_array((shares, found, starts), shape=(len(keys), len(known)))
