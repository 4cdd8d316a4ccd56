"""The same functions with the intrinsic penalty moved into the norm (MR §4.4; SO eq. 16)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..linalg.gram_system import GramSystem
from ..regularizers import PSDOperator
from .base import Element, Space
from .exact import Exact


class Deformed(Space):
    """⟨f, g⟩ + ratio · fᵀM g in place of ⟨f, g⟩: the reproducing kernel becomes

        k̃(x, z) = k(x, z) − k_xᵀ (I + ratio M K)⁻¹ ratio M k_z.

    With ratio = γ_I/(γ_A n²), γ_A times the new squared norm is both penalties of the equation,
    so manifold regularisation is plain regularisation here: evaluate(c) = S.evaluate(c),
    represent(r) = (I + Φ* ratio M Φ)⁻¹ S.represent(r).

    Parameters
    ----------
    space : Exact
    operator : PSDOperator
    ratio : float

    References
    ----------
    Sindhwani, Niyogi, Belkin 2005, *Beyond the point cloud*; MR eqs. 10–12; SO eq. 16.
    """

    def __init__(self, space: Exact, operator: PSDOperator, ratio: float):
        self.space = space
        self.operator = operator
        self.ratio = ratio
        self.n_points = space.n_points
        self.n_coef = space.n_coef

    @cached_property
    def _system(self) -> GramSystem:
        return GramSystem(self.space.gram, self.operator.apply, 1.0, self.ratio)

    def evaluate(self, coef):
        return self.space.evaluate(coef)

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, coef)

    def represent(self, r_M, r_loss):
        r = self.space.represent(r_M, r_loss)
        return self._system.solve(r) if self.ratio else r

    def inner(self, a: Element, b: Element):
        intrinsic = np.einsum("it,it->t", a.values, self.operator.apply(b.values))
        return self.space.inner(a, b) + self.ratio * intrinsic

    def sections(self, rows: np.ndarray) -> np.ndarray:
        """Coefficients in the wrapped space of k̃(·, x_i) for the given rows i, (n, len(rows))."""
        unit = np.zeros((self.n_points, len(rows)))
        unit[rows, np.arange(len(rows))] = 1.0
        return self.represent(0.0, unit)
