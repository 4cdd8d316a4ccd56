"""Huber's loss. Small residuals count by their square, large ones by their absolute value."""

import numpy as np

from ..parameters.arguments import AUTO, is_auto
from .base import SmoothLoss
from .width import WithWidth


class Huber(WithWidth, SmoothLoss):
    """V(y, f) = ½ r² if |r| ≤ δ, else δ|r| − ½ δ², with r = y − f.

    For large δ this is half of :class:`Squared`. Halve γ_A and γ_I to get the same minimizer.

    Parameters
    ----------
    delta : float > 0, or "auto"
        Residuals beyond δ count linearly. Outliers then have less weight. ``"auto"`` is the spread
        of the labeled targets, computed for each column
        (:func:`~lapwing.losses.width.target_scale`). Targets in another unit then give the same
        predictions in that unit.

    References
    ----------
    Huber 1964, *Robust Estimation of a Location Parameter*.

    Examples
    --------
    >>> import numpy as np
    >>> Huber(delta=1.0).value(np.array([[0.0, 0.0]]), np.array([[1.0, 3.0]]))
    array([[0.5, 2.5]])
    """

    kind = "regression"
    of_difference = True
    width, share = "delta", 1.0

    def __init__(self, delta: float | np.ndarray | str = AUTO) -> None:
        self.delta = delta

    def check_parameters(self) -> None:
        if is_auto(self.delta):
            return
        if isinstance(self.delta, str) or not np.all((self.delta > 0) & (self.delta < np.inf)):
            raise ValueError(
                f"Huber needs a finite delta > 0, got {self.delta!r}; use Squared() for delta = ∞."
            )

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        r = np.abs(y - f)
        # q = min(r, δ): both branches are q (r − q/2), which cannot overflow where V does not.
        q = np.minimum(r, self._width)
        return q * (r - 0.5 * q)

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        delta, r = self._width, f - y
        return np.clip(r, -delta, delta).astype(r.dtype, copy=False)

    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        r = f - y
        return (np.abs(r) <= self._width).astype(r.dtype)
