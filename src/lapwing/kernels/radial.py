"""The base class of kernels that depend on a distance divided by a width."""

import numpy as np
from sklearn.base import clone

from ..linalg.points import as_points
from ..parameters.checks import is_positive
from ..types import MatrixLike, RandomState
from .base import Kernel
from .widths import RULES

GONE = 1e3
"""e^{−1000} is zero. A larger exponent could give infinity times zero, which is NaN."""


class Radial(Kernel):
    """k(x, z) = p(d(x, z)/σ) with p(0) = 1. Subclasses have the parameter ``sigma``."""

    sigma: float | str
    metric = "euclidean"
    _rule = ""  # the rule that found the width; empty if the user gave a number

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Kernel:
        self._check()
        if not isinstance(self.sigma, str):
            return self
        return self.sized(RULES[self.sigma](X, self.metric, random_state))

    def sized(self, sigma: float) -> Kernel:
        """The kernel with the number ``sigma`` as its width. Its rule found that number."""
        built = clone(self).set_params(sigma=sigma)
        built._rule = self.sigma
        return built

    def resized(self, X: MatrixLike) -> Kernel:
        return clone(self).set_params(sigma=self._rule).build(X) if self._rule else self

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        self._width()
        X = as_points(X)
        return np.ones(X.shape[0], dtype=X.dtype)

    def _width(self) -> float:
        """σ of a built kernel, as a number."""
        self._check()
        if isinstance(self.sigma, str):
            raise ValueError(
                f"{self!r} does not know its width yet: call build(X) with the training rows "
                f"and use the kernel it returns, or give sigma as a number."
            )
        return float(self.sigma)

    def _check(self) -> None:
        if isinstance(self.sigma, float) and self.sigma == np.inf:
            raise ValueError(
                "sigma is inf: the distances between rows of X are too large for floats. Rescale "
                "X, or drop the rows with such values."
            )
        rule = isinstance(self.sigma, str) and self.sigma in RULES
        if not rule and not is_positive(self.sigma):
            rules = " or ".join(f'"{name}"' for name in RULES)
            raise ValueError(f"sigma is {self.sigma!r}; expected a positive number, {rules}.")
