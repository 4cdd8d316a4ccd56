"""The hinge loss of support vector machines."""

import numpy as np

from .base import DualLoss


class Hinge(DualLoss):
    """V(y, f) = max(0, 1 − y f) for y in {−1, +1}.

    Its conjugate is V*(u) = y u where −1 ≤ y u ≤ 0. At the kink y f = 1 the subgradient is 0.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, §4.4, eqs. 9–12.

    Examples
    --------
    >>> import numpy as np
    >>> Hinge().value(np.array([[1.0, -1.0]]), np.array([[0.25, 0.25]]))
    array([[0.75, 1.25]])
    """

    kind = "classification"

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, 1.0 - y * f)

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.where(y * f < 1.0, -y, 0.0 * y)

    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return y * u

    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return y * np.clip(y * u, -1.0, 0.0)

    def box(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return -y[None], -np.ones_like(y)[None]
