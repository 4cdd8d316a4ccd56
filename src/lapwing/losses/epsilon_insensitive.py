"""The ε-insensitive loss of support vector regression."""

import numpy as np

from ..parameters.arguments import AUTO, is_auto
from .base import DualLoss
from .width import WithWidth


class EpsilonInsensitive(WithWidth, DualLoss):
    """V(y, f) = max(0, |y − f| − ε).

    Its conjugate is V*(u) = y u + ε|u| where |u| ≤ 1. At the kinks |y − f| = ε the
    subgradient is 0.

    Parameters
    ----------
    epsilon : float ≥ 0, or "auto"
        Errors up to ε cost nothing. ``"auto"`` is a tenth of the spread of the labeled targets. It
        is computed for each column (:func:`~lapwing.losses.width.target_scale`).

    References
    ----------
    Vapnik 1995, *The Nature of Statistical Learning Theory*, ch. 6.

    Examples
    --------
    >>> import numpy as np
    >>> EpsilonInsensitive(epsilon=0.5).value(np.array([[0.0, 0.0]]), np.array([[0.25, 2.0]]))
    array([[0. , 1.5]])
    """

    kind = "regression"
    of_difference = True
    width, share = "epsilon", 0.1

    def __init__(self, epsilon: float | np.ndarray | str = AUTO) -> None:
        self.epsilon = epsilon

    def check_parameters(self) -> None:
        if is_auto(self.epsilon):
            return
        if isinstance(self.epsilon, str) or not np.all(
            (self.epsilon >= 0) & (self.epsilon < np.inf)
        ):
            raise ValueError(
                f"EpsilonInsensitive needs a finite epsilon ≥ 0, got {self.epsilon!r}."
            )

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, np.abs(y - f) - self._width)

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        r = f - y
        return np.where(np.abs(r) > self._width, np.sign(r), 0.0 * r)

    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return y * u + self._width * np.abs(u)

    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.clip(u, -1.0, 1.0)
