"""Systems (γ I + σ G K) a = r with one K and one G, for many γ and σ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property

import numpy as np

from .cholesky import Cholesky, pivoted_cholesky
from .exact import GramSystem, ShiftedSystem
from .factor import LU
from .memory import require_bytes
from .quadratic_form import QuadraticForm
from .refinement import refined
from .tridiagonal import Tridiagonal, by_shift

FEW = 4
"""The most different shifts for which one LU factor each is cheaper than one reduction. An LU
factor takes 2/3 n³ operations, in float32 where refinement allows. C, CᵀGC and the reduction take
1/3 + 2 + 4/3 n³, and half of the reduction runs at the speed of memory."""


class Pencil(ABC):
    """γ I + σ Φ*GΦ in the coordinates of a space, for any γ and σ."""

    def solve(
        self, gamma: np.ndarray, sigma: np.ndarray, R: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """a_j = (γ_j I + σ_j Φ*GΦ)⁻¹ r_j for each column of R, and the values Φ a_j or None.

        Parameters
        ----------
        gamma, sigma : arrays of shape (t,)
            γ_j > 0 and σ_j ≥ 0.
        R : array of shape (m, t)

        Returns
        -------
        a : array of shape (m, t)
        f : array of shape (n, t) or None
        """
        shifts = by_shift(gamma, sigma)
        if len(shifts) == 1:
            return self.shifted(*shifts[0][:2], R)
        a = np.empty(R.shape)
        for g, s, at in shifts:
            a[:, at], _ = self.shifted(g, s, R[:, at])
        return a, None

    @abstractmethod
    def shifted(
        self, gamma: float, sigma: float, R: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """As :meth:`solve`, for one γ and σ."""

    def unrefined(
        self, gamma: np.ndarray, sigma: np.ndarray, R: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """As :meth:`solve` without refinement: to rounding times the condition number."""
        return self.solve(gamma, sigma, R)

    def kernel(self, gamma: float, sigma: float, rows: np.ndarray) -> np.ndarray:
        """Φ (γ I + σ Φ*GΦ)⁻¹ Φ* among some rows, (l, l), where it costs little; else empty."""
        return np.empty((0, 0))


class ReducedPencil(Pencil):
    """All shifts from one reduction to tridiagonal form; Φ* is the identity, ΦΦ* = K.

    With K = C Cᵀ and z = Cᵀa the system is (γ I + σ CᵀGC) z = Cᵀr. Then a = (r − σ G C z)/γ and f =
    C z. No inverse of K or of C appears: K may be singular, and σ = 0 is no special case.
    Refinement with K itself removes rounding errors.

    Parameters
    ----------
    K : array of shape (n, n)
    form : QuadraticForm
        G.
    factor : array of shape (n, r), optional
        C, where it is known from a pencil with the same K.
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, factor: np.ndarray | tuple = ()):
        require_bytes(
            4 * 8 * K.shape[0] ** 2,  # C, G C, CᵀGC and the reflectors
            f"The reduction of a system of order {K.shape[0]} for all shifts",
            "Use solver='cg', or fewer rows.",
        )
        self._K = K
        self._G = form.apply
        self._known = factor

    @cached_property
    def factor(self) -> np.ndarray:
        """C, (n, r)."""
        return np.asarray(self._known) if len(self._known) else pivoted_cholesky(self._K)[0]

    @cached_property
    def _inner(self) -> DensePencil:
        return DensePencil(lambda: self.factor.T @ self._G(self.factor), few=0)

    def solve(self, gamma, sigma, R):
        def residual(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            f = self._K @ a
            return R - gamma * a - sigma * self._G(f), f

        a, _, (f,) = refined(lambda rest: self.unrefined(gamma, sigma, rest)[0], residual, R, 2)
        return a, f

    def unrefined(self, gamma, sigma, R):
        f = self.values(gamma, sigma, self.factor.T @ R)
        return (R - sigma * self._G(f)) / gamma, f

    def shifted(self, gamma, sigma, R):
        one = np.ones(R.shape[1])
        return self.solve(gamma * one, sigma * one, R)

    def kernel(self, gamma, sigma, rows):
        """C_l (γ I + σ CᵀGC)⁻¹ C_lᵀ, (l, l), without further work of order n."""
        X, one = self.factor[rows].T, np.ones(len(rows))
        return X.T @ self._inner.solve(gamma * one, sigma * one, X)[0]

    def values(self, gamma, sigma, projected: np.ndarray) -> np.ndarray:
        """f_j = K a_j from Cᵀr_j, (n, t), unrefined."""
        return self.factor @ self._inner.solve(gamma, sigma, projected)[0]


class FactoredPencil(Pencil):
    """One factor for each pair (γ, σ), computed when first needed; Φ* is the identity."""

    def __init__(self, K: np.ndarray, form: QuadraticForm, make: Callable = ShiftedSystem):
        self._K = K
        self._make = make
        self._form = form
        self._systems: dict[tuple[float, float], GramSystem] = {}

    def shifted(self, gamma, sigma, R):
        return self.at(gamma, sigma).solve(R)

    def at(self, gamma: float, sigma: float) -> GramSystem:
        """The system of one shift."""
        if (gamma, sigma) not in self._systems:
            form = self._form if sigma == 1.0 else self._form.times(sigma)
            self._systems[gamma, sigma] = GramSystem(self._K, form, gamma, self._make)
        return self._systems[gamma, sigma]


class DensePencil(Pencil):
    """Few coefficients: Φ*GΦ, (m, m), is formed, and factored for each shift or reduced for many.

    Parameters
    ----------
    form : callable
        Returns Φ*GΦ, (m, m), which is symmetric where the coordinates are orthonormal.
    few : int
        The most different shifts for which each gets its own factor.
    """

    def __init__(self, form: Callable[[], np.ndarray], few: int = FEW):
        self._form = form
        self._few = few
        self._factors: dict[tuple[float, float], tuple] = {}

    @cached_property
    def _matrix(self) -> tuple[np.ndarray, bool]:
        """Φ*GΦ, and whether it is symmetric up to rounding; it is then made exactly symmetric."""
        B = self._form()
        asymmetry = float(np.abs(B - B.T).max(initial=0.0))
        symmetric = asymmetry <= 1e-10 * float(np.abs(B).max(initial=0.0))
        return (0.5 * (B + B.T), True) if symmetric else (B, False)

    @cached_property
    def _reduction(self) -> Tridiagonal:
        return Tridiagonal(np.asfortranarray(self._matrix[0]))

    def solve(self, gamma, sigma, R):
        if self._matrix[1] and len(by_shift(gamma, sigma)) > self._few:
            z = self._reduction.solve(gamma, sigma, self._reduction.rotate(R))
            return self._reduction.unrotate(z), None
        return super().solve(gamma, sigma, R)

    def shifted(self, gamma, sigma, R):
        """One factor, by Cholesky where the matrix is symmetric, else by LU; refined once."""
        if (gamma, sigma) not in self._factors:
            H = sigma * self._matrix[0]
            H.flat[:: len(H) + 1] += gamma
            factor = Cholesky(H.copy()) if self._matrix[1] else LU(H.copy())
            self._factors[gamma, sigma] = H, factor.solve
        H, solve = self._factors[gamma, sigma]
        return refined(solve, lambda a: (R - H @ a,), R, 1)[0], None


def choose_pencil(K, form: QuadraticForm, n_shifts: int, make: Callable = ShiftedSystem) -> Pencil:
    """The cheaper pencil for ``n_shifts`` different (γ, σ): LU up to ``FEW``, else reduced."""
    return FactoredPencil(K, form, make) if n_shifts <= FEW else ReducedPencil(K, form)
