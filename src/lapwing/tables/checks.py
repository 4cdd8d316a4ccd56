"""Columns that are not what they should be: unknown names, other kinds, copies of the target."""

import warnings
from typing import Any

import numpy as np

from ..targets.markers import is_missing
from ..types import Frame, TargetLike
from .columns import Column, are_dates, is_vector, kind_of
from .extras import TableError, need

ENOUGH = 10
"""Labels from which a column that agrees with all of them is no chance."""


class ColumnWarning(UserWarning):
    """A column looks like something it should not be, such as a copy of the target."""


def check_names(role: str, names: Any, frame: Frame) -> None:
    """Columns that are spoken of exist."""
    if isinstance(names, str):
        raise TableError(f"{role}={names!r} must be a list of columns: [{names!r}].")
    unknown = [name for name in names if name not in frame.columns]
    if unknown:
        raise TableError(
            f"There is no column {', '.join(map(repr, unknown))} for {role}; the columns are "
            f"{', '.join(map(repr, frame.columns))}."
        )


def check_columns(frame: Frame, columns: list[Column]) -> None:
    """A table to be encoded has the columns of the training table, each of its kind.

    Raises
    ------
    TableError
        With a list of what is missing, new, or of another kind.
    """
    known = {c.name for c in columns}
    missing = [c.name for c in columns if c.used and c.name not in frame.columns]
    other = [
        f"{c.name} (was {c.kind}, is {now})"
        for c in columns
        if c.used and c.name in frame.columns and (now := _other_kind(c, frame[c.name]))
    ]
    if not missing and not other:
        return
    new = [name for name in frame.columns if name not in known]
    parts = [("missing", missing), ("new", new), ("of another kind", other)]
    told = "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)
    raise TableError(f"These are not the columns that the model was fitted on. {told}.")


def _other_kind(column: Column, series: Frame) -> str | None:
    """What a column is now where that cannot be read as what it was; None where it can."""
    seen = series.dropna()
    if not len(seen):
        return None
    if column.kind in ("number", "yes/no"):
        return None if _are_numbers(seen) else "text"
    if column.kind == "date":
        now = kind_of(seen)
        return None if now == "date" or are_dates(seen.astype(str)) else now
    if is_vector(seen):
        return None if column.kind == "vector" else "vector"
    return kind_of(seen) if column.kind == "vector" else None  # anything can be read as words


def _are_numbers(seen) -> bool:
    pandas = need("pandas", "Describing columns")
    return bool(pandas.to_numeric(seen.astype(object), errors="coerce").notna().all())


def leaks(frame: Frame, y: TargetLike) -> list[str]:
    """Columns that tell the target of every labeled row, one value for each class.

    Examples
    --------
    >>> import pandas as pd
    >>> y = ["a", "b"] * 10 + [None]
    >>> leaks(pd.DataFrame({"copy": [1, 2] * 10 + [1], "other": [1, 1, 2] * 7}), y)
    ['copy']
    """
    pandas = need("pandas", "Describing columns")
    y = np.asarray(y, dtype=object)
    if y.ndim != 1 or len(y) != len(frame):
        return []
    rows = np.flatnonzero([not is_missing(v) for v in y])
    codes, classes = pandas.factorize(np.array([str(y[i]) for i in rows], dtype=object))
    if len(rows) < ENOUGH or len(classes) < 2:
        return []
    told = frame.iloc[rows]
    if len(classes) > len(rows) / 2:  # real numbers
        target = np.array([_number(y[i]) for i in rows])
        return [name for name in frame.columns if _proportional(told[name], target)]
    return [name for name in frame.columns if _renames(told[name], codes, len(classes))]


def filled_with(frame: Frame, labeled: np.ndarray) -> list[str]:
    """Columns that are empty in every unlabeled row, such as a second answer.

    Examples
    --------
    >>> import pandas as pd
    >>> labeled = np.arange(30) < 12
    >>> frame = pd.DataFrame({"size": 1.0, "price": np.where(labeled, 9.5, np.nan)}, range(30))
    >>> filled_with(frame, labeled)
    ['price']
    """
    if min(labeled.sum(), (~labeled).sum()) < ENOUGH:
        return []
    known = frame.notna()
    found = known[labeled].any() & ~known[~labeled].any()
    return found.index[found].tolist()


def _renames(column: Frame, codes: np.ndarray, n_classes: int) -> bool:
    """Whether a column has one value for each class."""
    values, distinct = need("pandas", "Describing columns").factorize(column.astype(str))
    pairs = len({*zip(codes.tolist(), values.tolist(), strict=True)})
    return pairs == len(distinct) == n_classes


def _proportional(column: Frame, target: np.ndarray) -> bool:
    """Whether a column is the target in another unit."""
    numbers = need("pandas", "Describing columns").to_numeric(column, errors="coerce")
    values = numbers.to_numpy(dtype=float, na_value=np.nan)
    if np.isnan(values + target).any() or np.ptp(values) == 0 or np.ptp(target) == 0:
        return False
    return bool(abs(np.corrcoef(values, target)[0, 1]) > 1.0 - 1e-9)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def warn_of_leaks(frame: Frame, y: TargetLike) -> None:
    """Say which columns equal the target."""
    found = leaks(frame, y)
    if found:
        warnings.warn(
            f"Column {', '.join(map(repr, found))} tells the target of every labeled row. If it is "
            "a copy of the target and not known for new rows, drop it.",
            ColumnWarning,
            stacklevel=4,
        )
