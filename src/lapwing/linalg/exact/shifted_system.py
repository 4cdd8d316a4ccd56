"""(γ I + G K) c = r by a Cholesky factor and a few conjugate gradient steps."""

from typing import Any

import numpy as np
from scipy.linalg import blas, lapack

from ..blas import gemm, potrs, symm, symm_few
from ..conjugate_gradients import solve_columns
from ..memory import require_bytes
from ..panels import column_norms, column_products, unit_columns
from ..quadratic_form import QuadraticForm
from ..refinement import worst_ratio
from ..woodbury import woodbury
from .symmetric_forms import choose_symmetric_form

TOL = 1e-10  # relative residual of conjugate gradients; the true one may be three times that
HOPELESS = 0.03  # a round must reduce the residual to this share, or float64 is faster


class LostDigits(ArithmeticError):
    """Raised where float32 does not reach the tolerance. A float64 LU factor does."""


class ShiftedSystem:
    """A = γ I + (diag(v) + λM) K with v > 0 at the labeled rows, by a symmetric positive S.

    The factor of S takes half the operations of an LU factor in float32, which takes half of the
    time in float64. The factor preconditions conjugate gradients: a few eigenvalues that it has
    missed then cost a few steps. A step costs 4n² operations per column. With many columns, a
    float64 factor, which needs no steps, is faster.

    Every method raises :class:`LostDigits` where float32 is not enough.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric PSD.
    form : QuadraticForm
        v and λM, with no free functions taken off.
    gamma : float > 0
    columns : int
        The expected number of right-hand sides.
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float, columns: int = 1):
        self.K = K
        self.form = form
        self.gamma = gamma
        self.symmetric = choose_symmetric_form(form)
        self.dtype: Any = self._precision(columns)
        self._factor = self._factored()

    def serves(self, form: QuadraticForm, gamma: float) -> bool:
        """Whether this is the system of the given G, apart from free functions, and of γ."""
        own, here = self.form, np.array_equal(self.form.rows, form.rows)
        same = own.operator is form.operator and (own.lam, self.gamma) == (form.lam, gamma)
        return here and same and np.allclose(own.weights, form.weights, rtol=1e-14, atol=0.0)

    def solve(self, R: np.ndarray, tol: float = TOL) -> tuple[np.ndarray, np.ndarray]:
        """c and K c, (n, t) each, to the relative residual ``tol``.

        Where R is not zero at rows without weights, c has few digits only, as many as a correction
        needs: c = (R − Bᵀz)/γ with S z = B K R. The residual r of z leaves Bᵀr/γ of R. The goal
        for z is therefore about γ/‖B‖ times the one for c.
        """
        rows = np.flatnonzero(R.any(axis=1))
        if 0 < len(rows) < R.shape[1]:  # one column per row is enough
            c = gemm(self.solve(unit_columns(rows, len(R)), tol)[0], R[rows])
            return c, symm(self.K, c)  # mixing the values of columns would add rounding errors
        s = self.symmetric.right(R)
        if len(s):
            return self.dual(s, tol)
        KR = symm_few(self.K, R, rows)
        s = self.symmetric.gather(KR)
        goal = tol * self.gamma * (column_norms(R) / _scales(self.symmetric.reach * s)).min()
        z, Kz = self.dual(s, float(min(max(goal, 0.001 * TOL), tol)))
        c, f = (R - z) / self.gamma, (KR - Kz) / self.gamma
        if not worst_ratio(R - self.gamma * c - self.form.apply(f), R) < HOPELESS:
            raise LostDigits("a right-hand side beside the weights")
        return c, f

    def downdated(self, form: QuadraticForm, R: np.ndarray, tol: float = TOL) -> tuple:
        """(A − U UᵀK)⁻¹R and K times it, with U of ``form`` and R on the rows with weights."""
        t, U = R.shape[1], form.off
        if not U.shape[1]:
            return self.solve(R, tol)
        both = np.zeros((len(R), t + U.shape[1]))
        both[:, :t], both[form.rows, t:] = R, U
        c, f = self.solve(both, tol)
        UF = U.T @ f[form.rows]
        return tuple(woodbury(C[:, t:], UF[:, t:])(C[:, :t], UF[:, :t]) for C in (c, f))

    def dual(self, s: np.ndarray, tol: float = TOL) -> tuple[np.ndarray, np.ndarray]:
        """c = spread(z) and K c with S z = s, by conjugate gradients.

        Parameters
        ----------
        s : array of shape (N, t)
        tol : float
            Relative residual to stop at. A true residual of three times that is accepted.
        """
        z, c, f = np.zeros_like(s), *np.zeros((2, len(self.K), s.shape[1]))
        rest, scale, left, steps = s, _scales(s), 1.0, 0

        def moved(columns: np.ndarray, step: np.ndarray) -> None:
            nonlocal steps
            f[:, columns] += step * self._seen
            steps += 1

        for _ in range(4):  # rounds of at most 16 steps, each from the true residual
            goal = np.minimum(tol * scale / _scales(rest), 0.5)
            z += solve_columns(self._apply, rest, goal, 16, self._precondition, moved)
            c = self.symmetric.spread(z)
            if steps > 8:  # over many steps the summed values drift from K c
                f = symm(self.K, c)
            rest = s - self.symmetric.apply(self.gamma, z, c, f)
            best, left = left, worst_ratio(rest, s)
            if left <= 3.0 * tol:
                return c, f
            if not left < HOPELESS * best:  # rounding allows no further gain
                break
        if left <= 100 * TOL:  # float64 factors would not get further
            return c, f
        raise LostDigits("conjugate gradients gain too little")

    def energies(self, F: np.ndarray, top: np.ndarray, share: float = 0.03) -> np.ndarray:
        """⟨f, (γ I + G K)⁻¹G f⟩ = ⟨h, S⁻¹h⟩, h = gather(f), of each column f, (t,).

        ``top``, (t,), is an upper bound of the energies. The energies come from the factor alone,
        if eight columns show that its rounding is a small share of ``top`` minus the energy.
        Otherwise they come from conjugate gradients: the error of an energy is of the order of the
        residual squared.
        """
        h = self.symmetric.gather(F)
        few = np.unique(np.linspace(0, F.shape[1] - 1, 8).astype(int))
        exact = column_products(F[:, few], self.dual(h[:, few], 1e-6)[0])
        if len(few) == F.shape[1]:
            return exact
        (trsm,) = blas.get_blas_funcs(("trsm",), (self._factor,))
        half = trsm(1.0, self._factor, np.asfortranarray(h, dtype=self.dtype), trans_a=1)
        found = np.square(half, dtype=np.float64).sum(axis=0)
        found *= exact.sum() / found[few].sum()  # the factor is that of a multiple of S
        if (np.abs(found[few] - exact) <= share * (top[few] - exact)).all():
            return found
        return column_products(F, self.dual(h, 1e-8)[0])

    def _apply(self, Z: np.ndarray) -> np.ndarray:
        """S Z."""
        c = self.symmetric.spread(Z)
        self._seen = symm(self.K, c)
        return self.symmetric.apply(self.gamma, Z, c, self._seen)

    def _precondition(self, R: np.ndarray) -> np.ndarray:
        scale = float(column_norms(R).max(initial=0.0)) or 1.0
        small = np.empty(R.shape, dtype=self.dtype, order="F")
        np.divide(R, scale, out=small, casting="same_kind")
        return np.multiply(potrs(self._factor, small), scale, dtype=np.float64, order="C")

    def _precision(self, columns: int) -> Any:
        """float64 where it saves more work on ``columns`` columns than its factor costs.

        A step with float32 reduces an error to about rounding divided by the least eigenvalue.
        Steps for as many columns as a 20th of the points cost as much as the float64 factor.
        """
        n = len(self.K)
        with np.errstate(all="ignore"):
            rounding = 0.3 * np.sqrt(n) * np.finfo(np.float32).eps
            left = rounding * self.symmetric.stretch(self.K, self.gamma)
        steps = max(np.log(TOL) / np.log(min(max(left, TOL), 0.1)), 2.0)
        return np.float64 if columns * (steps - 1.0) * 20 > n else np.float32

    def _factored(self) -> np.ndarray:
        n = len(self.K) + len(self.symmetric.rows)
        require_bytes(
            self.dtype().itemsize * n * n,
            f"The factor of a system of order {n}",
            "Use space='blockwise' (slow, little memory), a linear kernel, or fewer rows.",
        )
        S = self.symmetric.assemble(self.K, self.gamma, self.dtype)
        # the errors of Cholesky, relative to the diagonal, may have either sign
        S.flat[:: len(S) + 1] *= self.dtype(1.0 + 0.25 * np.sqrt(n) * np.finfo(self.dtype).eps)
        (potrf,) = lapack.get_lapack_funcs(("potrf",), (S,))
        factor, info = potrf(S.T, lower=0, clean=0, overwrite_a=1)
        if info != 0:
            raise LostDigits("rounding has left S indefinite")
        return factor


def _scales(B: np.ndarray) -> np.ndarray:
    found = column_norms(B)
    return np.where(found > 0, found, 1.0)
