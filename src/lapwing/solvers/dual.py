"""Losses with a kink: the dual on the labeled points (MR eqs. 10–12), mostly by libsvm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..losses import DualLoss
from ..problem import (
    Problem,
    Progress,
    Reduced,
    Solution,
    check_loss,
    no_progress,
    reduce,
    relative_gap,
    status_of,
)
from ..spaces import Element
from .base import Solver
from .dual_problem import DualProblem, adapted, polished
from .interior_point import by_interior_points
from .libsvm import Standard


@dataclass(eq=False)
class Dual(Solver):
    """max −Σ w V*(u) − βᵀK̃β with β = −w∘u/2, and Eᵀβ = 0 for free functions E.

    K̃ is the deformed kernel on the labeled points, or on the observed pairs of related outputs.
    libsvm solves a standard model (MR eq. 11) under a limit on its iterations. An interior-point
    method solves all other sums of hinges, and the columns for which libsvm misses the tolerance.
    The certificate is the relative duality gap |P − D|/max(P, P(0)), where P is the objective over
    all n points.

    Parameters
    ----------
    tol : float, default=1e-6
        Bound on the relative duality gap. The status reports a larger one.
    max_iter : int, default=100
        Steps of the interior-point method per column.
    progress : callable, optional
        Called with (column, gap), and within the interior-point method with (step, gap).
    hopeless : tuple of int, optional
        Columns that skip libsvm.
    """

    requires = DualLoss

    tol: float = 1e-6
    max_iter: int = 100
    progress: Progress = no_progress
    hopeless: tuple[int, ...] = ()

    def without(self, gone: np.ndarray, found: Solution) -> Dual:
        """The solver that skips libsvm in columns where it missed the tolerance before."""
        return Dual(self.tol, self.max_iter, self.progress, (*self.hopeless, *found.slow))

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        reduced = reduce(objective)
        columns, n_iter, history, at_limit = [], 1, [], False
        slow: list[int] = []
        problems = [DualProblem(reduced.problem, t) for t in range(reduced.problem.n_columns)]
        for t, problem in enumerate(problems):
            beta, b, steps, fast = self._column(problem, _begin(objective, start, problem))
            slow += [] if fast else [t]
            columns.append(problem.column(beta, b))
            history.append(problem.gap(beta, b))
            at_limit |= steps >= self.max_iter and not history[-1] <= self.tol
            n_iter = max(n_iter, steps)
            self.progress(t + 1, history[-1])
        coef = reduced.lift(np.column_stack(columns))
        optimality = _certificate(objective, reduced, problems, columns, coef)
        status = status_of(optimality, self.tol, at_limit)
        l, found = len(objective.rows), np.column_stack(columns)
        own = found[:l] if found.shape[1] == objective.n_columns else None  # None for pairs
        return Solution(
            coef, status, n_iter, optimality, history, slow=tuple(slow), multipliers=own
        )

    def _column(self, problem: DualProblem, start=()) -> tuple[np.ndarray, np.ndarray, int, bool]:
        """β, b, the number of steps, and whether no interior points were needed.

        ``start``, β and b, may have the same points at their bounds as the solution; one linear
        system then finds the rest. Otherwise libsvm is tried first where it applies. Interior
        points follow where it misses the tolerance.
        """
        goal, found, n_iter = 0.5 * self.tol, [], 1
        if start:
            beta, b, free = adapted(problem, *start)
            # the gap is so small only if the start has the right points at their bounds
            if free and problem.gap(beta, b) <= min(1e-11, goal):
                return beta, b, 1, True
        standard = None if problem.t in self.hopeless else Standard.of(problem)
        if standard:
            l = len(problem.y)  # a step costs l, interior points a few l³: the limit matches
            limit = min(100_000 + 100 * l, 2000 + 2 * l**2)
            beta, b, n_iter = standard.solve(problem, limit)
            found.append(polished(problem, beta, b))
            if problem.gap(*found[0]) <= goal:
                return *found[0], n_iter, True
        beta, b, n_iter = by_interior_points(problem, goal, self.max_iter, self.progress)
        found.append(polished(problem, beta, b))
        best = min(found, key=lambda one: np.nan_to_num(problem.gap(*one), nan=np.inf))
        return *best, n_iter, False


def _begin(objective: Problem, start: Element | None, problem: DualProblem):
    """β and b of a start over a Gram matrix, f = (K/γ_A)β + E b; empty where there is none."""
    if not start or objective.lam or not len(objective.space.gram):
        return ()
    return problem.split_of(objective, start.coef)


def _certificate(objective: Problem, reduced: Reduced, problems, columns, coef) -> float:
    """The largest gap of a column, P over all n points; one gap where columns are coupled."""
    primal = objective.value(objective.space.element(coef))
    origin = objective.value(objective.start)
    dual = np.array([p.dual(p.split(c)[0]) for p, c in zip(problems, columns, strict=True)])
    if len(dual) != len(primal):
        primal, origin, dual = (np.array([part.sum()]) for part in (primal, origin, dual))
    gaps = [relative_gap(*column) for column in zip(primal, dual, origin, strict=True)]
    return float(np.max(gaps))
