"""A space and several unpenalised constants, each seen by the loss on its own group of points."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .base import Element, Space


class WithOffsets(Space):
    """(f, b): M sees f, the loss at point i sees f_i + b_{group(i)}, ‖f‖² does not count b.

    One column only: the points are the pairs (row, output) of a vector-valued problem and the
    groups its outputs. :class:`~lapwing.spaces.WithIntercept` is the case of one group.

    Parameters
    ----------
    space : Space
    group : integer array of shape (n,)
    n_groups : int
    """

    def __init__(self, space: Space, group: np.ndarray, n_groups: int):
        self.space = space
        self.group = group
        self.n_groups = n_groups
        self.n_points = space.n_points
        self.n_coef = space.n_coef + n_groups

    def evaluate(self, coef):
        return self.space.evaluate(coef[: -self.n_groups])

    def readout(self, e):
        return self.space.readout(self._function(e)) + self.spread(e.coef)

    def evaluate_at(self, X, coef):
        raise TypeError("New points belong to no group: lift the coefficients first.")

    def represent(self, r_M, r_loss):
        sums = np.bincount(self.group, weights=r_loss[:, 0], minlength=self.n_groups)
        return np.vstack([self.space.represent(r_M, r_loss), sums[:, None]])

    def inner(self, a: Element, b: Element):
        functions = self.space.inner(self._function(a), self._function(b))
        return functions + np.vdot(a.coef[-self.n_groups :], b.coef[-self.n_groups :])

    def penalized(self, coef):
        kept = self.space.penalized(coef[: -self.n_groups])
        return np.vstack([kept, np.zeros((self.n_groups, coef.shape[1]))])

    def spread(self, coef: np.ndarray) -> np.ndarray:
        """b of each point's group, (n, 1)."""
        return coef[-self.n_groups :][self.group]

    @cached_property
    def membership(self) -> np.ndarray:
        """E_ig = 1 where point i is of group g, (n, n_groups)."""
        return (self.group[:, None] == np.arange(self.n_groups)).astype(np.float64)

    def _function(self, e: Element) -> Element:
        return Element(self.space, e.coef[: -self.n_groups], source=e)
