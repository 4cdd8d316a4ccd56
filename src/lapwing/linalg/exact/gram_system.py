"""(γ I + G K) X = B with G = diag(w) − U Uᵀ + λM: the system of manifold regularization, once."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ..blas import symm
from ..factor import LU
from ..memory import require_bytes
from ..quadratic_form import QuadraticForm
from ..refinement import refined
from ..woodbury import woodbury
from .shifted_system import TOL, LostDigits, ShiftedSystem
from .symmetric_forms import has_symmetric_form

MIXED_FROM = 1000  # below this order a float64 factor costs next to nothing
MANY = 48  # times as many points as right-hand sides, and float32 pays

Solve = Callable[[np.ndarray], np.ndarray]


class GramSystem:
    """A = γ I + G K, factored once, solved for many right-hand sides.

    A is not symmetric, but self-adjoint and positive in K's inner product. An LU factor in
    float32 costs as much as a Cholesky factor in float64; refinement with float64 residuals,
    2n² flops a column and step, then gives float64 answers. Where the problem is too
    ill-conditioned for that (the residual tells), the factor is made again in float64.

    What is factored is γ I + (diag(w) + λM) K. U Uᵀ is taken off by Woodbury's formula.

    Parameters
    ----------
    K : array of shape (n, n)
    form : QuadraticForm
        G.
    gamma : float > 0
    make : callable
        Makes a :class:`.ShiftedSystem`, or lends one that was made for the same weights.
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float, make=ShiftedSystem):
        self.make: Callable[..., ShiftedSystem] = make
        self.K = K
        self.form = form
        self.gamma = gamma
        self._dtype: Any = np.float32 if K.shape[0] >= MIXED_FROM else np.float64
        self._known: dict[str, Any] = {}  # factors, once they are made

    def apply(self, X: np.ndarray) -> np.ndarray:
        """A X in float64."""
        return self.gamma * X + self.form.apply(symm(self.K, X))

    def solve(self, B: np.ndarray, tol: float = TOL) -> tuple[np.ndarray, np.ndarray | None]:
        """A⁻¹ B, shape (n, t), and K times it where that is at hand.

        Parameters
        ----------
        B : array of shape (n, t)
        tol : float
            Relative residual that will do; factors reach 1e-10 and less.
        """
        if not self.form.lam and not len(self.form.rows):
            return B / self.gamma, None
        if self._symmetric(B):
            try:
                return self._shifted(B.shape[1]).downdated(self.form, B, tol)
            except LostDigits:
                self._dtype, self._known = np.float64, {}
        X, worst = self._refined(B)
        if worst > TOL and self._dtype == np.float32:  # digits that float64 would have
            self._dtype, self._known = np.float64, {}
            X, _ = self._refined(B)
        return X, None

    def energies(self, F: np.ndarray, top: np.ndarray) -> np.ndarray:
        """⟨f, A⁻¹G f⟩ of each column f, (t,): :meth:`.ShiftedSystem.energies`."""
        if self._eligible:
            with suppress(LostDigits):
                return self._shifted(F.shape[1]).energies(F, top)
        return np.einsum("it,it->t", F, self.solve(self.form.apply(F))[0])

    @property
    def _eligible(self) -> bool:
        form, small = self.form, "lu" not in self._known and self._dtype == np.float32
        return bool(len(form.rows) and form.lam and small and has_symmetric_form(form))

    def _symmetric(self, B: np.ndarray) -> bool:
        """Whether half the operations will do: B lies on few rows that are held."""
        beside = np.count_nonzero(B) > np.count_nonzero(B[self.form.rows])
        return self._eligible and ("shifted" in self._known or not beside)

    def _shifted(self, columns: int) -> ShiftedSystem:
        """For so many right-hand sides; one system for all that come later."""
        if "shifted" not in self._known:
            form = QuadraticForm(self.form.operator, self.form.lam, self.form.w)
            columns = min(columns + self.form.off.shape[1], len(form.rows))
            self._known["shifted"] = self.make(self.K, form, self.gamma, columns)
        return self._known["shifted"]

    def _refined(self, B: np.ndarray) -> tuple[np.ndarray, float]:
        if "lu" not in self._known:
            if MANY * B.shape[1] > len(self.K):  # refining so many costs more than float64 does
                self._dtype = np.float64
            self._known["lu"] = self._factor()
        return refined(self._known["lu"], lambda X: (B - self.apply(X),), B, rounds=12)[:2]

    def _factor(self) -> Solve:
        """A⁻¹ from an LU factor of γ I + (W + λM) K, and Woodbury's formula for U Uᵀ."""
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
        # to digits that float32 does not have, so that the small matrix holds
        X, *_ = refined(lu.solve, lambda X: (L - self.apply(X) - L @ (R @ X),), L, rounds=2)
        take_off = woodbury(X, R @ X)

        def solve(B: np.ndarray) -> np.ndarray:
            x = lu.solve(B)
            return take_off(x, R @ x)

        return solve

    def _assemble(self) -> np.ndarray:
        """γ I + (W + λM) K, C-ordered, in the precision to factor in."""
        K = self.K.astype(self._dtype, copy=False)
        A = QuadraticForm(self.form.operator, self.form.lam, self.form.w).apply(K)
        A = A if A.flags.c_contiguous and A is not K else np.array(A, order="C")
        A.flat[:: len(A) + 1] += self.gamma
        return A


def system_bytes(n: int) -> int:
    """Peak memory of a factored system beside K: the factor, M K on its way, and one copy."""
    return (12 if n >= MIXED_FROM else 24) * n * n
