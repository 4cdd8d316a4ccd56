"""(γ I + G K) X = B with G = diag(w) − U Uᵀ + λM: the system of manifold regularization, once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.linalg

from .columns import units
from .factor import LU
from .memory import require_bytes
from .product import product
from .quadratic_form import QuadraticForm
from .shifted_system import ShiftedSystem, UnshiftedKernel, downdated
from .threads import as_type

MIXED_FROM = 1000  # below this order a float64 factor costs next to nothing
TARGET = 1e-12  # relative residual at which refinement stops
ACCEPT = 1e-10  # relative residual a float32 factor must reach, or float64 takes over
MAX_REFINEMENTS = 12
MANY = 48  # times as many points as right-hand sides, and float32 pays
Solve = Callable[[np.ndarray], np.ndarray]

LENT = 10.0  # weight lent to labeled rows, in units of the typical eigenvalue of λM


class GramSystem:
    """A = γ I + G K, factored once, solved for many right-hand sides.

    A is not symmetric, but self-adjoint and positive in K's inner product. An LU factor in
    float32 costs as much as a Cholesky factor in float64; refinement with float64 residuals,
    2n² flops a column and step, then gives float64 answers. Where the problem is too
    ill-conditioned for that (the residual tells), the factor is made again in float64.

    What is factored is γ I + (diag(w) + λM) K. U Uᵀ is taken off by Woodbury's formula, and so are
    weights that :meth:`sections` lends to its rows: without labels nothing holds the smoothest
    functions, and float32 alone would fail.

    Parameters
    ----------
    K : array of shape (n, n)
    form : QuadraticForm
        G.
    gamma : float > 0
    """

    def __init__(self, K: np.ndarray, form: QuadraticForm, gamma: float):
        self.K = K
        self.form = form
        self.gamma = gamma
        self._dtype: Any = np.float32 if K.shape[0] >= MIXED_FROM else np.float64
        self._factored: Solve | None = None
        self._lent: ShiftedSystem | None = None
        self._unlent: UnshiftedKernel | None = None

    def apply(self, X: np.ndarray) -> np.ndarray:
        """A X in float64."""
        return self.gamma * X + self.form.apply(product(self.K, X))

    def solve(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """A⁻¹ B, shape (n, t), and K times it where that is at hand."""
        if not self.form.lam and self.form.w is None:
            return B / self.gamma, None
        found = self._symmetric(B)
        if found is not None:
            return found
        X, residual = self._refine(B)
        if residual > ACCEPT and self._dtype == np.float32:
            self._dtype, self._factored = np.float64, None
            X, residual = self._refine(B)
        return X, None

    @property
    def _eligible(self) -> bool:
        return self._factored is None and self._dtype == np.float32

    def _symmetric(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """A⁻¹ B and K A⁻¹ B from half the operations, where B lies on few rows that are held."""
        if self._unlent is not None:
            held = np.isin(np.flatnonzero(B.any(axis=1)), self._unlent.rows).all()
            return self._unlent.solve(B) if held else None
        if self.form.w is None or not self._eligible or not self.form.lam:
            return None
        if self._lent is None:
            if B[self.form.w == 0].any():
                return None
            U, form = self.form.taken, replace(self.form, taken=None)
            columns = B.shape[1] + (0 if U is None else U.shape[1])
            columns = min(columns, np.count_nonzero(self.form.w))
            self._lent = ShiftedSystem(self.K, form, self.gamma, columns)
        found = downdated(self._lent, self.form.taken, B)
        if found is None:
            self._dtype, self._lent = np.float64, None
        return found

    def kernel(self, rows: np.ndarray) -> np.ndarray | None:
        """K A⁻¹ among some rows, (l, l), where few enough weights are lent to them; else None."""
        known = self._unlent
        if known is not None and np.isin(rows, known.rows).all():
            assert known.kernel is not None
            at = np.searchsorted(known.rows, rows)
            return known.kernel[np.ix_(at, at)]
        if known is not None or not self._eligible or self.form.w is not None or not self.form.lam:
            return None
        if MANY * len(rows) > len(self.K) or not len(rows):
            return None
        if self.form.operator.root is None and self.form.operator.sparse_matrix is None:
            return None
        found = UnshiftedKernel(self.K, self.form, self.gamma, np.unique(rows))
        if found.kernel is None:
            self._dtype = np.float64
            return None
        self._unlent = found
        return self.kernel(rows)

    def sections(self, rows: np.ndarray) -> np.ndarray:
        """A⁻¹ e_i for the given rows i, (n, len(rows))."""
        if self._factored is None and self._dtype == np.float32 and self.form.lam:
            if MANY * len(rows) > len(self.K):  # refining so many costs more than float64 does
                self._dtype = np.float64
            else:
                self._factored = self._factor(self._weights(rows))
        return self.solve(units(rows, len(self.K)))[0]

    def _weights(self, rows: np.ndarray) -> np.ndarray | None:
        if self.form.w is not None or not len(rows):
            return None
        z = np.random.default_rng(0).standard_normal((len(self.K), 1))
        typical = np.linalg.norm(self.form.operator.apply(z)) / np.linalg.norm(z)
        lent = np.zeros(len(self.K))
        lent[rows] = LENT * self.form.lam * float(typical)
        return lent

    def _refine(self, B: np.ndarray) -> tuple[np.ndarray, float]:
        """Refine until the residual is at rounding level or stops falling by half a step."""
        if self._factored is None:
            self._factored = self._factor()
        scale = np.linalg.norm(B, axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        X = self._factored(B)
        R = B - self.apply(X)
        best = _worst(R, scale)
        for _ in range(MAX_REFINEMENTS):
            if not TARGET < best < np.inf:
                break
            X_new = X + self._factored(R)
            R_new = B - self.apply(X_new)
            residual = _worst(R_new, scale)
            if not residual < best:
                break
            stuck = residual > 0.5 * best
            X, R, best = X_new, R_new, residual
            if stuck:
                break
        return X, best

    def _factor(self, lent: np.ndarray | None = None) -> Solve:
        require_bytes(
            system_bytes(len(self.K)) if self._dtype == np.float32 else 20 * self.K.size,
            f"The factor of a system of order {len(self.K)}",
            "Use space='blockwise' (slow, little memory), a linear kernel, or fewer rows.",
        )
        w = self.form.w if lent is None else lent
        lu = LU(self._assemble(w))
        if lent is not None:
            rows = np.flatnonzero(lent)
            off = np.zeros((len(lent), len(rows)))
            off[rows, np.arange(len(rows))] = lent[rows]
            return _woodbury(lu, off, self.K[rows], self)
        U = self.form.taken
        if U is None:
            return lu.solve
        rows = np.flatnonzero(U.any(axis=1))
        return _woodbury(lu, U, U[rows].T @ self.K[rows], self)

    def _assemble(self, w: np.ndarray | None) -> np.ndarray:
        """γ I + (diag(w) + λM) K, C-ordered, in the precision to factor in."""
        K = as_type(self.K, self._dtype)
        A = QuadraticForm(self.form.operator, self.form.lam, w).apply(K)
        A = A if A.flags.c_contiguous and A is not K else np.array(A, order="C")
        A.flat[:: len(A) + 1] += self.gamma
        return A


def _woodbury(lu: LU, L: np.ndarray, R: np.ndarray, system: GramSystem) -> Solve:
    """(A_f − L R)⁻¹ from an LU factor of A_f, L refined so that the small matrix holds.

    Parameters
    ----------
    lu : LU
        Of A_f.
    L : array of shape (n, r)
    R : array of shape (r, n)
    system : GramSystem
        A_f − L R, to refine with.
    """
    X = lu.solve(L)
    for _ in range(2):
        X += lu.solve(L - system.apply(X) - L @ (R @ X))
    S = -(R @ X)
    S.flat[:: len(S) + 1] += 1.0
    if not np.isfinite(S).all():
        return lu.solve
    small = scipy.linalg.lu_factor(S, check_finite=False)

    def solve(B: np.ndarray) -> np.ndarray:
        x = lu.solve(B)
        return x + X @ scipy.linalg.lu_solve(small, R @ x, check_finite=False)

    return solve


def _worst(R: np.ndarray, scale: np.ndarray) -> float:
    """The largest relative column norm; not-a-number counts as infinite."""
    worst = float(np.max(np.linalg.norm(R, axis=0) / scale, initial=0.0))
    return worst if np.isfinite(worst) else np.inf


def system_bytes(n: int) -> int:
    """Peak memory of a factored system beside K: the factor, M K on its way, and one copy."""
    return (12 if n >= MIXED_FROM else 24) * n * n
