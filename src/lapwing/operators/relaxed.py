"""The penalty that is left on f when a second function g near f carries M."""

from functools import cached_property

import numpy as np

from ..linalg.cholesky import Cholesky
from ..linalg.conjugate_gradients import solve_columns
from .base import PSDOperator, as_values

DENSE_UP_TO = 8_000
"""The most points for which I + ρM is factored; beyond, conjugate gradients run to rounding."""


class RelaxedOperator(PSDOperator):
    """(I + ρM)⁻¹ M, by a dense Cholesky factor of I + ρM, or by conjugate gradients.

    This is the minimum of ‖f − g‖²/ρ + ⟨g, M g⟩ over g, as a quadratic form in f.

    Parameters
    ----------
    operator : PSDOperator
        M.
    ratio : float ≥ 0
        ρ.
    """

    _remade = ("_factor",)

    def __init__(self, operator: PSDOperator, ratio: float):
        self.operator = operator
        self.n = operator.n
        self.graph = operator.graph
        self._ratio = ratio

    @cached_property
    def _factor(self) -> Cholesky:
        system = self._ratio * self.operator.toarray()
        system.flat[:: len(system) + 1] += 1.0
        return Cholesky(system)

    def smooth(self, F: np.ndarray) -> np.ndarray:
        """(I + ρM)⁻¹ F: the minimizing g for f = F."""
        if self.n <= DENSE_UP_TO:
            return self._factor.solve(F)
        return solve_columns(lambda V: V + self._ratio * self.operator.apply(V), F, 1e-13)

    def apply(self, F):
        F = as_values(F)
        return self.smooth(self.operator.apply(F.astype(np.float64))).astype(F.dtype)
