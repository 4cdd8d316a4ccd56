"""The squared loss of regularized least squares."""

import numpy as np

from .base import QuadraticLoss


class Squared(QuadraticLoss):
    """V(y, f) = (y − f)², without a factor ½.

    With targets ±1 the loss is also used for classification (RLS, LapRLS).

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, §4.1 and eq. 8.

    Examples
    --------
    >>> import numpy as np
    >>> Squared().value(np.array([[1.0]]), np.array([[0.5]]))
    array([[0.25]])
    """

    kind = "both"
    of_difference = True

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return (y - f) ** 2

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return 2.0 * (f - y)

    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.full_like(f, 2.0)
