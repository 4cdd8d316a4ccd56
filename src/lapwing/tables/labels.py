"""From a column as people fill it in to y for the estimators, with counts of what was skipped."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..targets.markers import is_missing
from ..types import Frame
from .extras import TableError

MISSING_WORDS = frozenset(
    ("", "na", "n/a", "#n/a", "nan", "none", "null", "<na>", "nat", "?", "unlabeled", "unlabelled")
)
"""Words that mean "no label", whatever their case."""

TASKS = ("auto", "class", "real")
FEW_VALUES = 20
"""Whole numbers with at most so many values are classes; see :func:`read_labels`."""


@dataclass(frozen=True)
class Labels:
    """A target column as the estimators take it.

    Attributes
    ----------
    y : array of shape (n,)
        Classes as objects with None where a row is unlabeled; real targets as floats with NaN.
    task : {"class", "real"}
    skipped : dict of str to int
        What was taken as unlabeled, and how often.
    counts : dict
        Rows of each class, most first; empty for real targets.
    said : tuple of str
        What can be read in two ways, and how it was read.
    """

    y: np.ndarray = field(repr=False)
    task: str
    skipped: dict[str, int]
    counts: dict[str, Any]
    said: tuple[str, ...] = ()

    @property
    def labeled(self) -> np.ndarray:
        """True where a row has a label, (n,)."""
        return ~np.array([is_missing(value) for value in self.y], dtype=bool)

    @property
    def n_labeled(self) -> int:
        """How many rows have a label."""
        return int(self.labeled.sum())

    def __str__(self) -> str:
        skipped = ", ".join(f"{count:,} {word}" for word, count in self.skipped.items())
        text = f"{self.n_labeled:,} of {len(self.y):,} rows labeled"
        text += f" (unlabeled: {skipped})" if skipped else ""
        if self.counts:
            text += "; " + ", ".join(f"{name}: {count:,}" for name, count in self.counts.items())
        return text


def read_labels(
    column: Frame, unlabeled: Any = None, task: str = "auto", *, name: str = "the target"
) -> Labels:
    """A target column as y for the estimators.

    Unlabeled are missing cells, empty ones, the words NA, NaN, None, null, ?, unlabeled, and −1
    among integers, unless −1 and 1 are the only values.

    Parameters
    ----------
    column : sequence or Series of shape (n,)
    unlabeled : value or list of values, optional
        What else marks an unlabeled row, such as "unknown"; compared as text. With it, −1 is a
        label like any other.
    task : {"auto", "class", "real"}
        "auto": numbers with decimals are real targets, and so are whole numbers of more than 20
        values that are more than half as many as the labels. All else are classes.
    name : str
        What messages call the column.

    Raises
    ------
    TableError
        If ``task="real"`` and there is text.

    Examples
    --------
    >>> found = read_labels(["spam", "", "ham", None, "spam"])
    >>> found.y
    array(['spam', None, 'ham', None, 'spam'], dtype=object)
    >>> print(found)
    3 of 5 rows labeled (unlabeled: 2 empty); spam: 2, ham: 1
    """
    if task not in TASKS:
        raise TableError(f"The task is one of {', '.join(TASKS)}; got {task!r}.")
    values = _objects(column)
    marks = _marks(unlabeled)
    skipped: Counter = Counter()
    for i, value in enumerate(values):
        word = _why_unlabeled(value, marks)
        if word is not None:
            values[i] = None
            skipped[word] += 1
    numbers = _numbers(values)
    unseen = sorted(marks - set(skipped))
    said = [f"--unlabeled {mark} occurs nowhere in {name}" for mark in unseen]
    if numbers is not None and unlabeled is None and task != "real":
        said += _skip_minus_one(numbers, skipped)
    if numbers is None:
        if task == "real":
            word = next(v for v in values if v is not None and not _is_numeric(v))
            raise TableError(
                f"{name} holds {word!r}, which is no number: real targets are numbers."
            )
        return _classes(np.array([None if v is None else _plain(v) for v in values]), skipped, said)
    found, words = _task_of(numbers, task, name)
    said += words
    if found == "real":
        return Labels(numbers, "real", dict(skipped), {}, tuple(said))
    return _classes(_as_written(numbers), skipped, said)


def _objects(column: Frame) -> np.ndarray:
    """The column as an array of Python objects of its own."""
    column = column.to_list() if hasattr(column, "to_list") else list(column)
    out = np.empty(len(column), dtype=object)
    out[:] = column
    return out


def _marks(unlabeled: Any) -> frozenset[str]:
    if unlabeled is None:
        return frozenset()
    several = isinstance(unlabeled, list | tuple | set | frozenset)
    return frozenset(str(value).strip() for value in (unlabeled if several else [unlabeled]))


def _why_unlabeled(value: Any, marks: frozenset[str]) -> str | None:
    """What an unlabeled cell holds, in words; None for a label."""
    if is_missing(value):
        return "empty"
    word = str(value).strip()
    if word in marks or (_is_whole(value) and str(int(value)) in marks):
        return word
    if isinstance(value, str) and word.lower() in MISSING_WORDS:
        return word or "empty"
    return None


def _is_whole(value: Any) -> bool:
    return isinstance(value, float | np.floating) and float(value).is_integer()


def _is_numeric(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _numbers(values: np.ndarray) -> np.ndarray | None:
    """The labels as floats with NaN where there is none; None where any is no number."""
    if not all(v is None or _is_numeric(v) for v in values):
        return None
    return np.array([np.nan if v is None else float(v) for v in values])


def _skip_minus_one(numbers: np.ndarray, skipped: Counter) -> list[str]:
    """−1 among integers means unlabeled; numbers and counts are changed in place."""
    seen = np.unique(numbers[~np.isnan(numbers)])
    if -1.0 not in seen or (seen < -1).any() or (seen != np.round(seen)).any():
        return []
    if set(seen.tolist()) <= {-1.0, 1.0}:
        return ["-1 and 1 were read as two classes; say which value is unlabeled if one is"]
    at = numbers == -1.0
    numbers[at] = np.nan
    skipped["-1"] += int(at.sum())
    if set(seen.tolist()) == {-1.0, 0.0, 1.0}:
        return ["-1 was read as unlabeled, 0 and 1 as classes; say --unlabeled 0 if 0 is"]
    return []


def _task_of(numbers: np.ndarray, task: str, name: str) -> tuple[str, list[str]]:
    if task != "auto":
        return task, []
    seen = numbers[~np.isnan(numbers)]
    if (seen != np.round(seen)).any():
        return "real", []
    distinct = len(np.unique(seen))
    if distinct > max(FEW_VALUES, len(seen) / 2):
        return "real", [
            f"{name} holds {distinct} different whole numbers and was read as real numbers "
            "(--task class: as classes)"
        ]
    return "class", []


def _as_written(numbers: np.ndarray) -> np.ndarray:
    """Numbers as class names: whole ones as integers."""
    whole = {True: int, False: float}
    names = [None if np.isnan(v) else whole[v == np.round(v)](v) for v in numbers.tolist()]
    return np.array(names, dtype=object)


def _plain(value: Any):
    """A label as Python's own kind; text without blanks around it."""
    value = value.item() if isinstance(value, np.generic) else value
    return value.strip() if isinstance(value, str) else value


def _classes(y: np.ndarray, skipped: Counter, said: list[str]) -> Labels:
    y = y.astype(object)
    kinds = {type(v) for v in y if v is not None}
    if len(kinds) > 1:  # 3 and "x" in one column: names
        y = np.array([None if v is None else str(v) for v in y], dtype=object)
    counts = Counter(v for v in y if v is not None)
    return Labels(y, "class", dict(skipped), dict(counts.most_common()), tuple(said))
