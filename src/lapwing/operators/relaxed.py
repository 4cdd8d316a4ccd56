"""A penalty that a second function bears."""

import numpy as np

from ..linalg.resolvents.base import Cholesky
from .base import PSDOperator, as_values


class RelaxedOperator(PSDOperator):
    """(I + ρM)⁻¹ M, through a dense Cholesky factor of I + ρM.

    Parameters
    ----------
    operator : PSDOperator
        M.
    ratio : float ≥ 0
        ρ.
    """

    def __init__(self, operator: PSDOperator, ratio: float):
        self.operator = operator
        self.n = operator.n
        self.graph = operator.graph
        system = ratio * operator.toarray()
        system.flat[:: len(system) + 1] += 1.0
        self._factor = Cholesky(system)

    def smooth(self, F: np.ndarray) -> np.ndarray:
        """(I + ρM)⁻¹ F: the second function, where the first is F."""
        return self._factor.solve(F)

    def apply(self, F):
        F = as_values(F)
        return self.smooth(self.operator.apply(F.astype(np.float64))).astype(F.dtype)
