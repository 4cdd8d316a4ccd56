"""How often a fitted pipeline errs: at labels it was not told, with an interval that is exact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import binomtest

from ..confidence import in_folds
from ..confidence.errors import error_estimate, error_interval
from ..targets import best_class
from ..types import Estimator
from .labels import Labels

LEVEL = 0.95
RESAMPLES = 2000
"""Bootstrap draws for the interval of a root mean square error."""


@dataclass(frozen=True)
class Errors:
    """An error with its interval.

    Attributes
    ----------
    value, low, high : float
        A share of wrong answers, or a root mean square error, and its 95 % interval.
    count : int
        Rows it was measured on.
    wrong : int or None
        Wrong answers; None for real targets.
    how : str
        How it was found, in words.
    r2 : float or None
        The share of the variance that is explained, for real targets.
    exact : bool
        Whether the interval is that of as many independent answers; not so after a search.
    """

    value: float
    low: float
    high: float
    count: int
    wrong: int | None
    how: str
    r2: float | None = None
    exact: bool = True

    def __str__(self) -> str:
        if self.wrong is None:
            return (
                f"error {self.value:.4g} (95 % interval {self.low:.4g} to {self.high:.4g}; "
                f"{self.count} rows, R² {self.r2:.2f})"
            )
        if not self.exact:
            return (
                f"{100 * self.value:.1f} % errors expected (95 % interval {100 * self.low:.1f} to "
                f"{100 * self.high:.1f} %)"
            )
        return (
            f"{100 * self.value:.1f} % errors ({self.wrong} of {self.count}; exact 95 % interval "
            f"{100 * self.low:.1f} to {100 * self.high:.1f} %)"
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


def unseen_scores_of(
    model: Estimator, groups: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Scores at the labeled rows without their labels, (l, t), and which rows these are, (l,).

    With ``groups`` a row is answered without the labels of its whole group.
    """
    scores = np.asarray(model.leave_one_out_)
    rows = np.flatnonzero(~np.isnan(scores).all(axis=1))
    if groups is None:
        return scores[rows], rows
    labeled = model.objective_.rows
    _, codes = np.unique(groups[labeled], return_inverse=True)
    folds = [np.flatnonzero(codes == g) for g in range(codes.max() + 1)]
    return in_folds(model.objective_, folds), labeled


def unseen_errors(model: Estimator, labels: Labels, groups: np.ndarray | None = None) -> Errors:
    """The error at the labeled rows, each answered without its label (or its group's labels)."""
    scores, rows = unseen_scores_of(model, groups)
    how = "leave-one-out" if groups is None else "leaving out one group at a time"
    if labels.task == "real":
        truth = np.asarray(labels.y[rows], dtype=float)
        return root_mean_square(truth - scores[:, 0], truth, how)
    counted = share_wrong(unseen_wrong(model, labels, scores, rows), how)
    if labels.task != "class":
        return counted
    value, (low, high) = expected_share(model, groups)
    if np.isnan(value):
        return counted
    how += f" over {counted.count} labels, with allowance for the choice of settings"
    return replace(counted, value=value, low=low, high=high, exact=False, how=how)


def expected_share(
    model: Estimator, groups: np.ndarray | None = None, optimism: np.ndarray | None = None
) -> tuple[float, tuple[float, float]]:
    """The share of errors to expect at unlabeled rows and its 95 % interval, of a classifier.

    Both allow for the choice of the settings (``leave_one_out_interval_``). With ``groups`` labels
    are answered without those of their group, and a group counts as one label does: its rows are
    alike. NaN where no label can be judged.

    Parameters
    ----------
    model : estimator
        Fitted, of classes that exclude each other.
    groups : integer array of shape (n,), optional
    optimism : array, optional
        ``selection_.optimism`` of the fit that chose the settings of this one; None: its own.
    """
    told = model.diagnostics()
    if optimism is not None:
        told = replace(told, optimism=optimism)
    if groups is None:
        return told.error(), told.interval()
    _, group = np.unique(groups[model.objective_.rows], return_inverse=True)
    labels = np.zeros((told.codes.max() + 1, group.max() + 1))
    np.add.at(labels, (told.codes, group), 1)
    counts = labels.sum(axis=1)[told.codes] / labels[told.codes, group]
    judged = counts > 1  # the class has a label outside the group
    if not judged.any():
        return float("nan"), (0.0, 1.0)
    scores, _ = unseen_scores_of(model, groups)
    prices = np.clip((best_class(scores) != told.codes) + told.added, 0.0, 1.0)
    of_group = _means(prices[judged], group[judged]), _means(counts[judged], group[judged])
    return error_estimate(*of_group), error_interval(*of_group)


def _means(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The mean of each group that is there."""
    size = np.bincount(group)
    return (np.bincount(group, values) / np.maximum(size, 1))[size > 0]


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
