"""The logistic loss. σ(f) is its probability."""

import numpy as np
from scipy.special import expit

from .base import SmoothLoss


class Logistic(SmoothLoss):
    """V(y, f) = log(1 + e^{−y f}) for y in {−1, +1}, without overflow for any f.

    The loss is the negative log-likelihood of P(y | f) = σ(y f) with σ(z) = 1/(1 + e^{−z}).

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), Theorem 2, which holds for every convex loss.

    Examples
    --------
    >>> import numpy as np
    >>> Logistic().value(np.array([[1.0, -1.0]]), np.array([[1e4, 1e4]]))
    array([[    0., 10000.]])
    >>> Logistic().probability(np.array([[0.0]]))
    array([[0.5]])
    """

    kind = "classification"

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.logaddexp(0.0, -y * f)

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return -y * expit(-y * f)

    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return y * y * expit(f) * expit(-f)

    def probability(self, f: np.ndarray) -> np.ndarray:
        """σ(f) = P(y = +1 | f), with the shape of f."""
        return expit(f)
