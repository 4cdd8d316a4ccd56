"""The ε-insensitive loss of support vector regression."""

from __future__ import annotations

import numpy as np

from .base import DualLoss

__all__ = ["EpsilonInsensitive"]


class EpsilonInsensitive(DualLoss):
    """V(y, f) = max(0, |y − f| − ε).

    Its conjugate is V*(u) = y u + ε|u| where |u| ≤ 1. At the kinks |y − f| = ε the
    subgradient is 0.

    Parameters
    ----------
    epsilon : float ≥ 0
        Half the width of the tube in which an error is free.

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

    def __init__(self, epsilon: float = 0.1):
        self.epsilon = epsilon

    def check_parameters(self):
        if not 0 <= self.epsilon < np.inf:
            raise ValueError(
                f"EpsilonInsensitive needs a finite epsilon ≥ 0, got {self.epsilon!r}."
            )

    def value(self, y, f):
        return np.maximum(0.0, np.abs(y - f) - float(self.epsilon))

    def gradient(self, y, f):
        r = f - y
        return np.where(np.abs(r) > self.epsilon, np.sign(r), 0.0 * r)

    def conjugate(self, y, u):
        return y * u + float(self.epsilon) * np.abs(u)

    def clip(self, y, u):
        return np.clip(u, -1.0, 1.0)
