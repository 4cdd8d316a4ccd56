"""The squared hinge loss of support vector machines. Newton's method can minimize it."""

import numpy as np

from .base import SmoothLoss


class SquaredHinge(SmoothLoss):
    """V(y, f) = max(0, 1 − y f)² for y in {−1, +1}.

    The curvature jumps from 2 to 0 at y f = 1. At that point it is 0 here.

    References
    ----------
    Melacci, Belkin 2011, *Laplacian Support Vector Machines Trained in the Primal* (JMLR 12), §3.

    Examples
    --------
    >>> import numpy as np
    >>> SquaredHinge().value(np.array([[1.0, -1.0]]), np.array([[0.5, 0.5]]))
    array([[0.25, 2.25]])
    """

    kind = "classification"

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, 1.0 - y * f) ** 2

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return -2.0 * y * np.maximum(0.0, 1.0 - y * f)

    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.where(y * f < 1.0, 2.0 * y * y, 0.0 * y)
