"""(γ I + G K) X = B with G = diag(w) − U Uᵀ + λM: the system of manifold regularization."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ..blas import symm
from ..factor import LU
from ..memory import require_bytes
from ..quadratic_form import QuadraticForm
from ..refinement import refined, worst_ratio
from ..woodbury import woodbury
from .shifted_system import TOL, LostDigits, ShiftedSystem
from .symmetric_forms import has_symmetric_form

MIXED_FROM = 1000  # below this order a float64 factor costs very little
MANY = 48  # float32 pays with at least this many points per right-hand side

Solve = Callable[[np.ndarray], np.ndarray]


class GramSystem:
    """A = γ I + G K, factored once, solved for many right-hand sides.

    A is not symmetric, but self-adjoint and positive in the inner product of K. An LU factor in
    float32 costs as much as a Cholesky factor in float64. Refinement with float64 residuals, at 2n²
    operations per column and step, then gives float64 solutions. Where the problem is too
    ill-conditioned for float32, the residual shows it, and the factor is computed again in float64.

    The factored matrix is γ I + (diag(w) + λM) K. Woodbury's formula takes U Uᵀ off.

    Parameters
    ----------
    K : array of shape (n, n)
    form : QuadraticForm
        G.
    gamma : float > 0
    make : callable
        Returns a :class:`.ShiftedSystem`: a new one, or one that was made for the same weights.
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float, make=ShiftedSystem):
        self.make: Callable[..., ShiftedSystem] = make
        self.K = K
        self.form = form
        self.gamma = gamma
        self._dtype: Any = np.float32 if K.shape[0] >= MIXED_FROM else np.float64
        self._known: dict[str, Any] = {}  # the factors computed so far

    def apply(self, X: np.ndarray) -> np.ndarray:
        """A X in float64."""
        return self.gamma * X + self.form.apply(symm(self.K, X))

    def solve(self, B: np.ndarray, tol: float = TOL) -> tuple[np.ndarray, np.ndarray | None]:
        """A⁻¹ B, (n, t), and K A⁻¹ B where that was computed on the way, else None.

        Parameters
        ----------
        B : array of shape (n, t)
        tol : float
            The relative residual that is enough. Factors reach 1e-10 and less.
        """
        if not self.form.lam and not len(self.form.rows):
            return B / self.gamma, None
        if self._symmetric(B):
            with suppress(LostDigits):
                return self._shifted(B.shape[1]).downdated(self.form, B, tol)
            self._dtype, self._known = np.float64, {}
        X, worst = self._refined(B, tol)
        if worst > max(tol, TOL) and self._dtype == np.float32:  # float64 has more digits
            self._dtype, self._known = np.float64, {}
            X, _ = self._refined(B, tol)
        return X, None

    def energies(self, F: np.ndarray, top: np.ndarray) -> np.ndarray:
        """⟨f, A⁻¹G f⟩ of each column f, (t,); see :meth:`.ShiftedSystem.energies`."""
        if self._eligible:
            with suppress(LostDigits):
                return self._shifted(F.shape[1]).energies(F, top)
        B, few = self.form.apply(F), np.linspace(0, F.shape[1] - 1, 8).astype(int)
        X = self._lu(B.shape[1])(B)  # where eight columns need no refinement, none does
        if worst_ratio(B[:, few] - self.apply(X[:, few]), B[:, few]) > 100 * TOL:
            X = self.solve(B)[0]
        return np.einsum("it,it->t", F, X)

    @property
    def _eligible(self) -> bool:
        form, small = self.form, "lu" not in self._known and self._dtype == np.float32
        return bool(len(form.rows) and form.lam and small and has_symmetric_form(form))

    def _symmetric(self, B: np.ndarray) -> bool:
        """Whether the symmetric form applies, at half the operations: B is zero at other rows."""
        beside = np.count_nonzero(B) > np.count_nonzero(B[self.form.rows])
        return self._eligible and ("shifted" in self._known or not beside)

    def _shifted(self, columns: int) -> ShiftedSystem:
        """The factor, made for this number of right-hand sides at the first call, then kept."""
        if "shifted" not in self._known:
            form = QuadraticForm(self.form.operator, self.form.lam, self.form.w)
            columns = min(columns + self.form.off.shape[1], len(form.rows))
            self._known["shifted"] = self.make(self.K, form, self.gamma, columns)
        return self._known["shifted"]

    def _refined(self, B: np.ndarray, tol: float) -> tuple[np.ndarray, float]:
        lu, target = self._lu(B.shape[1]), 0.01 * TOL if tol <= TOL else tol
        return refined(lu, lambda X: (B - self.apply(X),), B, 12, target)[:2]

    def _lu(self, columns: int) -> Solve:
        if "lu" not in self._known:
            if MANY * columns > len(self.K):  # refinement would cost more than float64
                self._dtype = np.float64
            self._known["lu"] = self._factor()
        return self._known["lu"]

    def _factor(self) -> Solve:
        """A⁻¹ from an LU factor of γ I + (W + λM) K, with Woodbury's formula for U Uᵀ."""
        require_bytes(
            system_bytes(len(self.K)) if self._dtype == np.float32 else 20 * self.K.size,
            f"The factor of a system of order {len(self.K)}",
            "Use space='blockwise' (slow, little memory), a linear kernel, or fewer rows.",
        )
        lu, rows, off = LU(self._assemble()), self.form.rows, self.form.off
        if not off.shape[1]:
            return lu.solve
        L = np.zeros((len(self.K), off.shape[1]))
        L[rows] = off
        R = off.T @ self.K[rows]
        # refined beyond float32, because the small matrix needs the digits
        X, *_ = refined(lu.solve, lambda X: (L - self.apply(X) - L @ (R @ X),), L, rounds=2)
        take_off = woodbury(X, R @ X)

        def solve(B: np.ndarray) -> np.ndarray:
            x = lu.solve(B)
            return take_off(x, R @ x)

        return solve

    def _assemble(self) -> np.ndarray:
        """γ I + (W + λM) K, C-ordered, in the precision of the factor."""
        K = self.K.astype(self._dtype, copy=False)
        A = QuadraticForm(self.form.operator, self.form.lam, self.form.w).apply(K)
        A = A if A.flags.c_contiguous and A is not K else np.array(A, order="C")
        A.flat[:: len(A) + 1] += self.gamma
        return A


def system_bytes(n: int) -> int:
    """Peak memory of a factored system beside K: the factor, M K, and one copy."""
    return (12 if n >= MIXED_FROM else 24) * n * n
