"""Columns that are not what they should be: unknown names, other kinds, copies of the target."""

import warnings

import numpy as np

from ..targets.markers import is_missing
from .columns import Column, kind_of
from .extras import TableError, need

ENOUGH = 10
"""Labels from which a column that agrees with all of them is no chance."""

DATES, NUMBERS, WORDS = {"date"}, {"number", "yes/no", "row number"}, {"category", "text", "key"}


class ColumnWarning(UserWarning):
    """A column looks like something it should not be, such as a copy of the target."""


def check_names(role: str, names, frame) -> None:
    """Columns that are spoken of exist."""
    if isinstance(names, str):
        raise TableError(f"{role}={names!r} must be a list of columns: [{names!r}].")
    unknown = [name for name in names if name not in frame.columns]
    if unknown:
        raise TableError(
            f"There is no column {', '.join(map(repr, unknown))} for {role}; the columns are "
            f"{', '.join(map(repr, frame.columns))}."
        )


def check_columns(frame, columns: list[Column]) -> None:
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


def _other_kind(column: Column, series) -> str | None:
    """What a column is now where that cannot be read as what it was; None where it can."""
    now = kind_of(series)
    if now in ("empty", "constant") or now == column.kind:
        return None
    if column.kind in ("number", "yes/no"):
        return None if now in NUMBERS else now
    if column.kind == "vector" or now == "vector":
        return now
    return now if column.kind == "date" else None  # anything can be read as words


def leaks(frame, y) -> list[str]:
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
    found = []
    for name in frame.columns:
        values, distinct = pandas.factorize(frame[name].iloc[rows].astype(str))
        pairs = len({*zip(codes.tolist(), values.tolist(), strict=True)})
        if pairs == len(distinct) == len(classes):
            found.append(name)
    return found


def warn_of_leaks(frame, y) -> None:
    """Say which columns equal the target."""
    found = leaks(frame, y)
    if found:
        warnings.warn(
            f"Column {', '.join(map(repr, found))} tells the target of every labeled row. If it is "
            "a copy of the target and not known for new rows, drop it.",
            ColumnWarning,
            stacklevel=4,
        )
