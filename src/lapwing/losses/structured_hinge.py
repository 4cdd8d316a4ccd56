"""The structured hinge: the worst confusion, weighed by what it costs."""

from __future__ import annotations

import numpy as np

from ..outputs import Outputs
from ..outputs.base import Rescaling
from ..parameters.checks import check_option
from .base import DualLoss, Loss


class StructuredHinge(Loss):
    """V(y, F) = max over ȳ of Δ(y, ȳ)(1 − f(y) + f(ȳ)), or of Δ(y, ȳ) − f(y) + f(ȳ).

    The first form is slack re-scaling, the second margin re-scaling. Δ(y, ȳ) is the cost of
    answering ȳ where y is true, and f(ȳ) = ⟨λ(ȳ), F⟩ is the score of the output ȳ. The loss
    reads all columns of F and returns one number per row. At the maximizer ȳ the gradient is
    −s(λ(y) − λ(ȳ)), with s = Δ(y, ȳ) for slack re-scaling and s = 1 for margin re-scaling.
    V ≥ Δ(y, argmax f), so the mean of V bounds the empirical risk.

    Parameters
    ----------
    outputs : Outputs
        The built output structure, which searches for the maximizer.
    rescaling : {"slack", "margin"}, default="slack"

    References
    ----------
    Hu, Kwok (SO), eqs. 2 and 6; margin re-scaling is mentioned after eq. 2.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import Ring
    >>> loss = StructuredHinge(Ring(4).build())
    >>> loss.value(np.eye(4)[:1], np.zeros((1, 4)))  # f = 0: the most expensive confusion
    array([[2.]])
    """

    kind = "classification"
    couples = True

    def __init__(self, outputs: Outputs, rescaling: Rescaling = "slack") -> None:
        self.outputs = outputs
        self.rescaling = rescaling

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return self.outputs.separate(f, y, self.rescaling)[1][:, None]

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        worst, _ = self.outputs.separate(f, y, self.rescaling)
        return -self.difference(y, worst)

    def separated(self) -> FlipHinge | None:
        """The same loss as a sum over the columns, where it is one."""
        margin = self.outputs.margin_of_flips() if self.rescaling == "margin" else None
        return FlipHinge(margin) if margin else None

    def difference(self, y: np.ndarray, worst: np.ndarray) -> np.ndarray:
        """s(λ(y_i) − λ(ȳ_i)) of paired indicator rows, (m, q): what a cut measures f with."""
        change = self.outputs.features(y) - self.outputs.features(worst)
        if self.rescaling == "margin":
            return change
        return self.outputs.loss(y, worst)[:, None] * change

    def check_parameters(self) -> None:
        check_option("rescaling", self.rescaling, ("slack", "margin"))


class FlipHinge(DualLoss):
    """V(y, f) = max(0, m − 2 s f), s = 2y − 1, for y in {0, 1}: what one label's flip may cost.

    Its conjugate is V*(u) = m s u/2 where −2 ≤ s u ≤ 0. The sum over k labels at m = 1/k is
    :class:`StructuredHinge` of sets of labels, with margin re-scaling.

    Parameters
    ----------
    margin : float > 0
        m.
    """

    kind = "classification"

    def __init__(self, margin: float = 1.0) -> None:
        self.margin = margin

    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, self.margin - 2.0 * (2.0 * y - 1.0) * f)

    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        s = 2.0 * y - 1.0
        return np.where(2.0 * s * f < self.margin, -2.0 * s, 0.0 * s)

    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        return 0.5 * self.margin * (2.0 * y - 1.0) * u

    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        s = 2.0 * y - 1.0
        return s * np.clip(s * u, -2.0, 0.0)
