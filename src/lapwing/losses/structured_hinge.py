"""The structured hinge loss: the largest violation over all wrong outputs, weighted by its cost."""

from __future__ import annotations

import numpy as np

from ..outputs import Outputs
from ..outputs.base import Rescaling
from ..parameters.checks import check_option
from .base import DualLoss, Loss


class StructuredHinge(Loss):
    """V(y, F) = max over ȳ of Δ(y, ȳ)(1 − f(y) + f(ȳ)), or of Δ(y, ȳ) − f(y) + f(ȳ).

    The first form is slack re-scaling, the second margin re-scaling. Δ(y, ȳ) is the cost of
    predicting ȳ if y is true. λ(ȳ), shape (q,), is the feature vector of the output ȳ, and f(ȳ) =
    ⟨λ(ȳ), F⟩ is its score. The loss reads all columns of F and returns one number per row. At the
    maximizer ȳ the gradient is −s(λ(y) − λ(ȳ)), with s = Δ(y, ȳ) for slack re-scaling and s = 1 for
    margin re-scaling. V ≥ Δ(y, argmax f). The mean of V therefore bounds the empirical risk.

    Parameters
    ----------
    outputs : Outputs
        The built output structure. It finds the maximizer ȳ.
    rescaling : {"slack", "margin"}, default="slack"
        The form of the loss.

    References
    ----------
    Hu, Kwok (SO), eqs. 2 and 6; margin re-scaling is mentioned after eq. 2.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import Ring
    >>> loss = StructuredHinge(Ring(4).build())
    >>> loss.value(np.eye(4)[:1], np.zeros((1, 4)))  # f = 0: the largest cost
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
        """The same loss as a sum over the columns. None if it is no such sum."""
        margin = self.outputs.margin_of_flips() if self.rescaling == "margin" else None
        return FlipHinge(margin) if margin else None

    def difference(self, y: np.ndarray, worst: np.ndarray) -> np.ndarray:
        """s(λ(y_i) − λ(ȳ_i)), shape (m, q), for m pairs of indicator rows y_i and ȳ_i.

        A cutting plane multiplies f by these vectors.
        """
        change = self.outputs.features(y) - self.outputs.features(worst)
        if self.rescaling == "margin":
            return change
        return self.outputs.loss(y, worst)[:, None] * change

    def check_parameters(self) -> None:
        check_option("rescaling", self.rescaling, ("slack", "margin"))


class FlipHinge(DualLoss):
    """V(y, f) = max(0, m − 2 s f) with s = 2y − 1, for one label y in {0, 1}.

    Its conjugate is V*(u) = m s u/2 where −2 ≤ s u ≤ 0. The sum over k labels with m = 1/k equals
    :class:`StructuredHinge` for label sets with margin re-scaling.

    Parameters
    ----------
    margin : float > 0
        The margin m.
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
