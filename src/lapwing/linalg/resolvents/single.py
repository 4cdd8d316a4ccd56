"""One block with any penalty that can be applied: an LU factor of its order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..factor import LU
from .base import Resolvent, require_matrices


class Single(Resolvent):
    """T = (I + N B)⁻¹ N through an LU factor of A = I + N B and one step of refinement.

    N may be sparse, or a product of sparse matrices: only N F is asked for.

    Parameters
    ----------
    B : array of shape (n, n)
    apply_N : callable
        F ↦ N F.
    scale : float
        A factor on N.
    """

    def __init__(
        self, B: np.ndarray, apply_N: Callable[[np.ndarray], np.ndarray], scale: float = 1.0
    ):
        self.size = len(B)
        self.B = B
        self.apply_N = apply_N
        self.scale = scale
        require_matrices(2.5, len(B), "The factor of a penalty")
        A = apply_N(B)
        A *= scale
        A.flat[:: len(A) + 1] += 1.0
        self._factor = LU(np.ascontiguousarray(A))

    def apply(self, b):
        rhs = self.scale * self.apply_N(b)
        x = self._factor.solve(rhs)
        residual = rhs - x - self.scale * self.apply_N(self.B @ x)
        return x + self._factor.solve(residual)

    def remaining(self, B: np.ndarray) -> np.ndarray:
        """B − B T B = B (I + N B)⁻¹, the kernel that the penalty leaves, symmetric."""
        left = self._factor.solve_transposed(B)
        left += left.T
        left *= 0.5
        return left
