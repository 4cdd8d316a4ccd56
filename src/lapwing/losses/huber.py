"""Huber's loss: squares near the target, absolute values far from it."""

from __future__ import annotations

import numpy as np

from .base import SmoothLoss

__all__ = ["Huber"]


class Huber(SmoothLoss):
    """V(y, f) = ½ r² if |r| ≤ δ, else δ|r| − ½ δ², with r = y − f.

    Huber's own scale, with the ½: for large δ it is half of :class:`Squared`, so γ_A and γ_I
    are halved to get the same minimiser.

    Parameters
    ----------
    delta : float > 0
        Residuals beyond δ count linearly: outliers.

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

    def __init__(self, delta: float = 1.0):
        self.delta = delta

    def check_parameters(self):
        if not 0 < self.delta < np.inf:
            raise ValueError(
                f"Huber needs a finite delta > 0, got {self.delta!r}; use Squared() for delta = ∞."
            )

    def value(self, y, f):
        r = np.abs(y - f)
        # q = min(r, δ): both branches are q (r − q/2), which cannot overflow where V does not.
        q = np.minimum(r, float(self.delta))
        return q * (r - 0.5 * q)

    def gradient(self, y, f):
        delta = float(self.delta)
        return np.clip(f - y, -delta, delta)

    def curvature(self, y, f):
        r = f - y
        return (np.abs(r) <= self.delta).astype(r.dtype)
