"""What a column is: a number, a category, a date, a text, a vector, or nothing to learn from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..types import Frame
from .extras import need

FEW_CATEGORIES = 40
"""Words with fewer values are categories, with more they are texts; skrub's own limit."""

NEARLY_ALL = 0.95
"""The share of distinct values from which a column of single words is a key, not a text."""

PREFIX = "lapwing_"
"""Columns that Lapwing adds to a file begin so."""

SKIPPED = ("empty", "constant", "row number", "key", "earlier answer")

_ID = re.compile(r"(.*[_ .-])?(id|key|uuid|nr|no|number|index)|.*[a-z]I[dD]", re.ASCII)
"""Names of columns that name a row."""


@dataclass(frozen=True)
class Column:
    """One column, and what is made of it.

    Attributes
    ----------
    name : str
    kind : str
        "number", "yes/no", "category", "date", "text", "vector"; or why it is left out: "empty",
        "constant", "row number", "key", "earlier answer", "dropped".
    distinct, missing : int
        Values and gaps.
    n_features : int
        The columns of the encoded matrix that come from it; 0 where it is left out.
    example : str
        A value, shortened.
    """

    name: str
    kind: str
    distinct: int
    missing: int
    n_features: int = 0
    example: str = ""

    @property
    def used(self) -> bool:
        """Whether the encoding has a part of it."""
        return self.kind not in SKIPPED and self.kind != "dropped"


def plan(
    series: Frame, text: Sequence[str] = (), drop: Sequence[str] = (), keep: Sequence[str] = ()
) -> Column:
    """A pandas column with what it looks like, or what it was said to be."""
    kind = kind_of(series)
    if series.name in drop:
        kind = "dropped"
    elif series.name in text and kind != "empty":
        kind = "text"
    elif series.name in keep:
        kind = kind_of(series, kept=True)
    elif str(series.name).startswith(PREFIX):
        kind = "earlier answer"
    seen = series.dropna()
    distinct = len(seen) if kind == "vector" else int(seen.astype(str).nunique())
    example = " ".join(str(seen.iloc[0]).split()) if len(seen) else ""
    example = example if len(example) <= 30 else example[:29] + "…"
    return Column(series.name, kind, distinct, len(series) - len(seen), 0, example)


def described(columns: list[Column]) -> Frame:
    """The columns as a data frame, one row each."""
    pandas = need("pandas", "Describing columns")
    rows = [
        {
            "column": c.name,
            "kind": c.kind,
            "values": c.distinct,
            "missing": c.missing,
            "features": c.n_features,
            "example": c.example,
        }
        for c in columns
    ]
    return pandas.DataFrame(rows)


def kind_of(series: Frame, kept: bool = False) -> str:
    """What a pandas column is; with ``kept`` neither a row number nor a key.

    Examples
    --------
    >>> import pandas as pd
    >>> kind_of(pd.Series(["red", "blue", "red"])), kind_of(pd.Series([1.5, 2.0, 7.0]))
    ('category', 'number')
    >>> kind_of(pd.Series([1, 2, 3, 4])), kind_of(pd.Series([f"T{i}" for i in range(99)]))
    ('row number', 'key')
    """
    pandas = need("pandas", "Describing columns")
    seen = series.dropna()
    if not len(seen):
        return "empty"
    if is_vector(seen):
        return "vector"
    types = pandas.api.types
    if types.is_datetime64_any_dtype(seen) or types.is_timedelta64_dtype(seen):
        return "date"
    distinct = seen.nunique()
    if distinct == 1 and len(seen) == len(series):
        return "constant"
    booleans = types.infer_dtype(seen, skipna=False) == "boolean"  # of objects too, beside gaps
    if booleans or (distinct <= 2 and types.is_numeric_dtype(seen)):
        return "yes/no"
    if types.is_numeric_dtype(seen):
        return "number" if kept else _kind_of_numbers(series)
    return _kind_of_words(seen.astype(str), distinct, kept)


def is_vector(seen: Frame) -> bool:
    """Whether the cells of a column without gaps are vectors of one length."""
    first = seen.iloc[0]
    if not isinstance(first, list | tuple | np.ndarray):
        return False
    return all(isinstance(v, list | tuple | np.ndarray) and len(v) == len(first) for v in seen)


def _kind_of_numbers(series: Frame) -> str:
    """A row number: 0, 1, 2 … or 1, 2, 3 … down the file, or many whole numbers without a hole in
    any order. A key: whole numbers that never repeat, under a name such as "customer_id"."""
    values = series.to_numpy(dtype=float, na_value=np.nan)
    if len(values) < 3 or not np.isfinite(values).all():
        return "number"
    if values[0] in (0, 1) and (np.diff(values) == 1).all():
        return "row number"
    if len(values) <= FEW_CATEGORIES or (values % 1 != 0).any():
        return "number"
    if len(np.unique(values)) < len(values):
        return "number"
    if np.ptp(values) == len(values) - 1:
        return "row number"
    return (
        "key"
        if _ID.fullmatch(str(series.name)) or _ID.fullmatch(str(series.name).lower())
        else "number"
    )


def _kind_of_words(words, distinct: int, kept: bool) -> str:
    if _are_numbers(words):
        return "number"
    if are_dates(words):
        return "date"
    single = not kept and (words.str.split().str.len() <= 1).mean() > NEARLY_ALL
    if single and distinct > FEW_CATEGORIES and distinct > NEARLY_ALL * len(words):
        return "key"
    return "category" if distinct < FEW_CATEGORIES else "text"


def _are_numbers(words) -> bool:
    pandas = need("pandas", "Describing columns")
    codes = words.str.fullmatch(r"0\d+").any()  # "00501" is a code, whatever its digits
    return bool(not codes and pandas.to_numeric(words, errors="coerce").notna().all())


def are_dates(words: Frame) -> bool:
    """Whether skrub reads them as dates; asked of it, so that both always agree."""
    skrub = need("skrub", "Encoding a table")
    try:
        skrub.ToDatetime().fit_transform(words.reset_index(drop=True).rename("x"))
    except (skrub.core.RejectColumn, ValueError):
        return False
    return True
