"""Find missing entries of y: None, NaN, pd.NA, or a marker of the user."""

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..parameters.arguments import is_auto, to_array
from ..types import TargetLike


def missing_mask(y: np.ndarray) -> np.ndarray:
    """Whether an entry is None, NaN, pd.NA or NaT (not a time)."""
    if y.dtype.kind == "f":
        return np.isnan(y)
    if y.dtype.kind in "mM":
        return np.isnat(y)
    if y.dtype.kind != "O":
        return np.zeros(y.shape, dtype=bool)
    return np.frompyfunc(is_missing, 1, 1)(y).astype(bool)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, pd.NA or pd.NaT."""
    if value is None:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return type(value).__name__ in ("NAType", "NaTType")


def marked(y: np.ndarray, marker: Any) -> np.ndarray:
    """Whether an entry is missing or equals the marker. The marker must be of the kind of y."""
    mask = missing_mask(y)
    text, words = isinstance(marker, str), y.dtype.kind == "U"
    if (text and y.dtype.kind in "iuf") or (words and isinstance(marker, numbers.Number)):
        raise ValueError(
            f"unlabeled={marker!r} marks no row: y holds {'strings' if words else 'numbers'}."
        )
    if not is_missing(marker):
        mask[~mask] = [bool(value == marker) for value in y[~mask].tolist()]
    return mask


def unlabeled_at(y: np.ndarray, rows: np.ndarray, classes: Any = ()) -> np.ndarray:
    """y with the unlabeled marker at the given rows: NaN for floats, −1 for integers, else None.

    Integers also get None if −1 is one of the classes or y has several columns.

    Examples
    --------
    >>> unlabeled_at(np.array([4, 5]), np.array([True, False]), [4, 5]).tolist()
    [-1, 5]
    >>> unlabeled_at(np.array([-1, 5]), np.array([True, False]), [-1, 5]).tolist()
    [None, 5]
    """
    marker: float | None = np.nan if y.dtype.kind == "f" else None
    if y.dtype.kind == "i" and y.ndim == 1 and -1 not in classes:
        marker = -1
    out = y.astype(object) if marker is None else y.copy()
    out[rows] = marker
    return out


def with_missing(y: TargetLike, marker: Any) -> Any:
    """y with None or NaN in place of the marker. y is unchanged if the marker is "auto"."""
    if is_auto(marker) or is_missing(marker) or sp.issparse(y):
        return y
    array = to_array(y)
    mask = marked(array, marker)
    if not mask.any():
        return y
    return unlabeled_at(array, mask, [-1])
