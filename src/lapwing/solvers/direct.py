"""The closed form of the squared loss: one factorisation for all columns (MR eq. 8)."""

from __future__ import annotations

import numpy as np

from ..linalg.gram_system import GramSystem
from ..losses import QuadraticLoss
from ..objective import Objective
from ..spaces import Element, Exact, core_of
from .base import Progress, Solution, Solver, Status, no_progress


class Direct(Solver):
    """(diag(w) K + (γ_I/n²) M K + γ_A I) α = w ∘ (y − b), with Σ w (f + b − y) = 0 for b.

    This is MR eq. 8 divided by l, with sample weights and, where the space has one, the
    intercept: b is eliminated by one more right-hand side.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate above which the status says so.
    progress : callable, optional
    """

    requires = QuadraticLoss

    def __init__(self, tol: float = 1e-8, progress: Progress = no_progress):
        self.tol = tol
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        core, intercept = core_of(objective.space)
        if not isinstance(core, Exact):
            raise TypeError(
                f"The direct solver needs the Gram matrix of space='exact', not "
                f"{type(core).__name__}. Use solver='cg'."
            )
        if objective.w.shape[1] > 1:
            raise TypeError(
                "The direct solver needs the same rows observed in every column. "
                "Use solver='newton' or 'auto' for targets that are missing entry by entry."
            )
        coef = self._coefficients(objective, core, intercept)
        optimality = objective.optimality(objective.space.element(coef))
        self.progress(1, optimality)
        status = Status.CONVERGED if optimality <= self.tol else Status.STALLED
        return Solution(coef, status, 1, optimality, [1.0, optimality])

    def _coefficients(self, objective: Objective, core: Exact, intercept: bool) -> np.ndarray:
        w = np.zeros(objective.n_rows)
        w[objective.rows] = objective.w[:, 0]
        system = GramSystem(core.gram, objective.operator.apply, objective.gamma_A, objective.lam, w)
        rhs = np.zeros((objective.n_rows, objective.n_columns + 1))
        rhs[objective.rows, :-1] = objective.w * objective.y
        rhs[:, -1] = w
        if not intercept:
            return system.solve(rhs[:, :-1])
        Z = system.solve(rhs)
        # wᵀ(y − K z) = 1ᵀ(γ_A z + λ M K z): summed rows of the system, without the cancellation
        # that wᵀ1 − wᵀK z suffers where the constants are nearly unpenalised.
        slack = objective.gamma_A * Z.sum(axis=0)
        if objective.lam:
            slack += objective.lam * objective.operator.apply(core.evaluate(Z)).sum(axis=0)
        b = slack[:-1] / slack[-1] if slack[-1] != 0 else np.zeros(objective.n_columns)
        return np.vstack([Z[:, :-1] - Z[:, -1:] * b, b])
