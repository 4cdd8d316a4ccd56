"""Warn if y can be read in two ways. The warning names the reading and its alternative."""

import numbers
from collections import Counter
from typing import Any

import numpy as np

from ..exceptions import LabelWarning, warn
from ..parameters.arguments import is_auto
from ..parameters.callers import Fold
from .markers import is_missing, missing_mask

WORDS = {"unknown", "unlabeled", "unlabelled", "unk", "none", "nan", "na", "n/a", "<na>", "null",
         "missing", "undefined", "todo", "?", "-", "-1", ""}  # fmt: skip
"""Strings that usually mean "no label"."""

NUMBERS = {0, 9, 99, 999, 9999, -2, -9, -99, -999, -9999, 255, 65535}
"""Numbers that usually mean "no label" if most rows hold them; 255 and 65535 are −1 unsigned."""

NEARLY_ALL = 0.9
"""A class with this share of all rows looks like a marker, for any name."""


def say_doubts(labels: np.ndarray, unlabeled: np.ndarray, marker: Any) -> None:
    """Warn once if class labels can be read in two ways.

    Parameters
    ----------
    labels : array of shape (n,)
        y as the user passed it.
    unlabeled : boolean array of shape (n,)
        The rows that were read as unlabeled.
    marker : object
        The parameter ``unlabeled``.
    """
    if not is_auto(marker):
        gaps = missing_mask(labels)
        if not is_missing(marker) and not (unlabeled & ~gaps).any():
            rest = "only missing entries count" if gaps.any() else "no row counts"
            _warn(f"unlabeled={marker!r} occurs nowhere in y: {rest} as unlabeled.")
        return
    text = _coding(labels, unlabeled) or _looks_like_a_marker(labels, unlabeled)
    if text:
        _warn(text)


def say_all_labeled(n: int, classes: np.ndarray) -> None:
    """Warn that no row is unlabeled. For classes −1 and 1 another warning says so already."""
    if classes.tolist() == [-1, 1]:
        return
    known = (
        "-1 among integers, with None or NaN among strings and floats" if len(classes) else "NaN"
    )
    _warn(
        f"All {n} rows of y are labeled, so there are no unlabeled rows to learn from. Mark "
        f"unlabeled rows with {known}, or name your own marker, such as unlabeled=0. gamma_I=0 "
        "fits without the graph."
    )


def say_real_doubts(Y: np.ndarray, whole: bool, marker: Any) -> None:
    """Warn once if real targets, (n, t), may hold a marker, or do not hold the given one.

    A value looks like a marker if it is a usual one, most entries hold it, and none is missing
    (``whole``).
    """
    if not is_auto(marker):
        if not is_missing(marker) and whole:
            _warn(f"unlabeled={marker!r} occurs nowhere in y: all entries count as observed.")
        return
    values, counts = np.unique(Y, return_counts=True)
    value, share = float(values[counts.argmax()]), counts.max() / Y.size
    if whole and len(values) > 1 and share > 0.5 and value in {-1, *NUMBERS}:
        _warn(
            f"y holds {value:g} in {100 * share:.0f} % of its entries and reads it as a value like "
            f"any other. If it means unlabeled, pass unlabeled={value:g}, or write NaN there."
        )


def say_scored(fold: Fold, unlabeled: np.ndarray) -> None:
    """Warn if a cross-validation of scikit-learn scores unlabeled rows, (m,)."""
    if not unlabeled.any() or not _reads_every_row(fold.scorer):
        return
    _warn(
        f"{type(fold.owner).__name__} scores {unlabeled.sum()} of {len(unlabeled)} rows that are "
        "not labeled as if their marker were a class, so that the scores are wrong. Pass "
        "cv=LabeledStratifiedKFold(5) or scoring=LabeledScorer('accuracy'), both of "
        "lapwing.model_selection, or leave scoring out."
    )


def _reads_every_row(scorer: Any) -> bool:
    """Whether a scorer comes from scikit-learn and is not the ``score`` method of the estimator."""
    every = getattr(scorer, "_scorers", None) or {"": scorer}
    kinds = [type(one) for one in every.values()]
    return any(
        kind.__module__.startswith("sklearn.") and kind.__name__ != "_PassthroughScorer"
        for kind in kinds
    )


def is_minus_one(value: Any) -> bool:
    """Whether a label is the integer −1."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and value == -1


def _warn(text: str) -> None:
    warn(text, LabelWarning)


def _coding(labels: np.ndarray, unlabeled: np.ndarray) -> str:
    """A sentence on the meaning of −1, 0 and 1."""
    kind, seen = labels.dtype.kind, labels[~unlabeled]
    if kind == "i":
        return _integers(labels, unlabeled)
    if kind == "f" and -1.0 in labels and len(np.unique(seen)) > 2:
        return (
            "y holds floats, so -1.0 is read as a class. If it means unlabeled, use NaN, or "
            "integers with -1, or pass unlabeled=-1."
        )
    numbers_alone = kind == "O" and all(isinstance(v, numbers.Number) for v in seen)
    if numbers_alone and any(is_minus_one(v) for v in seen):
        return (
            "y holds missing values beside integers, so -1 is read as a class. If it means "
            "unlabeled too, use one of the two markers."
        )
    return ""


def _integers(labels: np.ndarray, unlabeled: np.ndarray) -> str:
    values, counts = np.unique(labels, return_counts=True)
    if values.tolist() == [-1, 1] and not unlabeled.any():
        return (
            "y holds only -1 and 1 and is read as two classes, all rows labeled. If -1 means "
            "unlabeled, mark these rows with None or NaN (floats, strings), or code the classes "
            "0, 1, …"
        )
    if values.tolist() == [-1, 0, 1] and counts[1] >= counts[0]:
        return (
            f"y holds -1, 0 and 1: -1 is read as unlabeled ({counts[0]} rows), 0 and 1 as classes "
            f"({counts[1]} and {counts[2]} rows). If -1 and 1 are the classes and 0 means "
            "unlabeled, pass unlabeled=0."
        )
    return ""


def _looks_like_a_marker(labels: np.ndarray, unlabeled: np.ndarray) -> str:
    """A sentence on a class with most rows and the name of a marker, or with nearly all rows."""
    seen = labels[~unlabeled].tolist()
    texts = {isinstance(v, str) for v in seen}
    plain = all(isinstance(v, str | numbers.Number) for v in seen)
    if len(texts) != 1 or not plain:  # other kinds and mixtures raise an error elsewhere
        return ""
    counts = Counter(seen)
    words = [v for v in counts if isinstance(v, str) and v.strip().lower() in WORDS]
    value = words[0] if words else counts.most_common(1)[0][0]
    share = counts[value] / len(labels)
    typical = share > 0.5 and value in NUMBERS
    whole = not unlabeled.any() and len(counts) > 2
    if not words and not (whole and (typical or share >= NEARLY_ALL)):
        return ""
    return (
        f"y holds {value!r} in {100 * share:.0f} % of the rows and reads it as a class like any "
        f"other. If it means unlabeled, pass unlabeled={value!r}, or write None in these rows "
        "(an array of dtype=object)."
    )
