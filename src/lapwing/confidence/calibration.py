"""From scores to probabilities."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit, logsumexp, softmax
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

METHODS = ("sigmoid", "isotonic")
STEEPEST = 1e3
"""Bound on the slope of a temperature, for scores of unit spread."""


UNTOLD = 2.0
"""The temperature's a where no label can be left out: odds of e⁴ at a class's own target."""


class Temperature:
    """P(c | s) = exp(a s_c)/Σ_k exp(a s_k), one a ≥ 0 for all classes, by maximum likelihood.

    One number is what few labels can tell, and it leaves the order of the classes as it is. A
    single column s is two classes, P(+) = σ(2 a s). The labels are smoothed to 1 − ε with
    ε = ½/(l + 1), so that the fit exists also where no label contradicts its score; without any
    label a is 2.

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

    def fit(self, scores: np.ndarray, codes: np.ndarray, weights=None) -> Temperature:
        """From scores, (l, q) or (l, 1), and class codes 0 … q − 1, (l,)."""
        both = _two_sided(scores)
        if not len(both):
            self.a = UNTOLD
            return self
        spread = float(np.sqrt(np.mean((both - both.mean(axis=1, keepdims=True)) ** 2)))
        if spread == 0.0:
            self.a = 0.0
            return self
        l, q = both.shape
        epsilon = 0.5 / (l + 1)
        target = np.full((l, q), epsilon / (q - 1))
        target[np.arange(l), codes] = 1.0 - epsilon
        w = np.ones(l) if weights is None else weights

        def loss(a: float) -> float:
            z = a * both / spread
            return float(w @ (logsumexp(z, axis=1) - (target * z).sum(axis=1)))

        self.a = minimize_scalar(loss, bounds=(0.0, STEEPEST), method="bounded").x / spread
        return self

    def predict(self, scores: np.ndarray) -> np.ndarray:
        """(n, q) from (n, q), or (n, 2) from (n, 1)."""
        return softmax(self.a * _two_sided(scores), axis=1)


def _two_sided(scores: np.ndarray) -> np.ndarray:
    return np.hstack([-scores, scores]) if scores.shape[1] == 1 else scores


class Sigmoid:
    """P(y = 1 | s) = σ(a s + c), a ≥ 0, by maximum likelihood on smoothed targets.

    The targets are (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2) instead of 1 and 0: the fit exists also for
    scores that separate the classes, and for a label without positives, whose a is 0.

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
        if a > 0:  # a score that ranks the wrong way round tells nothing
            self.a, self.c = a / spread, c - a * float(score.mean()) / spread
        return self

    def predict(self, score: np.ndarray) -> np.ndarray:
        return expit(self.a * score + self.c)


class Isotonic:
    """P(y = 1 | s) as the best non-decreasing step function of s, kept inside (0, 1)."""

    def fit(self, score: np.ndarray, positive: np.ndarray) -> Isotonic:
        n = len(score)
        bounds = {"y_min": 1 / (n + 2), "y_max": (n + 1) / (n + 2)}
        self._steps = IsotonicRegression(out_of_bounds="clip", **bounds)
        self._steps.fit(score, np.asarray(positive, dtype=np.float64))
        return self

    def predict(self, score: np.ndarray) -> np.ndarray:
        return self._steps.predict(score)


class Columns:
    """One calibration per column: labels that do not exclude each other.

    Parameters
    ----------
    method : {"sigmoid", "isotonic"}
    """

    def __init__(self, method: str = "sigmoid"):
        self.kind = Sigmoid if method == "sigmoid" else Isotonic

    def fit(self, scores: np.ndarray, Y: np.ndarray) -> Columns:
        """From scores, (l, q), NaN where not observed, and ±1 targets."""
        seen = ~np.isnan(scores)
        self.columns = [
            self.kind().fit(scores[seen[:, j], j], Y[seen[:, j], j] > 0) for j in range(Y.shape[1])
        ]
        return self

    def predict(self, scores: np.ndarray) -> np.ndarray:
        return np.column_stack([c.predict(scores[:, j]) for j, c in enumerate(self.columns)])
