"""Real targets with one or several columns. Single entries may be missing."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from ..parameters.arguments import to_array
from ..types import TargetLike
from .classes import Targets
from .doubts import say_real_doubts
from .markers import missing_mask, with_missing

SQUARES = 1e150  # squares of larger numbers, or of ones below its inverse, are no floats


def encode_real(y: TargetLike, sample_weight: Any = 1.0, marker: Any = "auto") -> Targets:
    """Encode real targets, (n,) or (n, t). Unobserved entries hold NaN or the marker.

    Raises
    ------
    ValueError
        If no entry of y, or no entry of a column, is observed.
    """
    Y = check_array(
        _real_array(with_missing(y, marker)),
        ensure_2d=False,
        dtype=np.float64,
        ensure_all_finite="allow-nan",
        input_name="y",
    )
    if Y.ndim > 2:
        raise ValueError(f"y has {Y.ndim} dimensions; expected (n,) or (n, n_targets).")
    flat = Y.ndim == 1
    Y = Y.reshape(len(Y), -1)
    if Y.shape[1] == 0:
        raise ValueError("y has no column; expected at least one target.")
    observed = ~np.isnan(Y) & (np.reshape(sample_weight, (-1, 1)) != 0)
    empty = np.flatnonzero(~observed.any(axis=0))
    if len(empty) == Y.shape[1]:
        raise ValueError(
            "No row of y is labeled: every entry is NaN or has a weight of zero. Give at least "
            "one observed target."
        )
    if len(empty):
        raise ValueError(
            f"Target column(s) {empty.tolist()} of y have no observed entry: drop them."
        )
    _check_size(np.abs(Y[observed]).max())
    if (observed == observed[:, :1]).all():
        observed = observed[:, :1]
    codes = np.where(observed.any(axis=1), 0, -1)
    return Targets(np.where(observed, Y, 0.0), observed, np.empty(0), codes, flat)


def read_real(y: TargetLike, sample_weight: Any, marker: Any) -> Targets:
    """:func:`encode_real` of a user's y. It warns if a value may be a marker."""
    found = encode_real(y, sample_weight, marker)
    say_real_doubts(found.Y, bool(found.observed.all()), marker)
    return found


def _check_size(largest: float) -> None:
    """Raise an error if squares of the targets overflow or vanish. Every certificate needs them."""
    if largest > SQUARES or 0 < largest < 1.0 / SQUARES:
        raise ValueError(
            f"The largest target is {largest:.1e} in size: its square is out of a float's range. "
            "Choose another unit for y."
        )


def real_truth(y: TargetLike) -> np.ndarray:
    """Real targets as a matrix, (n, t), with NaN for missing entries. Scores use it."""
    Y = np.asarray(_real_array(y), dtype=np.float64)
    return Y.reshape(len(Y), -1)


def _real_array(y) -> np.ndarray:
    if sp.issparse(y):
        raise ValueError("y is a sparse matrix; targets are dense: give y.toarray().")
    y = to_array(y)
    if y.dtype.kind in "mM":
        raise ValueError("y holds times; a regressor needs numbers, such as days since a date.")
    if y.dtype.kind == "O":
        y = np.where(missing_mask(y), np.nan, y)
    try:
        return y.astype(np.float64) if y.dtype.kind in "OUS" else y
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y must hold numbers for a regressor ({error}); a classifier takes names."
        ) from error


def column_means(Y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted mean of the observed entries of each column, (t,).

    Examples
    --------
    >>> column_means(np.array([[1.0, 5.0], [3.0, 0.0]]), np.array([[1.0, 1.0], [1.0, 0.0]]))
    array([2., 5.])
    """
    w = np.broadcast_to(weights, Y.shape)
    total = w.sum(axis=0)
    return np.where(w > 0, w * Y, 0.0).sum(axis=0) / np.where(total > 0, total, 1.0)
