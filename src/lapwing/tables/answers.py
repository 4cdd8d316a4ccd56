"""What a fitted pipeline says of rows: answers, how sure it is, and between which bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .extras import need

PREFIX = "lapwing_"
NORMAL_95 = 1.96
"""Standard deviations to either side that hold 95 % of a normal distribution."""


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

    def columns(self, suffix="", *, proba=False, abstain=None, separator=";") -> dict:
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
                f"{PREFIX}prediction{suffix}": values,
                f"{PREFIX}low{suffix}": self.low,
                f"{PREFIX}high{suffix}": self.high,
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


def answers_at(pipeline, X, *, training: bool = False) -> Answers:
    """The answers of a fitted pipeline for the rows of a table.

    Parameters
    ----------
    pipeline : TablePipeline
    X : data frame
    training : bool
        Whether these are the rows of the fit, whose answers are the transduction.
    """
    encoder, model = pipeline[0], pipeline[-1]
    Z = encoder.transform(X)
    if hasattr(model, "predict_proba"):
        return _classes(model, Z, training)
    return _numbers(model, Z, training)


def _classes(model, Z: np.ndarray, training: bool) -> Answers:
    p = np.asarray(model.predict_proba(Z))
    classes = list(np.asarray(model.classes_).tolist())
    values = model.transduction_ if training else model.predict(Z)
    if _holds_sets(values):
        sets = np.empty(len(values), dtype=object)
        sets[:] = [tuple(map(str, v)) for v in values]
        return Answers(sets, np.maximum(p, 1.0 - p).min(axis=1), probabilities=p, classes=classes)
    place = {name: i for i, name in enumerate(classes)}
    values = np.asarray(values)
    at = np.array([place[v] for v in values.tolist()])
    return Answers(values, p[np.arange(len(p)), at], probabilities=p, classes=classes)


def _holds_sets(values) -> bool:
    return isinstance(values, list) or (len(values) > 0 and isinstance(values[0], tuple))


def _numbers(model, Z: np.ndarray, training: bool) -> Answers:
    try:
        values, deviation = model.predict(Z, return_std=True)
    except TypeError:  # some spaces know no variances: the spread of leave-one-out stands for it
        values, deviation = model.predict(Z), _unseen_spread(model)
    if training:
        values = np.asarray(model.transduction_)
    half = NORMAL_95 * deviation
    return Answers(values, low=values - half, high=values + half)


def _unseen_spread(model) -> float:
    """The root mean square of the leave-one-out residuals."""
    residual = np.asarray(model.objective_.y)[:, 0] - _unseen(model)
    return float(np.sqrt(np.mean(residual**2)))


def _unseen(model) -> np.ndarray:
    found = np.asarray(model.leave_one_out_)[:, 0]
    return found[~np.isnan(found)]


def joined(frame, *columns: dict):
    """A table with columns added; those of the same name are replaced."""
    pandas = need("pandas", "A table")
    added = {name: values for part in columns for name, values in part.items()}
    rest = frame.drop(columns=[name for name in added if name in frame.columns])
    return pandas.concat([rest, pandas.DataFrame(added, index=frame.index)], axis=1)
