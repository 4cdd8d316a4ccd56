"""From scores to probabilities, label by label."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression

METHODS = ("sigmoid", "isotonic")
MAX_STEPS = 100


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
        z = np.column_stack([(score - score.mean()) / spread, np.ones(len(score))])
        a, c = _newton(z, target, np.array([0.0, self.c]))
        if a > 0:  # a score that ranks the wrong way round tells nothing
            self.a, self.c = a / spread, c - a * float(score.mean()) / spread
        return self

    def predict(self, score: np.ndarray) -> np.ndarray:
        return expit(self.a * score + self.c)


def _newton(z: np.ndarray, target: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Maximum likelihood of σ(zθ): Newton's method with halved steps."""

    def value(theta):
        s = z @ theta
        return float(np.sum(np.logaddexp(0.0, s) - target * s))

    for _ in range(MAX_STEPS):
        p = expit(z @ theta)
        gradient = z.T @ (p - target)
        if np.abs(gradient).max() < 1e-10 * len(z):
            break
        hessian = (z * (p * (1 - p))[:, None]).T @ z + 1e-12 * np.eye(2)
        direction, step = np.linalg.solve(hessian, gradient), 1.0
        while value(theta - step * direction) > value(theta) and step > 1e-10:
            step *= 0.5
        theta = theta - step * direction
    return theta


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


def calibrate(method: str, scores: np.ndarray, Y: np.ndarray, observed: np.ndarray) -> list:
    """One calibration per column from held-out scores, (n, q), and ±1 targets."""
    kind = Sigmoid if method == "sigmoid" else Isotonic
    columns = range(Y.shape[1])
    seen = np.broadcast_to(observed, Y.shape)
    return [kind().fit(scores[seen[:, j], j], Y[seen[:, j], j] > 0) for j in columns]
