"""Turn class labels into one-vs-rest targets ±1."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import type_of_target

from .._scikit_learn import check_sample_weight, rows_of
from ..exceptions import warn
from ..parameters.arguments import is_auto, to_array
from ..parameters.callers import current_fold
from ..types import MatrixLike, TargetLike
from .coding import Coding, class_columns
from .doubts import is_minus_one, say_doubts, say_scored
from .markers import marked, missing_mask


@dataclass(frozen=True)
class Targets:
    """The targets for the loss.

    Attributes
    ----------
    Y : array of shape (n, t)
        ±1 per class (one column for two classes), or real targets. 0 where an entry is not
        observed.
    observed : boolean array of shape (n, 1) or (n, t)
    classes : array, empty for real targets
    codes : integer array of shape (n,)
        Class codes, −1 for unlabeled rows. In regression labeled rows have 0.
    flat : bool
        Whether y has one dimension. Predictions then have one dimension too.
    code : Coding, LabelCoding or OutputCoding, optional
        The object that turns readouts into predictions, if these are no classes or real values.
    """

    Y: np.ndarray
    observed: np.ndarray
    classes: np.ndarray
    codes: np.ndarray
    flat: bool = True
    code: Any = None

    @classmethod
    def none(cls, n: int) -> Targets:
        """The targets of n unlabeled rows."""
        return cls(np.zeros((n, 1)), np.zeros((n, 1), dtype=bool), np.empty(0), np.full(n, -1))

    @property
    def labeled(self) -> np.ndarray:
        """Whether a row has at least one observed entry, (n,)."""
        return np.asarray(self.observed.any(axis=1))

    def weights(self, sample_weight: np.ndarray) -> np.ndarray:
        """w_i/Σw on observed entries, 0 elsewhere, (n, 1) or (n, t). Σ is over labeled rows."""
        w = _near_one(sample_weight)
        total = w[self.labeled].sum()
        return np.where(self.observed, w[:, None] / total, 0.0)

    @property
    def coding(self) -> Any:
        """The object that turns readouts into predictions."""
        return self.code or Coding(self.classes if self.n_classes else None, self.flat)

    @property
    def n_classes(self) -> int:
        """The number of classes. 0 if the targets are no classes."""
        return len(self.classes)

    def take(self, rows: np.ndarray) -> Targets:
        """The targets of the given rows."""
        parts = {name: getattr(self, name)[rows] for name in ("Y", "observed", "codes")}
        return replace(self, **parts)


def checked_weights(sample_weight: Any, rows: MatrixLike) -> np.ndarray:
    """Check the weights of rows: finite numbers ≥ 0. None is 1 for each row.

    Only the ratios of the weights count.

    Parameters
    ----------
    sample_weight : array of shape (n,), number or None
    rows : array with n rows
    """
    found = check_sample_weight(sample_weight, rows, dtype=np.float64, ensure_non_negative=True)
    return _near_one(found)


def checked_groups(groups: Any, n: int) -> np.ndarray:
    """The group of each row as a number, (n,). None makes each row its own group.

    A row with a missing group is its own group too.

    Examples
    --------
    >>> checked_groups(["a", "b", None, "a", None], 5).tolist()
    [5, 6, 2, 5, 4]
    """
    if groups is None:
        return np.arange(n)
    given = to_array(groups)
    if given.shape != (n,):
        raise ValueError(
            f"groups has the shape {given.shape}, and X has {n} rows: give one group per row."
        )
    found, seen = np.arange(n), ~missing_mask(given)
    names = given[seen].astype(str) if given.dtype.kind == "O" else given[seen]
    found[seen] = n + np.unique(names, return_inverse=True)[1]
    return found


def _near_one(w: np.ndarray) -> np.ndarray:
    """Scale the weights by a power of two so that the largest is between ½ and 1."""
    return np.ldexp(w, -np.frexp(w.max(initial=0.0))[1])


def as_labels(y: TargetLike) -> np.ndarray:
    """y as a one-dimensional array with a matching dtype. Integers stay integers."""
    y = to_array(y)
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {y.shape} instead: one label for each "
            "row. For several labels in a row use VectorValuedClassifier, for several real "
            "targets a regressor."
        )
    if y.ndim == 2 and y.shape[1] == 1:
        said = "A column-vector y was passed when a 1d array was expected. It is read as y.ravel()."
        warn(said, DataConversionWarning)
    y = column_or_1d(y)
    if y.dtype.kind == "O":
        missing = missing_mask(y)
        seen = y[~missing]
        if len(seen) and all(isinstance(v, bool | np.bool_) for v in seen):
            return y if missing.any() else y.astype(bool)
        if len(seen) and all(isinstance(v, numbers.Integral) for v in seen) and not missing.any():
            return y.astype(np.int64)
    return y


def unlabeled_mask(
    y: np.ndarray, classes: Sequence | np.ndarray = (), marker: Any = "auto"
) -> np.ndarray:
    """Whether a row is unlabeled: −1 among integers, None/NaN/pd.NA otherwise, or the marker.

    If y holds only the integers −1 and 1, they are two classes. −1 is also a class if ``classes``
    of an earlier fit holds −1.
    """
    if not is_auto(marker):
        return marked(y, marker)
    if y.dtype.kind != "i":
        return missing_mask(y)
    if -1 in classes or set(np.unique(y)) == {-1, 1}:
        return np.zeros(len(y), dtype=bool)
    return y == -1


def encode_classes(
    y: TargetLike, sample_weight: Any = 1.0, marker: Any = "auto", fewest: int = 2
) -> Targets:
    """Turn class labels of any kind into one-vs-rest targets ±1.

    Unlabeled rows hold ``marker``. There must be at least ``fewest`` classes.

    Raises
    ------
    ValueError
        If no row is labeled, there are too few classes, or the labels are continuous numbers.
    """
    labels = as_labels(y)
    unlabeled = unlabeled_mask(labels, marker=marker)
    say_doubts(labels, unlabeled, marker)
    for fold in current_fold():
        tested = as_labels(rows_of(fold.y, fold.test))
        say_scored(fold, unlabeled_mask(tested, labels[~unlabeled], marker))
    unlabeled = unlabeled | (np.asarray(sample_weight) == 0)
    classes, codes = _classes_and_codes(labels, unlabeled, fewest)
    observed = ~unlabeled[:, None]
    Y = class_columns(np.maximum(codes, 0), len(classes))
    return Targets(np.where(observed, Y, 0.0), observed, classes, codes)


def _classes_and_codes(
    labels: np.ndarray, unlabeled: np.ndarray, fewest: int
) -> tuple[np.ndarray, np.ndarray]:
    seen = labels[~unlabeled]
    if not len(seen):
        raise ValueError(
            "No row of y is labeled: every entry is an unlabeled marker (-1 for integers; "
            "None, NaN or pd.NA for strings and floats) or has a weight of zero. "
            "Label at least one row of each of two classes."
        )
    if seen.dtype.kind == "f":
        if np.isinf(seen).any():
            raise ValueError("Input y contains infinity: class labels must be finite.")
        if type_of_target(seen).startswith("continuous"):
            raise ValueError(
                "Unknown label type: y holds continuous numbers, but a classifier needs class "
                "labels (integers, strings or booleans). Use a regressor for real targets."
            )
    if seen.dtype.kind == "O":
        _check_objects(seen)
    classes, inverse = np.unique(_infer(seen), return_inverse=True)
    if len(classes) < fewest:
        raise ValueError(
            f"Only one class is labeled: {classes.tolist()[0]!r}. A classifier needs labeled rows "
            "of at least two classes."
        )
    codes = np.full(len(labels), -1)
    codes[~unlabeled] = inverse
    return classes, codes


def _check_objects(seen: np.ndarray) -> None:
    """Check that labels in an object array are all strings, all bytes or all numbers."""
    if any(all(isinstance(v, kind) for v in seen) for kind in (str, bytes, numbers.Real)):
        return
    kinds = sorted({type(v).__name__ for v in seen})
    others = [v for v in seen if not isinstance(v, str)]
    if len(others) < len(seen) and all(is_minus_one(v) for v in others):
        raise ValueError(
            "y holds -1 beside strings. If -1 marks unlabeled rows, pass unlabeled=-1, or write "
            "None in these rows."
        )
    raise ValueError(
        f"Unknown label type: y mixes labels of kinds {kinds}, or of a kind that is none, such as "
        f"{seen[0]!r}; give integers, strings or booleans, all of one kind."
    )


def _infer(seen: np.ndarray) -> np.ndarray:
    """Turn an object array of one simple kind into an array of that kind."""
    if seen.dtype.kind != "O":
        return seen
    for kinds, dtype in (((bool, np.bool_), bool), ((numbers.Integral,), np.int64)):
        if all(isinstance(v, kinds) for v in seen):
            return seen.astype(dtype)
    if all(isinstance(v, numbers.Real) for v in seen):
        return seen.astype(np.float64)
    return seen
