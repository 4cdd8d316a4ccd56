"""Systems (γ I + σ G K) a = r with one K and one G, for many γ and σ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from .cholesky import pivoted_cholesky
from .factor import LU
from .tridiagonal import Tridiagonal

Apply = Callable[[np.ndarray], np.ndarray]

FEW = 4
"""Up to so many different shifts, an LU factor each is cheaper than one reduction.

An LU takes 2/3 n³ operations in matrix products; C, CᵀGC and the reduction together take
1/3 + 2 + 4/3 n³, and half of the reduction runs at the speed of memory.
"""


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
    needs no exception.
    """

    def __init__(self, K: np.ndarray, G: Apply, factor: np.ndarray | None = None):
        self._G = G
        self.factor = pivoted_cholesky(K) if factor is None else factor
        C = self.factor
        self._reduction = Tridiagonal(np.asfortranarray(C.T @ G(C)))

    def solve(self, gamma, sigma, R):
        f = self.values(gamma, sigma, self.project(R))
        return (R - self._G(f)) / gamma, f

    def project(self, R: np.ndarray) -> np.ndarray:
        """Hᵀ Cᵀ R: what the shifts act upon; worth keeping when only the shifts change."""
        return self._reduction.rotate(self.factor.T @ R)

    def values(self, gamma, sigma, projected: np.ndarray) -> np.ndarray:
        """f_j = σ_j K a_j from the projected right-hand sides, (n, t)."""
        z = self._reduction.solve(gamma, sigma, sigma * projected)
        return self.factor @ self._reduction.unrotate(z)


class FactoredPencil(Pencil):
    """An LU factor for each ratio σ/γ, made when it is first asked for."""

    def __init__(self, K: np.ndarray, G: Apply):
        self._K = K
        self._G = G
        self._GK = G(K)
        self._factors: dict[float, LU] = {}

    def solve(self, gamma, sigma, R):
        a = np.empty(R.shape)
        for ratio in np.unique(sigma / gamma):
            at = np.flatnonzero(sigma / gamma == ratio)
            a[:, at] = self._factor(ratio).solve(R[:, at]) / gamma[at]
        return a, sigma * (self._K @ a)

    def _factor(self, ratio: float) -> LU:
        if ratio not in self._factors:
            A = ratio * self._GK
            A[np.diag_indices_from(A)] += 1.0
            self._factors[ratio] = LU(A)
        return self._factors[ratio]


def choose_pencil(K: np.ndarray, G: Apply, n_shifts: int) -> Pencil:
    """The cheaper pencil for ``n_shifts`` different ratios σ/γ: LU up to ``FEW``, else reduced."""
    return FactoredPencil(K, G) if n_shifts <= FEW else ReducedPencil(K, G)
