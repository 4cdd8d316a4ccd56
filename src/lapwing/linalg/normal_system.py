"""(γ I + Zᵀ(diag(w) + λ M)Z) A = B: the same system over explicit features."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg


class NormalSystem:
    """The m × m system of features Z, (n, m), by Cholesky: n m² flops and m³/3.

    Parameters
    ----------
    Z : array of shape (n, m)
    apply_M : callable
        F ↦ M F.
    gamma, lam : float
    w : array of shape (n,)
    """

    def __init__(
        self,
        Z: np.ndarray,
        apply_M: Callable[[np.ndarray], np.ndarray],
        gamma: float,
        lam: float,
        w: np.ndarray,
    ):
        GZ = lam * apply_M(Z) if lam else np.zeros_like(Z)
        rows = np.flatnonzero(w)
        GZ[rows] += w[rows, None] * Z[rows]
        H = Z.T @ GZ
        self.H = 0.5 * (H + H.T)
        self.H.flat[:: len(H) + 1] += gamma
        self._factor = scipy.linalg.cho_factor(self.H, lower=True, check_finite=False)

    def solve(self, B: np.ndarray) -> np.ndarray:
        """H⁻¹ B, refined once, shape (m, t)."""
        A = scipy.linalg.cho_solve(self._factor, B, check_finite=False)
        return A + scipy.linalg.cho_solve(self._factor, B - self.H @ A, check_finite=False)
