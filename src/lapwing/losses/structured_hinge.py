"""The structured hinge: the worst confusion, weighed by what it costs."""

from __future__ import annotations

import numpy as np

from ..outputs import Outputs
from ..outputs.base import Rescaling
from .base import Loss

__all__ = ["StructuredHinge"]


class StructuredHinge(Loss):
    """V(y, F) = max over ȳ of Δ(y, ȳ)(1 − f(y) + f(ȳ)), or of Δ(y, ȳ) − f(y) + f(ȳ).

    f(ȳ) = ⟨λ(ȳ), F⟩, F being the readout: the loss reads all columns of F at once, and its value
    is one number per row. At the maximiser ȳ the gradient is −s(λ(y) − λ(ȳ)), with s = Δ(y, ȳ)
    for slack re-scaling and s = 1 for margin re-scaling. V bounds Δ(y, argmax f), so
    its mean bounds the empirical risk.

    Parameters
    ----------
    outputs : Outputs
        The built output structure, which searches for the maximiser.
    rescaling : {"slack", "margin"}, default="slack"

    References
    ----------
    SO (2) and (6); margin re-scaling as mentioned there after (2).

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import Ring
    >>> loss = StructuredHinge(Ring(4).build())
    >>> loss.value(np.eye(4)[:1], np.zeros((1, 4)))  # f = 0: the most expensive confusion
    array([[2.]])
    """

    kind = "classification"
    solver = "cuts"

    def __init__(self, outputs: Outputs, rescaling: Rescaling = "slack"):
        self.outputs = outputs
        self.rescaling = rescaling

    def value(self, y, f):
        return self.outputs.separate(f, y, self.rescaling)[1][:, None]

    def gradient(self, y, f):
        worst, _ = self.outputs.separate(f, y, self.rescaling)
        return -self.difference(y, worst)

    def difference(self, y: np.ndarray, worst: np.ndarray) -> np.ndarray:
        """s(λ(y_i) − λ(ȳ_i)) of paired indicator rows, (m, q): what a cut measures f with."""
        change = self.outputs.features(y) - self.outputs.features(worst)
        if self.rescaling == "margin":
            return change
        return self.outputs.loss(y, worst)[:, None] * change

    def check_parameters(self) -> None:
        if self.rescaling not in ("slack", "margin"):
            raise ValueError(f"rescaling must be 'slack' or 'margin', got {self.rescaling!r}.")
