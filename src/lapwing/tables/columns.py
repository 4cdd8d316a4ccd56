"""What a column is: a number, a category, a date, a text, a vector, or nothing to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..types import Frame
from .extras import need

FEW_CATEGORIES = 40
"""Words with fewer values are categories, with more they are texts; skrub's own limit."""

NEARLY_ALL = 0.95
"""The share of distinct values from which a column of single words is a key, not a text."""

SKIPPED = ("empty", "constant", "row number", "key")


@dataclass(frozen=True)
class Column:
    """One column, and what is made of it.

    Attributes
    ----------
    name : str
    kind : str
        "number", "yes/no", "category", "date", "text", "vector"; or why it is left out: "empty",
        "constant", "row number", "key", "dropped".
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
    elif series.name in keep and kind in ("row number", "key"):
        kind = "number" if kind == "row number" else "text"
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


def kind_of(series: Frame) -> str:
    """What a pandas column is.

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
        return "row number" if _counts_rows(series) else "number"
    return _kind_of_words(seen.astype(str), distinct)


def is_vector(seen: Frame) -> bool:
    """Whether the cells of a column without gaps are vectors of one length."""
    first = seen.iloc[0]
    if not isinstance(first, list | tuple | np.ndarray):
        return False
    return all(isinstance(v, list | tuple | np.ndarray) and len(v) == len(first) for v in seen)


def _counts_rows(series: Frame) -> bool:
    """0, 1, 2 … or 1, 2, 3 … down the file."""
    if series.isna().any() or len(series) < 3:
        return False
    steps = np.diff(series.to_numpy(dtype=float))
    return bool((steps == 1).all() and series.iloc[0] in (0, 1))


def _kind_of_words(words, distinct: int) -> str:
    if _are_numbers(words):
        return "number"
    if are_dates(words):
        return "date"
    single = (words.str.split().str.len() <= 1).mean() > NEARLY_ALL
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
