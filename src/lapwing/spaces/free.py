"""What no term penalizes: intercepts, constants of groups, what M does not see at γ_A = 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class FreeFunctions:
    """g functions beside a kernel, the same for each output.

    Attributes
    ----------
    rows : array of shape (n, g)
        Their readouts at the training rows.
    at : callable
        X ↦ the same at new points, (len(X), g).
    join : callable
        (coefficients of a function, b) ↦ those of it plus the free functions times b, (g, t).
    """

    rows: np.ndarray = field(repr=False)
    at: Callable = field(repr=False)
    join: Callable = field(repr=False)

    @classmethod
    def none(cls, n: int) -> FreeFunctions:
        """No function at all, beside n rows."""
        return cls(np.zeros((n, 0)), lambda X: np.zeros((X.shape[0], 0)), lambda coef, b: coef)

    @property
    def g(self) -> int:
        """How many there are."""
        return self.rows.shape[1]

    def beside(self, other: FreeFunctions) -> FreeFunctions:
        """These first, then the others."""
        g = self.g
        return FreeFunctions(
            np.hstack([self.rows, other.rows]),
            lambda X: np.hstack([self.at(X), other.at(X)]),
            lambda coef, b: other.join(self.join(coef, b[:g]), b[g:]),
        )


def of_pairs(free: np.ndarray, output: np.ndarray, q: int) -> np.ndarray:
    """Functions that each of q outputs has, (P, g), at pairs with these outputs: (P, g q)."""
    own = np.zeros((len(output), free.shape[1], q))
    own[np.arange(len(output)), :, output] = free
    return own.reshape(len(output), -1)
