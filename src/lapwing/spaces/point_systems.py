"""(γ_A/n + G) g = r on the points of a graph: conjugate gradients, with cells of points to help."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from ..linalg.columns import add_multiple
from ..linalg.columns_cg import solve_columns
from ..linalg.memory import require_bytes
from ..linalg.quadratic_form import QuadraticForm
from ..linalg.shifted_system import unshifted
from ..linalg.two_level import TwoLevel
from ..operators import Operator
from .deformation import CallableSystem, Deformation, MixedKernel, System

if TYPE_CHECKING:
    from .graph_values import GraphValuesSpace

EARLY_STOPPED = 1e-3
"""Certificate at which a graph's answers no longer change: decision 0109."""

STEPS = 5_000
FEW_POINTS = 2_000
"""Points up to which every digit is computed."""

SECTION_TOL = 3e-3
"""Residual of one function for each label: its error enters what a loss sees squared."""

LENT_SHARE = 0.03  # of the right-hand side, down to which its own part is looked at
TINY = np.finfo(float).tiny
FEW_ROWS = 1_000  # labeled ones, for which K̃ among them pays
BATCH_BYTES = 2**29  # of the columns that are solved for at once


class PointSolver:
    """A = γ_A/n + G and its preconditioner, made when first needed.

    Iterations run over the points in the order in which products with M are fast.
    """

    def __init__(self, space: GraphValuesSpace, gamma_A: float, form: QuadraticForm):
        self.space = space
        self.form = form
        self.order, self.near = form.near()
        self.ridge = gamma_A / space.n_points

    def apply(self, V: np.ndarray) -> np.ndarray:
        """A V."""
        return self._plus_ridge(self.form, V)

    def step(self, R: np.ndarray) -> np.ndarray | None:
        """One step of the preconditioner, about A⁻¹ R; None where there is none."""
        if self._precondition is None:
            return None
        return self._placed(self._precondition(self._ordered(R)))

    def solve(self, B: np.ndarray, tol, start=None) -> np.ndarray:
        """A⁻¹ B, each column to its tolerance."""
        start = None if start is None else self._ordered(start)
        B = self._ordered(B)
        return self._placed(
            solve_columns(
                lambda V: self._plus_ridge(self.near, V), B, tol, STEPS, self._precondition, start
            )
        )

    @cached_property
    def _precondition(self) -> TwoLevel | None:
        if not self.form.lam or not self.ridge:
            return None
        coarse = self.space.coarse(self.near.operator)
        return None if coarse is None else TwoLevel(coarse, self.near, self.ridge)

    def _plus_ridge(self, form: QuadraticForm, V: np.ndarray) -> np.ndarray:
        out = form.apply(V)
        add_multiple(out, self.ridge, V)
        return out

    def _ordered(self, V: np.ndarray) -> np.ndarray:
        return V if self.order is None else V[self.order]

    def _placed(self, V: np.ndarray) -> np.ndarray:
        if self.order is None:
            return V
        out = np.empty_like(V)
        out[self.order] = V
        return out


def point_system(space: GraphValuesSpace, gamma_A: float, form: QuadraticForm) -> System:
    """(γ_A/n + G) g = r/n in float32; who needs more digits refines."""
    solved = PointSolver(space, gamma_A, form)

    def solve(R):
        scale = np.abs(R).max() or 1.0
        found = solved.solve((R / scale).astype(np.float32), 0.3 * EARLY_STOPPED)
        return space.element(found.astype(np.float64) * (scale / space.n_points))

    return CallableSystem(solve, factored=False)


def one_step(space: GraphValuesSpace, gamma_A: float, form: QuadraticForm) -> System:
    """One step of the preconditioner of a :func:`point_system`, for callers that iterate."""
    solved = PointSolver(space, gamma_A, form)

    def solve(R):
        R = R / space.n_points
        step = solved.step(R)
        return space.element(R if step is None else step)

    return CallableSystem(solve, factored=False)


class PointDeformation(Deformation):
    """K̃ = (γ_A/n + λM)⁻¹ at few rows, by one function for each, and Galerkin's principle.

    Without labels nothing holds the constants, and K̃ has entries of 1/γ_A. With v_i = v lent to the
    rows, A = γ_A/n + V + λM is well conditioned. U ≈ A⁻¹E, E the rows' unit vectors, solved to few
    digits only; among the combinations of U, A⁻¹ at the rows is S = U_E (UᵀAU)⁻¹ U_Eᵀ, wrong
    by the *square* of U's error, and

        K̃ = (S⁻¹ − v)⁻¹,    K̃R = A⁻¹(R + v f),  f = K̃R at the rows:

    nothing large is ever subtracted from anything large. K̃R is solved for on from U's answer. What
    neither penalty sees K̃ itself knows to few digits; (K̃⁻¹ + v)⁻¹ = S, what a loss sees, to many.
    """

    factored = False

    def __init__(self, space: GraphValuesSpace, operator: Operator, gamma_A: float, lam: float):
        self.space = space
        self.n_rows = space.n_points
        self.operator = operator
        self.gamma_A = gamma_A
        self.ridge = gamma_A / self.n_rows
        self.lam = lam
        every_digit = self.n_rows <= FEW_POINTS
        self.dtype = np.float64 if every_digit else np.float32
        self.tols = (1e-10, 1e-10) if every_digit else (SECTION_TOL, 0.3 * EARLY_STOPPED)
        self._found: _Sections | None = None

    def lift(self, R):
        rows = np.flatnonzero(R.any(axis=1))
        known = self._found
        if known is not None and np.isin(rows, known.rows).all():
            return known.lift(R, self.tols[1])
        if 0 < len(rows) <= FEW_ROWS:
            return self._sections(rows).lift(R, self.tols[1])
        plain = PointSolver(self.space, self.gamma_A, QuadraticForm(self.operator, self.lam))
        return plain.solve(R.astype(np.float64), 1e-10)

    def _coupled(self):
        return TypeError(
            "With space='graph' functions live at the training points alone: variances, novelty "
            "and abstention need another space, such as 'exact' or 'landmarks'."
        )

    def gram(self, rows):
        rows = np.asarray(rows)
        return MixedKernel(self, rows, [(self._sections(rows).kernel, None)])

    def beside(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """K̃ between other rows and these, (m, l), to the few digits of the sections."""
        found = self._sections(np.asarray(rows))
        moved = np.eye(len(rows)) + found.lent * found.kernel
        return found.U[others].astype(np.float64) @ (found.project @ moved)

    def _sections(self, rows: np.ndarray) -> _Sections:
        if self._found is None or not np.array_equal(rows, self._found.rows):
            lent = np.zeros(self.n_rows)
            lent[rows] = 1.0 / max(len(rows), 1)
            form = QuadraticForm(self.operator, self.lam, lent)
            solved = PointSolver(self.space, self.gamma_A, form)
            self._found = _Sections(solved, rows, self.tols[0], self.dtype)
        return self._found


class _Sections:
    """U, UᵀAU and K̃ at some rows.

    Parameters
    ----------
    solved : PointSolver
        A, with the same weight v lent to each row.
    rows : integer array of shape (l,)
    tol : float
    dtype : numpy type
    """

    def __init__(self, solved: PointSolver, rows: np.ndarray, tol: float, dtype):
        n, l = solved.space.n_points, len(rows)
        require_bytes(
            np.dtype(dtype).itemsize * n * l + 2 * BATCH_BYTES,
            f"One function for each of {l} labeled points over {n} points",
            "Use a smooth loss such as 'squared_hinge', or fewer labeled rows.",
        )
        self.solved, self.rows, self.dtype = solved, rows, dtype
        self.lent = 1.0 / max(l, 1)
        self.U = np.empty((n, l), dtype=dtype)
        energy = np.empty((l, l))
        step = max(1, BATCH_BYTES // (np.dtype(dtype).itemsize * 7 * n))
        batches = [slice(start, start + step) for start in range(0, l, step)]
        for batch in batches:
            unit = np.zeros((n, len(rows[batch])), dtype=dtype)
            unit[rows[batch], np.arange(unit.shape[1])] = 1.0
            self.U[:, batch] = solved.solve(unit, tol)
        for batch in batches:
            energy[:, batch] = self.U.T @ solved.apply(np.ascontiguousarray(self.U[:, batch]))
        self.at = self.U[rows].astype(np.float64)
        if not np.isfinite(energy).all():
            raise ValueError(
                "The deformed kernel at the labeled rows is not finite: the weights are beyond "
                "what float arithmetic can hold. Raise gamma_A or lower gamma_I."
            )
        self.project = scipy.linalg.pinvh(0.5 * (energy + energy.T)) @ self.at.T
        # s ≤ 1/(v + γ_A/n)
        least = solved.ridge / (solved.ridge + self.lent)
        self.kernel = unshifted(self.at @ self.project, self.lent, least)

    def lift(self, R: np.ndarray, tol: float) -> np.ndarray:
        """K̃R for an R that is zero at all other rows."""
        moved = R[self.rows] + self.lent * (self.kernel @ R[self.rows])
        scale = np.abs(moved).max() or 1.0
        right = np.zeros(R.shape, dtype=self.dtype)
        right[self.rows] = moved / scale
        start = self.U @ (self.project @ (moved / scale)).astype(self.dtype)
        # what is lent may be much larger than R, and R is what has to be answered
        share = np.linalg.norm(R, axis=0) / np.maximum(np.linalg.norm(moved, axis=0), TINY)
        goal = np.maximum(tol * np.clip(share, LENT_SHARE, 1.0), 8.0 * np.finfo(self.dtype).eps)
        return self.solved.solve(right, goal, start).astype(np.float64) * scale
