"""The ε-insensitive loss of support vector regression."""

from typing import Any

import numpy as np

from ..parameters.arguments import AUTO, is_auto
from ..parameters.checks import is_positive
from .base import DualLoss, Loss
from .width import WithWidth, of_outputs, widths


class EpsilonInsensitive(WithWidth, DualLoss):
    """V(y, f) = s max(0, |y − f| − ε).

    Its conjugate is V*(u) = y u + ε|u| where |u| ≤ s. At the kinks |y − f| = ε the
    subgradient is 0.

    Parameters
    ----------
    epsilon : float ≥ 0, or "auto"
        Errors up to ε cost nothing. ``"auto"`` is a tenth of the spread of the labeled targets. It
        is computed for each column (:func:`~lapwing.losses.width.target_scale`).
    slope : float > 0, or "auto"
        The factor s. ``"auto"`` is 1 if ``epsilon`` is given, and otherwise the spread of the
        labeled targets: V is then in the unit of y² like the penalties, and targets in another unit
        give the same predictions in that unit.

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

    def __init__(
        self, epsilon: float | np.ndarray | str = AUTO, slope: float | np.ndarray | str = AUTO
    ) -> None:
        self.epsilon = epsilon
        self.slope = slope

    def check_parameters(self) -> None:
        if not (is_auto(self.slope) or np.ndim(self.slope) or is_positive(self.slope)):
            raise ValueError(f"EpsilonInsensitive needs a slope > 0, got {self.slope!r}.")
        if is_auto(self.epsilon):
            return
        if isinstance(self.epsilon, str) or not np.all(
            (self.epsilon >= 0) & (self.epsilon < np.inf)
        ):
            raise ValueError(
                f"EpsilonInsensitive needs a finite epsilon ≥ 0, got {self.epsilon!r}."
            )

    def build(self, Y: np.ndarray, observed: np.ndarray) -> Loss:
        if not is_auto(self.epsilon):
            return self
        epsilon = widths(self.share, Y, observed)
        slope = epsilon / self.share if is_auto(self.slope) else self.slope
        return EpsilonInsensitive(epsilon, slope)

    def at(self, outputs: Any, rows: Any = slice(None)) -> Loss:
        if np.ndim(self.epsilon) == 0:
            return self
        slope = np.broadcast_to(self._slope, np.shape(self.epsilon))
        return EpsilonInsensitive(
            of_outputs(self._width, outputs, rows), of_outputs(slope, outputs, rows)
        )

    @property
    def _slope(self) -> Any:
        return 1.0 if is_auto(self.slope) else self.slope

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return self._slope * np.maximum(0.0, np.abs(y - f) - self._width)

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        r = f - y
        return np.where(np.abs(r) > self._width, self._slope * np.sign(r), 0.0 * r)

    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return y * u + self._width * np.abs(u)

    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.clip(u, -self._slope, self._slope)
