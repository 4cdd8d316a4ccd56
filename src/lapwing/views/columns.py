"""The columns of X that a view selects."""

from numbers import Integral
from typing import Any

import numpy as np

from ..types import MatrixLike


def column_indices(columns: Any, X: MatrixLike, names: np.ndarray | None, view: str) -> np.ndarray:
    """Positions of the selected columns, in the given order.

    Parameters
    ----------
    columns : int, str, slice, boolean mask, sequence of int or str, or callable of X
    X : array or sparse matrix of shape (n, d)
    names : array of shape (d,), optional
        The names of the columns, where X has names.
    view : str
        The name of the view in error messages.

    Examples
    --------
    >>> column_indices(slice(1, None), np.zeros((1, 3)), None, "page")
    array([1, 2])
    """
    if callable(columns):
        columns = columns(X)
    d = X.shape[1]
    if isinstance(columns, slice):
        found = _from_slice(columns, d, names, view)
    else:
        single = isinstance(columns, Integral | str)
        found = _from_list(
            np.atleast_1d(np.asarray([columns] if single else columns)), d, names, view
        )
    if not len(found):
        raise ValueError(f"The view {view!r} has no columns: {columns!r} selects none of the {d}.")
    return found


def _from_slice(columns: slice, d: int, names, view: str) -> np.ndarray:
    ends = [columns.start, columns.stop]
    if any(isinstance(end, str) for end in ends):
        # a slice of names includes its last name, as in pandas and ColumnTransformer
        first = 0 if ends[0] is None else _position(ends[0], names, view)
        last = d - 1 if ends[1] is None else _position(ends[1], names, view)
        return np.arange(first, last + 1)[:: columns.step]
    return np.arange(d)[columns]


def _from_list(columns: np.ndarray, d: int, names, view: str) -> np.ndarray:
    if columns.ndim != 1:
        raise ValueError(f"The columns of the view {view!r} must be a flat list.")
    if not len(columns):
        return np.zeros(0, dtype=int)
    if columns.dtype == bool:
        if len(columns) != d:
            raise ValueError(
                f"The column mask of the view {view!r} has {len(columns)} entries, but X has {d} "
                "columns."
            )
        return np.flatnonzero(columns)
    if columns.dtype.kind in "UO":
        return np.array([_position(name, names, view) for name in columns], dtype=int)
    if columns.dtype.kind not in "iu":
        raise TypeError(
            f"The columns of the view {view!r} must be positions, names, a slice, a boolean mask "
            f"or a callable, got {columns.dtype} values."
        )
    if (columns < -d).any() or (columns >= d).any():
        raise ValueError(
            f"The view {view!r} asks for column {columns.max()}, but X has {d} columns."
        )
    return np.where(columns < 0, columns + d, columns)


def _position(name, names, view: str) -> int:
    if names is None:
        raise ValueError(
            f"The view {view!r} names the column {name!r}, but X came without column names: give "
            "a DataFrame, or positions."
        )
    found = np.flatnonzero(np.asarray(names) == name)
    if not len(found):
        raise ValueError(f"The view {view!r} names the column {name!r}, which X does not have.")
    return int(found[0])
