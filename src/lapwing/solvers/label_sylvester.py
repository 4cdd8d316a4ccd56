"""MT in closed form: the symmetric Sylvester equation A W + λ_m W L_m = C."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse.linalg

from ..losses import QuadraticLoss
from ..objective import Objective
from ..spaces import Element
from .base import Progress, Solution, Solver, Status, no_progress
from .label_system import LabelSystem

Step = Callable[[Element, int], tuple[Element, int]]
"""A better element, and how many iterations it took, from an element and their limit."""

REFINEMENTS = 4
"""Steps of iterative refinement at most; the first two do what rounding allows."""


class LabelSylvester(Solver):
    """∇J(W) = 0 solved exactly: L_m is diagonalised, and each direction is one s × s system.

    The paper says that a closed form "requires m² problems"; it requires m factors of order s.
    Targets missing entry by entry make the left side differ from column to column. Without label
    coupling each column is then its own system; with it, conjugate gradients over the missing
    entries correct the solution of the complete rows.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate ‖∇(W)‖/‖∇(0)‖.
    max_iter : int, default=5000
        For targets missing entry by entry only.
    progress : callable, optional

    References
    ----------
    MT §III.B, eqs. 2, 6.
    """

    requires = QuadraticLoss

    def __init__(self, tol: float = 1e-8, max_iter: int = 5000, progress: Progress = no_progress):
        self.tol = tol
        self.max_iter = max_iter
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        step = self._stepper(objective)
        best, history, n_iter = objective.start, [1.0], 0
        while history[-1] > 1e-2 * self.tol and n_iter < self.max_iter:
            candidate, steps = step(best, self.max_iter - n_iter)
            n_iter += steps
            optimality = objective.optimality(candidate)
            self.progress(n_iter, optimality)
            if not optimality < history[-1]:
                break
            best = candidate
            history.append(optimality)
            if len(history) > REFINEMENTS:
                break
        optimality = history[-1] if len(history) > 1 else objective.optimality(best)
        return Solution(best.coef, self._status(optimality, n_iter), n_iter, optimality, history)

    def _stepper(self, objective: Objective) -> Step:
        if objective.w.shape[1] == 1:
            return _Refine(objective, [(slice(None), LabelSystem(objective))])
        if not objective.gamma_A:  # columns that nothing couples: each has its own rows
            systems = [
                ([k], LabelSystem(objective, objective.w[:, [k]]))
                for k in range(objective.n_columns)
            ]
            return _Refine(objective, systems)
        return _Masked(objective, self.tol, self.progress)

    def _status(self, optimality: float, n_iter: int) -> Status:
        if optimality <= self.tol:
            return Status.CONVERGED
        return Status.MAX_ITER if n_iter >= self.max_iter else Status.STALLED


class _Refine:
    """x − H⁻¹∇J(x), exact but for rounding, which a second step removes."""

    def __init__(self, objective: Objective, systems: list[tuple]):
        self.objective = objective
        self.systems = systems

    def __call__(self, x: Element, limit: int) -> tuple[Element, int]:
        half = 0.5 * self.objective.gradient(x).coef
        coef = x.coef.copy()
        for columns, system in self.systems:
            coef[:, columns] -= system.solve(half[:, columns])
        return self.objective.space.element(coef), 1


class _Masked:
    """Targets missing entry by entry, filled in so that they do not pull: a system over them.

    The Hessian is H − EᵀE with H the one of the complete rows and E z = √w z on the entries that
    are missing, so H⁻¹ and conjugate gradients for I − E H⁻¹ Eᵀ, whose eigenvalues lie in
    [0, 1] whatever the kernel's are, give the step.
    """

    def __init__(self, objective: Objective, tol: float, progress: Progress):
        self.objective = objective
        self.tol = tol
        self.progress = progress
        self.system = LabelSystem(objective)
        self.root = np.sqrt(self.system.w) * (objective.w == 0)

    def __call__(self, x: Element, limit: int) -> tuple[Element, int]:
        objective, system = self.objective, self.system
        complete = system.solve(-0.5 * objective.gradient(x).coef)
        rhs = self._missing(complete)
        count = 0

        def tick(z):
            nonlocal count
            count += 1
            self.progress(count, float("nan"))

        z, _ = scipy.sparse.linalg.cg(
            scipy.sparse.linalg.LinearOperator((rhs.size, rhs.size), self._apply, dtype=float),
            rhs.ravel(),
            rtol=1e-2 * self.tol,
            maxiter=limit,
            callback=tick,
        )
        step = complete + system.solve(self._adjoint(z))
        return objective.space.element(x.coef + step), max(1, count)

    def _apply(self, z: np.ndarray) -> np.ndarray:
        return z.ravel() - self._missing(self.system.solve(self._adjoint(z))).ravel()

    def _missing(self, coef: np.ndarray) -> np.ndarray:
        """E: the readout on the missing entries, (l, t), 0 on the observed ones."""
        readout = self.objective.space.element(coef).readout
        return self.root * readout[self.objective.rows]

    def _adjoint(self, z: np.ndarray) -> np.ndarray:
        """Eᵀ z as coefficients."""
        r = np.zeros((self.objective.n_rows, self.objective.n_columns))
        r[self.objective.rows] = self.root * z.reshape(self.root.shape)
        return self.objective.space.represent(np.zeros_like(r), r)
