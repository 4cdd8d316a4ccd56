"""How often a fitted pipeline errs: at labels it was not told, with an interval that is exact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import binomtest

from ..targets import best_class
from ..types import Estimator
from .labels import Labels
from .words import number

LEVEL = 0.95
RESAMPLES = 2000
"""Bootstrap draws for the interval of a root mean square error."""


@dataclass(frozen=True)
class Errors:
    """An error with its interval.

    Attributes
    ----------
    value, low, high : float
        A share of wrong answers (of wrong labels, where a row has several), or a root mean square
        error, and its 95 % interval.
    count : int
        Rows it was measured on.
    wrong : int or None
        Rows whose answer is not wholly right; None for real targets.
    how : str
        How it was found, in words.
    r2 : float or None
        The share of the variance that is explained, for real targets.
    exact : bool
        Whether the interval is that of as many independent answers; not so after a search.
    several : bool
        Whether a row may have several labels.
    """

    value: float
    low: float
    high: float
    count: int
    wrong: int | None
    how: str
    r2: float | None = None
    exact: bool = True
    several: bool = False

    def __str__(self) -> str:
        if not self.count:
            return "the error is not known, as no label can be left out (all are in one group)"
        if self.wrong is None:
            return (
                f"error {number(self.value)} (95 % interval {number(self.low)} to "
                f"{number(self.high)}; {self.count} rows, R² {self.r2:.2f})"
            )
        interval = f"{100 * self.low:.1f} to {100 * self.high:.1f} %"
        if self.several:
            return (
                f"{100 * self.value:.1f} % of single labels wrong (95 % interval {interval}; "
                f"{self.wrong} of {self.count} rows not wholly right)"
            )
        if not self.exact:
            return f"{100 * self.value:.1f} % errors expected (95 % interval {interval})"
        return (
            f"{100 * self.value:.1f} % errors ({self.wrong} of {self.count}; exact 95 % interval "
            f"{interval})"
        )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = {"value": self.value, "low": self.low, "high": self.high, "count": self.count}
        extra = {"r2": self.r2} if self.wrong is None else {"wrong": self.wrong}
        return {**found, **extra, "how": self.how, "exact": self.exact}


def share_wrong(wrong: np.ndarray, how: str) -> Errors:
    """The share of wrong answers with the exact binomial interval of Clopper and Pearson.

    Examples
    --------
    >>> print(share_wrong(np.array([True, False, False, False]), "counted"))
    25.0 % errors (1 of 4; exact 95 % interval 0.6 to 80.6 %)
    """
    k, n = int(wrong.sum()), len(wrong)
    interval = binomtest(k, n).proportion_ci(LEVEL, method="exact")
    return Errors(k / n, float(interval.low), float(interval.high), n, k, how)


def root_mean_square(residual: np.ndarray, truth: np.ndarray, how: str, seed: int = 0) -> Errors:
    """The root mean square error with a bootstrap interval."""
    squares = residual**2
    draws = np.random.default_rng(seed).integers(0, len(squares), (RESAMPLES, len(squares)))
    low, high = np.quantile(np.sqrt(squares[draws].mean(axis=1)), [0.025, 0.975])
    spread = float(np.var(truth))
    r2 = 1.0 - float(squares.mean()) / spread if spread > 0 else float("nan")
    return Errors(
        float(np.sqrt(squares.mean())), float(low), float(high), len(squares), None, how, r2
    )


def unseen_scores_of(model: Estimator) -> tuple[np.ndarray, np.ndarray]:
    """Scores at the labeled rows without their labels, (l, t), and which rows these are, (l,).

    A row is answered without the labels of its whole group, where the fit was told groups.
    """
    scores = np.asarray(model.leave_one_out_)
    rows = np.flatnonzero(~np.isnan(scores).all(axis=1))
    return scores[rows], rows


def unseen_errors(model: Estimator, labels: Labels) -> Errors:
    """The error at the labeled rows, each answered without its label (or its group's labels)."""
    scores, rows = unseen_scores_of(model)
    groups = model.diagnostics().groups
    grouped = len(np.unique(groups)) < len(groups)
    how = "leaving out one group at a time" if grouped else "leave-one-out"
    if not len(rows):
        return Errors(float("nan"), 0.0, 1.0, 0, 0, how)
    if labels.task == "real":
        truth = np.asarray(labels.y[rows], dtype=float)
        counted, scale = root_mean_square(truth - scores[:, 0], truth, how), float(np.std(truth))
    else:
        counted, scale = share_wrong(unseen_wrong(model, labels, scores, rows), how), 1.0
    value, (low, high) = expected_error(model)
    if not np.isfinite([value, low, high, scale]).all():
        return counted
    return replace(
        counted, value=scale * value, low=scale * low, high=scale * high, exact=False,
        r2=1.0 - value**2 if labels.task == "real" else None, several=labels.task == "labels",
        how=f"{how} over {counted.count} labels, with allowance for the choice of settings",
    )  # fmt: skip


def expected_error(
    model: Estimator, optimism: np.ndarray | None = None
) -> tuple[float, tuple[float, float]]:
    """The error to expect at unlabeled rows and its 95 % interval.

    Both allow for the choice of the settings, and are ``leave_one_out_error_`` and
    ``leave_one_out_interval_``. NaN where no label can be judged.

    Parameters
    ----------
    model : estimator
        Fitted.
    optimism : array, optional
        ``selection_.optimism`` of the fit that chose the settings of this one; None: its own.
    """
    told = replace(model.diagnostics())
    if optimism is not None:
        told.optimism = optimism
    return told.error(), told.interval()


def unseen_wrong(
    model: Estimator, labels: Labels, scores: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Whether each labeled row is answered wrongly from such scores, (l,)."""
    classes = list(np.asarray(model.classes_).tolist())
    if labels.task == "labels":
        told = np.array([[c in labels.y[i] for c in classes] for i in rows])
        return ((scores > 0) != told).any(axis=1)
    best = best_class(scores)
    return np.array([classes[b] != labels.y[i] for b, i in zip(best, rows, strict=True)])
