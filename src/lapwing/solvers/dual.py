"""Losses with a kink: the dual on the labelled points (MR eqs. 10–12)."""

from __future__ import annotations

import numpy as np

from ..losses import DualLoss
from ..objective import Objective
from ..spaces import Element
from . import libsvm
from .base import Progress, Solution, Solver, no_progress, status_of
from .dual_problem import DualProblem, polished, relative_gap
from .interior_point import InteriorPoint
from .labelled import Reduced, reduce

LIBSVM_STEPS = 100_000
"""Iterations after which libsvm gives way to interior points, and 100 for each point more."""


class Dual(Solver):
    """max −Σ w V*(u) − βᵀK̃β with β = −w∘u/2, and Eᵀβ = 0 for what nothing penalises.

    K̃ is the deformed kernel on the labelled points, or on the observed pairs of related outputs.
    libsvm solves a standard machine (MR eq. 11) under a limit on its iterations; what it leaves
    open, and every other sum of hinges, goes to an interior-point method. The certificate is the
    relative duality gap |P − D|/max(P, P(0)), P being the objective over all n points.

    Parameters
    ----------
    tol : float, default=1e-6
        Bound on the relative duality gap above which the status says so.
    max_iter : int, default=100
        Steps of the interior-point method per column.
    progress : callable, optional
    """

    requires = DualLoss

    def __init__(self, tol: float = 1e-6, max_iter: int = 100, progress: Progress = no_progress):
        self.tol = tol
        self.max_iter = max_iter
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        reduced = reduce(objective)
        columns, n_iter, history, at_limit = [], 1, [], False
        problems = [DualProblem(reduced.objective, t) for t in range(reduced.objective.n_columns)]
        for t, problem in enumerate(problems):
            beta, b, steps = self._column(problem)
            columns.append(problem.column(beta, b))
            history.append(problem.gap(beta, b))
            at_limit |= steps >= self.max_iter and not history[-1] <= self.tol
            n_iter = max(n_iter, steps)
            self.progress(t + 1, history[-1])
        coef = reduced.lift(np.column_stack(columns))
        optimality = _certificate(objective, reduced, problems, columns, coef)
        status = status_of(optimality, self.tol, at_limit)
        return Solution(coef, status, n_iter, optimality, history)

    def _column(self, problem: DualProblem) -> tuple[np.ndarray, np.ndarray, int]:
        """libsvm first, where it applies; interior points where that misses the tolerance."""
        first = None
        if libsvm.applies(problem):
            beta, b, n_iter = libsvm.solve(problem, LIBSVM_STEPS + 100 * len(problem.y))
            first = polished(problem, beta, b)
            if problem.gap(*first) <= 0.5 * self.tol:
                return *first, n_iter
        beta, b, n_iter = InteriorPoint(
            problem, 0.5 * self.tol, self.max_iter, self.progress
        ).solve()
        if problem.gap(beta, b) <= 0.5 * self.tol:
            return beta, b, n_iter
        second = polished(problem, beta, b)
        if first is not None and not problem.gap(*second) < problem.gap(*first):
            second = first
        return *second, n_iter


def _certificate(objective: Objective, reduced: Reduced, problems, columns, coef) -> float:
    """The worst column's gap, P over all n points; of all columns where they are coupled."""
    primal = objective.value(objective.space.element(coef))
    origin = objective.value(objective.start)
    dual = np.array([p.dual(p.split(c)[0]) for p, c in zip(problems, columns, strict=True)])
    if len(dual) != len(primal):
        primal, origin, dual = (np.array([part.sum()]) for part in (primal, origin, dual))
    gaps = [relative_gap(*column) for column in zip(primal, dual, origin, strict=True)]
    return float(np.max(gaps))
