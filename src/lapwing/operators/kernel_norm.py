"""The norm of another kernel's space: K⁻¹."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve

from .base import PSDOperator, as_values


class KernelNormOperator(PSDOperator):
    """K⁻¹ through its Cholesky factor (as :func:`scipy.linalg.cho_factor` returns it)."""

    def __init__(self, factor: tuple[np.ndarray, bool]):
        self._factor = factor
        self.n = factor[0].shape[0]

    def apply(self, F):
        F = as_values(F)
        # Solved in double precision: K's condition number leaves float32 no digits.
        return cho_solve(self._factor, F.astype(np.float64), check_finite=False).astype(F.dtype)
