"""One block with any penalty that can be applied: an LU factor of its order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..gram_system import GramSystem
from .base import Resolvent


class Single(Resolvent):
    """T = (I + N B)⁻¹ N through an LU factor of I + N B, refined to float64.

    N may be sparse, or a product of sparse matrices: only N F is asked for.

    Parameters
    ----------
    B : array of shape (n, n)
    apply_N : callable
        F ↦ N F, keeping the dtype of F.
    scale : float
        A factor on N.
    """

    def __init__(
        self, B: np.ndarray, apply_N: Callable[[np.ndarray], np.ndarray], scale: float = 1.0
    ):
        self.size = len(B)
        self.apply_N = apply_N
        self.scale = scale
        self._system = GramSystem(B, apply_N, 1.0, scale)

    def apply(self, b):
        return self._system.solve(self.scale * self.apply_N(b))
