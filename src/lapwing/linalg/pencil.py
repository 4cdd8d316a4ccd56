"""Systems (γ I + σ G K) a = r with one K and one G, for many γ and σ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from .cholesky import pivoted_cholesky
from .gram_system import GramSystem
from .memory import require_bytes
from .tridiagonal import Tridiagonal

Apply = Callable[[np.ndarray], np.ndarray]

FEW = 4
"""Up to so many different shifts, an LU factor each is cheaper than one reduction.

An LU factor takes 2/3 n³ operations, in float32 where refinement allows; C, CᵀGC and the
reduction together take 1/3 + 2 + 4/3 n³, and half of the reduction runs at the speed of memory.
"""

MAX_REFINEMENTS = 2
TARGET = 1e-13  # relative residual at which refinement has nothing left to do


class Pencil(ABC):
    """K and G symmetric PSD of order n, K dense, G given by its product with a matrix."""

    @abstractmethod
    def solve(
        self, gamma: np.ndarray, sigma: np.ndarray, R: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """a_j = (γ_j I + σ_j G K)⁻¹ r_j and f_j = σ_j K a_j for each column of R.

        Parameters
        ----------
        gamma, sigma : arrays of shape (t,)
            γ_j > 0 and σ_j ≥ 0.
        R : array of shape (n, t)

        Returns
        -------
        a, f : arrays of shape (n, t)
        """


class ReducedPencil(Pencil):
    """All shifts from one reduction to tridiagonal form.

    With K = C Cᵀ and z = σ Cᵀa the system is (γ I + σ CᵀGC) z = σ Cᵀr, and then
    a = (r − G C z)/γ, f = C z: no inverse of K or of C appears, K may be singular, and σ = 0
    needs no exception. What rounding leaves is refined away against K itself.

    Parameters
    ----------
    K : array of shape (n, n)
    G : callable
        F ↦ G F.
    factor : array of shape (n, r), optional
        C, where it is known from a pencil with the same K.
    """

    def __init__(self, K: np.ndarray, G: Apply, factor: np.ndarray | None = None):
        require_bytes(
            4 * 8 * K.shape[0] ** 2,  # C, G C, CᵀGC and the reflectors
            f"The reduction of a system of order {K.shape[0]} for all shifts",
            "Use solver='cg', or fewer rows.",
        )
        self._K = K
        self._G = G
        self.factor = pivoted_cholesky(K) if factor is None else factor
        C = self.factor
        self._reduction = Tridiagonal(np.asfortranarray(C.T @ G(C)))

    def solve(self, gamma, sigma, R):
        a, _ = self.unrefined(gamma, sigma, R)
        f = sigma * (self._K @ a)
        rest = R - gamma * a - self._G(f)
        worst = _relative(rest, R)
        for _ in range(MAX_REFINEMENTS):
            if worst <= TARGET:
                break
            a_new = a + self.unrefined(gamma, sigma, rest)[0]
            f_new = sigma * (self._K @ a_new)
            rest = R - gamma * a_new - self._G(f_new)
            previous, worst = worst, _relative(rest, R)
            if not worst < previous:
                break
            a, f = a_new, f_new
        return a, f

    def unrefined(self, gamma, sigma, R) -> tuple[np.ndarray, np.ndarray]:
        """As :meth:`solve`, up to rounding times the condition number."""
        f = self.values(gamma, sigma, self.project(R))
        return (R - self._G(f)) / gamma, f

    def project(self, R: np.ndarray) -> np.ndarray:
        """Hᵀ Cᵀ R: what the shifts act upon; worth keeping when only the shifts change."""
        return self._reduction.rotate(self.factor.T @ R)

    def compressed(self, gamma: float, sigma: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """σ_j K (γ I + σ_j G K)⁻¹ on some rows and columns, (len(σ), l, l), unrefined.

        As (C_l H) σ_j (γ I + σ_j T)⁻¹ (C_l H)ᵀ: nothing of order n is touched again.
        """
        X = self._reduction.rotate(self.factor[rows].T)
        one = np.ones(len(rows))
        return np.stack([X.T @ self._reduction.solve(gamma * one, s * one, s * X) for s in sigma])

    def values(self, gamma, sigma, projected: np.ndarray) -> np.ndarray:
        """f_j = σ_j K a_j from the projected right-hand sides, (n, t), unrefined."""
        z = self._reduction.solve(gamma, sigma, sigma * projected)
        return self.factor @ self._reduction.unrotate(z)


class FactoredPencil(Pencil):
    """An LU factor for each pair (γ, σ), made when it is first asked for."""

    def __init__(self, K: np.ndarray, G: Apply):
        self._K = K
        self._G = G
        self._systems: dict[tuple[float, float], GramSystem] = {}

    def solve(self, gamma, sigma, R):
        a = np.empty(R.shape)
        for g, s in set(zip(gamma.tolist(), sigma.tolist(), strict=True)):
            at = np.flatnonzero((gamma == g) & (sigma == s))
            if (g, s) not in self._systems:
                self._systems[g, s] = GramSystem(self._K, self._G, g, s)
            a[:, at] = self._systems[g, s].solve(R[:, at])
        return a, sigma * (self._K @ a)


class FeaturePencil(Pencil):
    """K = Z Zᵀ with explicit features: coefficients a of f = Z a, as many as features.

    (γ_j I + σ_j ZᵀGZ) a_j = Zᵀr_j, the space's own coordinates; f_j = σ_j Z a_j.

    Parameters
    ----------
    Z : array of shape (n, m)
    G : callable
        F ↦ G F.
    """

    def __init__(self, Z: np.ndarray, G: Apply):
        self._Z = Z
        self._reduction = Tridiagonal(np.asfortranarray(Z.T @ G(Z)))

    def solve(self, gamma, sigma, R):
        z = self._reduction.solve(gamma, sigma, self._reduction.rotate(self._Z.T @ R))
        a = self._reduction.unrotate(z)
        return a, sigma * (self._Z @ a)


def choose_pencil(K: np.ndarray, G: Apply, n_shifts: int) -> Pencil:
    """The cheaper pencil for ``n_shifts`` different (γ, σ): LU up to ``FEW``, else reduced."""
    return FactoredPencil(K, G) if n_shifts <= FEW else ReducedPencil(K, G)


def _relative(rest: np.ndarray, R: np.ndarray) -> float:
    scale = float(np.linalg.norm(R)) or 1.0
    worst = float(np.linalg.norm(rest)) / scale
    return worst if np.isfinite(worst) else np.inf
