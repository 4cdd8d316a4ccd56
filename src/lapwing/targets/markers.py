"""Which entries of y are missing: None, NaN, pd.NA, or a marker of the user's own."""

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..parameters.arguments import is_auto, to_array
from ..types import TargetLike


def missing_mask(y: np.ndarray) -> np.ndarray:
    """True where an entry is None, NaN, pd.NA or a time that is none (NaT)."""
    if y.dtype.kind == "f":
        return np.isnan(y)
    if y.dtype.kind in "mM":
        return np.isnat(y)
    if y.dtype.kind != "O":
        return np.zeros(y.shape, dtype=bool)
    return np.frompyfunc(is_missing, 1, 1)(y).astype(bool)


def is_missing(value: Any) -> bool:
    """None, NaN, pd.NA or pd.NaT."""
    if value is None:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return type(value).__name__ in ("NAType", "NaTType")


def marked(y: np.ndarray, marker: Any) -> np.ndarray:
    """True where an entry is missing or equal to the marker, which is of the kind of y."""
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
    """y with the unlabeled marker at some rows: NaN among floats, −1 among integers, else None.

    Where −1 is one of the classes, or y has several columns, integers take None too.

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
    """y with None or NaN where it holds the marker; as it is where the marker is "auto"."""
    if is_auto(marker) or is_missing(marker) or sp.issparse(y):
        return y
    array = to_array(y)
    mask = marked(array, marker)
    if not mask.any():
        return y
    return unlabeled_at(array, mask, [-1])
