"""Calibration: probabilities from scores."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from ..targets import both_columns

METHODS = ("sigmoid", "isotonic")
CENTER, WIDTH = 1.75, 0.5
"""The Cauchy prior of log(a g). g is the typical gap between the scores of the two best classes at
the predicted rows. ``docs/benchmarks/calibration.md`` has the table. Without any label a g is 5.8.
With a normal prior of the same width, coin flips stay too sure by 0.15 instead of 0.10."""

FAR = 3.0
"""A score counts as at most this many typical gaps behind the best one where a is fitted. Otherwise
one label with scores far larger than those of the predicted rows decides: with 12 labels, page
links had a gap of −0.12 (``docs/benchmarks/calibration.md``)."""

STEPS = np.linspace(-6.0, 8.0, 57)
"""Grid of log(a g). The search starts at its best value, because there can be several modes."""


class Temperature:
    """P(c | s) = exp(a s_c)/Σ_k exp(a s_k) for the scores s of a row, with one number a ≥ 0.

    All classes share a. Few labels can estimate one number, and it does not change the order of the
    classes. A single column s means two classes, P(+) = σ(2 a s). a is the mode of its posterior.
    The prior of log(a g) is a Cauchy distribution, 1.75 ± 0.5, where g is the typical gap. Without
    any label the prior alone decides. The labels are smoothed to 1 − ε with ε = ½/(l + 1), because
    no label is certain. No class counts as farther than 3 g behind the best one, because scores
    that predicted rows do not have tell nothing about these.

    Parameters
    ----------
    gap : float
        g ≥ 0, the median difference of the two largest scores at the predicted rows
        (:func:`lapwing.targets.typical_gap`). If all rows share their scores (g = 0), a is 0.
    few : float
        The mean of 1/m over the classes, where m is the number of labels of a class. The prior of
        a is that of many labels times 1 − few/2: half of it with one label per class.

    References
    ----------
    Guo, Pleiss, Sun, Weinberger 2017, *On calibration of modern neural networks*.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[2.0, 0.0], [1.0, 0.5], [0.2, 0.4], [0.4, 0.3]])
    >>> t = Temperature().fit(scores, np.array([0, 0, 1, 1]))
    >>> t.predict(scores).sum(axis=1)
    array([1., 1., 1., 1.])
    """

    def __init__(self, gap: float = 1.0, few: float = 0.0):
        self.gap, self.few = gap, few

    def fit(
        self, scores: np.ndarray, codes: np.ndarray, weights: np.ndarray | float = 1.0
    ) -> Temperature:
        """Fit a to scores, (l, q) or (l, 1), and class codes 0 … q − 1, (l,), or shares, (l, q).

        ``weights``, (l,), are the weights of the rows.
        """
        both = both_columns(scores)
        if not self.gap > 0 or not np.isfinite(self.gap):
            self.a = 0.0
            return self
        target = smoothed(codes, both.shape[1]) if codes.ndim == 1 else codes
        behind = both - both.max(axis=1, keepdims=True)
        near = np.maximum(behind, -FAR * self.gap, order="F")

        along = float((weights * (target * near).sum(axis=1)).sum())

        def loss(t: float) -> float:
            a = np.exp(t) / self.gap
            total = np.log(np.exp(a * near).sum(axis=1))  # the best score is 0: no overflow
            told = float((weights * total).sum()) - a * along
            return told - log_prior(t - np.log1p(-0.5 * self.few))

        best = STEPS[int(np.argmin([loss(t) for t in STEPS]))]
        step = STEPS[1] - STEPS[0]
        found = minimize_scalar(loss, bounds=(best - step, best + step), method="bounded")
        self.a = float(np.exp(found.x)) / self.gap
        return self

    def as_sure(self, scores: np.ndarray, confidence: float) -> Temperature:
        """Set a so that the mean of the largest probability over the rows is ``confidence``."""

        def excess(t: float) -> float:
            self.a = float(np.exp(t)) / self.gap
            return float(self.predict(scores).max(axis=1).mean()) - confidence

        low, high = STEPS[0], STEPS[-1]
        if not self.gap > 0:
            self.a = 0.0
        elif excess(low) < 0 and excess(high) > 0:  # else a stays at the last tried end
            excess(brentq(excess, low, high))
        return self

    def predict(self, scores: np.ndarray) -> np.ndarray:
        """The probabilities: (n, q) from scores (n, q), or (n, 2) from scores (n, 1)."""
        return softmax(self.a * both_columns(scores))


def softmax(z: np.ndarray) -> np.ndarray:
    """exp(z_c)/Σ_k exp(z_k) of each row; scipy's takes three times as long for a few hundred."""
    shares = np.array(z, order="F")  # over short rows, sums are slow
    shares -= shares.max(axis=1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def log_prior(t: float) -> float:
    """The log density of t = log(a g), up to a constant."""
    return -float(np.log1p(((t - CENTER) / WIDTH) ** 2))


def smoothed(codes: np.ndarray, q: int) -> np.ndarray:
    """The shares of the classes, (l, q): 1 − ε for the labeled class, with ε = ½/(l + 1)."""
    l = len(codes)
    epsilon = 0.5 / (l + 1)
    target = np.full((l, q), epsilon / (q - 1))
    target[np.arange(l), codes] = 1.0 - epsilon
    return target


def doubted(shares: np.ndarray, scores: np.ndarray, codes: np.ndarray, doubt: np.ndarray):
    """Move a part of each row's share to the best-scored other class, (l, q).

    Parameters
    ----------
    shares : array of shape (l, q)
        The shares of the classes.
    scores : array of shape (l, q) or (l, 1)
        The scores.
    codes : integer array of shape (l,)
        The labeled class.
    doubt : array of shape (l,)
        The part to move.
    """
    others = both_columns(scores).copy()
    rows = np.arange(len(codes))
    others[rows, codes] = -np.inf
    shares = shares * (1.0 - doubt[:, None])
    shares[rows, others.argmax(axis=1)] += doubt
    return shares


class Sigmoid:
    """P(y = 1 | s) = σ(a s + c) with a ≥ 0, by maximum likelihood on smoothed targets.

    The targets are (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2) instead of 1 and 0, for n₊ positive and n₋
    negative rows. So the fit also exists if the scores separate the classes. For a label without
    positives, a is 0.

    References
    ----------
    Platt 1999, *Probabilistic outputs for support vector machines*; Lin, Lin, Weng 2007.

    Examples
    --------
    >>> import numpy as np
    >>> s = Sigmoid().fit(np.array([-1.0, -0.5, 0.5, 1.0]), np.array([0, 0, 1, 1]))
    >>> bool(s.predict(np.array([2.0]))[0] > 0.75)
    True
    """

    def fit(self, score: np.ndarray, positive: np.ndarray) -> Sigmoid:
        positive = np.asarray(positive, dtype=bool)
        n_positive, n_negative = int(positive.sum()), int((~positive).sum())
        target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
        spread = float(np.std(score))
        self.a, self.c = 0.0, float(logit(target.mean()))
        if spread == 0.0 or not n_positive or not n_negative:
            return self
        z = (score - score.mean()) / spread
        # a target t is a positive of weight t and a negative of weight 1 − t
        line = LogisticRegression(C=1e8, tol=1e-10, max_iter=1000).fit(
            np.r_[z, z][:, None],
            np.repeat([1, 0], len(z)),
            sample_weight=np.r_[target, 1.0 - target],
        )
        a, c = float(line.coef_[0, 0]), float(line.intercept_[0])
        if a > 0:  # a score with the wrong ranking is not used
            self.a, self.c = a / spread, c - a * float(score.mean()) / spread
        return self

    def predict(self, score: np.ndarray) -> np.ndarray:
        return expit(self.a * score + self.c)


class Isotonic:
    """P(y = 1 | s) as the best non-decreasing step function of s, inside (0, 1)."""

    def fit(self, score: np.ndarray, positive: np.ndarray) -> Isotonic:
        n = len(score)
        bounds = {"y_min": 1 / (n + 2), "y_max": (n + 1) / (n + 2)}
        self._steps = IsotonicRegression(out_of_bounds="clip", **bounds)
        self._steps.fit(score, np.asarray(positive, dtype=np.float64))
        return self

    def predict(self, score: np.ndarray) -> np.ndarray:
        return self._steps.predict(score)


class Columns:
    """One calibration per column, for labels that do not exclude each other.

    P is above ½ where the score is positive, and nowhere else: it agrees with the prediction.

    Parameters
    ----------
    method : {"sigmoid", "isotonic"}
        The calibration of each column.
    """

    def __init__(self, method: str = "sigmoid"):
        self.kind = Sigmoid if method == "sigmoid" else Isotonic

    def fit(self, scores: np.ndarray, Y: np.ndarray) -> Columns:
        """Fit to scores, (l, q), NaN if not observed, and ±1 targets."""
        seen = ~np.isnan(scores)
        self.columns = [
            self.kind().fit(scores[seen[:, j], j], Y[seen[:, j], j] > 0) for j in range(Y.shape[1])
        ]
        return self

    def predict(self, scores: np.ndarray) -> np.ndarray:
        P = np.column_stack([c.predict(scores[:, j]) for j, c in enumerate(self.columns)])
        unsure = expit(1e-3 * scores)  # strictly increasing: as many ranks as scores
        return np.where(scores > 0, np.maximum(P, unsure), np.minimum(P, unsure))
