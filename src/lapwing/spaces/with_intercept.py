"""A space and an unpenalised constant that only the loss sees (MR §4.4)."""

from __future__ import annotations

import numpy as np

from .base import Element, Space


class WithIntercept(Space):
    """(f, b): M sees f, the loss sees f + b, ‖f‖² does not count b.

    Coefficients are those of the wrapped space with b as one more row, (m + 1, t).

    Parameters
    ----------
    space : Space
    """

    def __init__(self, space: Space):
        self.space = space
        self.n_points = space.n_points
        self.n_coef = space.n_coef + 1

    def evaluate(self, coef):
        return self.space.evaluate(coef[:-1])

    def readout(self, e):
        return self.space.readout(self._function(e)) + e.coef[-1]

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, coef[:-1]) + coef[-1]

    def represent(self, r_M, r_loss):
        return np.vstack([self.space.represent(r_M, r_loss), r_loss.sum(axis=0)])

    def inner(self, a: Element, b: Element):
        functions = self.space.inner(self._function(a), self._function(b))
        constants = a.coef[-1] * b.coef[-1]
        return functions + (constants if len(functions) == len(constants) else constants.sum())

    def penalized(self, coef):
        return np.vstack([self.space.penalized(coef[:-1]), np.zeros((1, coef.shape[1]))])

    def _function(self, e: Element) -> Element:
        return Element(self.space, e.coef[:-1], source=e)


def core_of(space: Space) -> tuple[Space, bool]:
    """The space without its intercept, and whether it had one."""
    return (space.space, True) if isinstance(space, WithIntercept) else (space, False)
