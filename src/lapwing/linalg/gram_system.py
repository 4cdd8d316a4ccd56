"""(γ I + diag(w) K + λ M K) X = B: the linear system of manifold regularisation, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .factor import LU
from .threads import as_type

MIXED_FROM = 1000  # below this order a float64 factor costs next to nothing
TARGET = 1e-12  # relative residual at which refinement stops
ACCEPT = 1e-10  # relative residual a float32 factor must reach, or float64 takes over
MAX_REFINEMENTS = 12


class GramSystem:
    """A = γ I + diag(w) K + λ M K, factored once, solved for many right-hand sides.

    A is not symmetric, but self-adjoint and positive in K's inner product. An LU factor in
    float32 costs as much as a Cholesky factor in float64; refinement with float64 residuals,
    2n² flops a column and step, then gives float64 answers. Where the problem is too
    ill-conditioned for that (the residual tells), the factor is made again in float64.

    Parameters
    ----------
    K : array of shape (n, n)
    apply_M : callable
        F ↦ M F, keeping the dtype of F.
    gamma, lam : float
        γ > 0 and λ ≥ 0.
    w : array of shape (n,), optional
        Non-negative; zero where not given.
    """

    def __init__(
        self,
        K: np.ndarray,
        apply_M: Callable[[np.ndarray], np.ndarray],
        gamma: float,
        lam: float,
        w: np.ndarray | None = None,
    ):
        self.K = K
        self.apply_M = apply_M
        self.gamma = gamma
        self.lam = lam
        self.w = w
        self._lu: LU | None = None
        self._dtype: Any = np.float32 if K.shape[0] >= MIXED_FROM else np.float64

    def apply(self, X: np.ndarray) -> np.ndarray:
        """A X in float64."""
        F = self.K @ X
        out = self.gamma * X
        if self.lam:
            out += self.lam * self.apply_M(F)
        if self.w is not None:
            out += self.w[:, None] * F
        return out

    def solve(self, B: np.ndarray) -> np.ndarray:
        """A⁻¹ B, shape (n, t)."""
        X, residual = self._refine(B)
        if residual > ACCEPT and self._dtype == np.float32:
            self._dtype, self._lu = np.float64, None
            X, residual = self._refine(B)
        return X

    def _refine(self, B: np.ndarray) -> tuple[np.ndarray, float]:
        """Refine until the residual is at rounding level or stops falling by half a step."""
        if self._lu is None:
            self._lu = LU(self._assemble())
        scale = np.linalg.norm(B, axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        X = self._lu.solve(B)
        R = B - self.apply(X)
        best = _worst(R, scale)
        for _ in range(MAX_REFINEMENTS):
            if not TARGET < best < np.inf:
                break
            X_new = X + self._lu.solve(R)
            R_new = B - self.apply(X_new)
            residual = _worst(R_new, scale)
            if not residual < best:
                break
            stuck = residual > 0.5 * best
            X, R, best = X_new, R_new, residual
            if stuck:
                break
        return X, best

    def _assemble(self) -> np.ndarray:
        K = as_type(self.K, self._dtype)
        if self.lam:
            A = self.apply_M(K)
            A = A if A.flags.c_contiguous and A is not K else np.array(A, order="C")
            A *= self.lam
        else:
            A = np.zeros_like(K, order="C")
        if self.w is not None:
            rows = np.flatnonzero(self.w)
            A[rows] += np.asarray(self.w[rows, None], dtype=self._dtype) * K[rows]
        A.flat[:: len(A) + 1] += self.gamma
        return A


def _worst(R: np.ndarray, scale: np.ndarray) -> float:
    """The largest relative column norm; not-a-number counts as infinite."""
    worst = float(np.max(np.linalg.norm(R, axis=0) / scale, initial=0.0))
    return worst if np.isfinite(worst) else np.inf


def system_bytes(n: int) -> int:
    """Peak memory of a factored system beside K: the factor, M K on its way, and one copy."""
    return (12 if n >= MIXED_FROM else 24) * n * n
