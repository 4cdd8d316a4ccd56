"""What a fitted pipeline says of rows: answers, how sure it is, and between which bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import t as student

from ..types import Estimator, Frame, MatrixLike
from .columns import PREFIX
from .extras import need

COVERAGE = 0.95
"""The share of real targets between ``low`` and ``high``."""

SPENT = 4.0
"""The quantile is Student's, with a quarter of the labels as degrees of freedom.

The deviation is itself estimated, from labels that have chosen the settings too. Measured by
benchmarks/table_bounds.py on 5 tables and 6 draws that did not set it: 0.983, 0.953 and 0.953 of
the targets within the bounds at 12, 24 and 60 labels, and 0.81 in the worst of the 90 fits (with
the normal quantile 0.91, 0.90 and 0.94, and 0.65, on the draws that set it).
"""


@dataclass(frozen=True)
class Answers:
    """Answers for rows of a table.

    Attributes
    ----------
    values : array of shape (n,)
        Classes, numbers, or tuples of labels.
    confidence : array of shape (n,), or None
        The probability of the answer; None for real targets.
    low, high : arrays of shape (n,), or None
        Bounds that hold 95 % of real targets.
    probabilities : array of shape (n, q), or None
    classes : list
        Of the columns of ``probabilities``.
    """

    values: np.ndarray
    confidence: np.ndarray | None = None
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    probabilities: np.ndarray | None = field(default=None, repr=False)
    classes: list[Any] = field(default_factory=list)

    def columns(
        self,
        suffix: str = "",
        *,
        proba: bool = False,
        abstain: float | None = None,
        separator: str = ";",
    ) -> dict[str, Any]:
        """Names and values of the columns that a file gets.

        Parameters
        ----------
        suffix : str
            Behind each name, where there are several targets.
        proba : bool
            A column for each class too.
        abstain : float, optional
            Answers of less confidence are left empty.
        separator : str
            Between several labels of one row.
        """
        values = [separator.join(v) if isinstance(v, tuple) else v for v in self.values]
        if self.confidence is None:
            return {
                f"{PREFIX}prediction{suffix}": _short(self.values),
                f"{PREFIX}low{suffix}": _short(self.low),
                f"{PREFIX}high{suffix}": _short(self.high),
            }
        if abstain is not None:
            sure = self.confidence >= abstain
            values = [v if s else None for v, s in zip(values, sure, strict=True)]
        out = {
            f"{PREFIX}prediction{suffix}": values,
            f"{PREFIX}confidence{suffix}": np.round(self.confidence, 4),
        }
        if proba and self.probabilities is not None:
            for name, p in zip(self.classes, self.probabilities.T, strict=True):
                out[f"{PREFIX}p_{name}{suffix}"] = np.round(p, 4)
        return out


def _short(values: Any) -> list[float]:
    """Numbers of six digits: what a fit can tell."""
    return [float(f"{value:.6g}") for value in np.asarray(values, dtype=float)]


def answers_at(pipeline: Estimator, X: MatrixLike) -> Answers:
    """The answers of a fitted pipeline for the rows of a table."""
    return _answers(pipeline[-1], pipeline[0].transform(X), training=False)


def answers_of_training(pipeline: Estimator, encoded: np.ndarray) -> Answers:
    """The answers of a fitted pipeline for the rows of the fit: the transduction.

    Parameters
    ----------
    pipeline : TablePipeline
    encoded : array of shape (n, d)
        These rows as the pipeline's encoder gave them.
    """
    return _answers(pipeline[-1], encoded, training=True)


def _answers(model: Estimator, Z: np.ndarray, training: bool) -> Answers:
    if hasattr(model, "predict_proba"):
        return _classes(model, Z, training)
    return _numbers(model, Z, training)


def _classes(model: Estimator, Z: np.ndarray, training: bool) -> Answers:
    p = np.asarray(model.predict_proba(Z))
    classes = list(np.asarray(model.classes_).tolist())
    values = model.transduction_ if training else model.predict(Z)
    if _holds_sets(values):
        sets = np.empty(len(values), dtype=object)
        sets[:] = [tuple(map(str, v)) for v in values]
        sure = np.maximum(p, 1.0 - p).prod(axis=1)  # all labels right, each by itself
        return Answers(sets, sure, probabilities=p, classes=classes)
    place = {name: i for i, name in enumerate(classes)}
    values = np.asarray(values)
    at = np.array([place[v] for v in values.tolist()])
    return Answers(values, p[np.arange(len(p)), at], probabilities=p, classes=classes)


def _holds_sets(values: Any) -> bool:
    return isinstance(values, list) or (len(values) > 0 and isinstance(values[0], tuple))


def _numbers(model: Estimator, Z: np.ndarray, training: bool) -> Answers:
    try:
        values, deviation = model.predict(Z, return_std=True)
    except TypeError:  # some spaces know no variances: the spread of leave-one-out stands for it
        values, deviation = model.predict(Z), _unseen_spread(model)
    if training:
        values = np.asarray(model.transduction_)
    freedom = max(2.0, _n_labels(model) / SPENT)
    half = student.ppf(0.5 + COVERAGE / 2.0, freedom) * deviation
    return Answers(values, low=values - half, high=values + half)


def _n_labels(model: Estimator) -> int:
    return len(np.asarray(model.objective_.y))


def _unseen_spread(model: Estimator) -> float:
    """The root mean square of the leave-one-out residuals."""
    residual = np.asarray(model.objective_.y)[:, 0] - _unseen(model)
    return float(np.sqrt(np.mean(residual**2)))


def _unseen(model: Estimator) -> np.ndarray:
    found = np.asarray(model.leave_one_out_)[:, 0]
    return found[~np.isnan(found)]


def joined(frame: Frame, *columns: dict[str, Any]) -> Frame:
    """A table with columns added; those of the same name are replaced."""
    pandas = need("pandas", "A table")
    added = {name: values for part in columns for name, values in part.items()}
    rest = frame.drop(columns=[name for name in added if name in frame.columns])
    return pandas.concat([rest, pandas.DataFrame(added, index=frame.index)], axis=1)
