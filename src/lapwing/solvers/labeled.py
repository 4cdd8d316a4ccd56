"""Any loss with one factor: solve over K̃ at the labeled points, then lift the solution."""

import copy
from functools import partial
from typing import Any

from ..losses import Loss
from ..problem import Problem, Solution, Status, check_loss, reduce, status_of
from ..spaces import Element
from .base import Solver
from .newton import Newton, newton_direction

FINISHING: dict[str, Any] = {"max_iter": 5, "direction": partial(newton_direction, steps=100)}
"""Newton's steps on the whole problem, where K̃ has lost digits that K still has."""


class OnLabeled(Solver):
    """Reduce the problem to the labeled points, solve it there, and lift the solution.

    Any loss then costs one factor. The certificate is that of the whole problem, whose metric
    differs from the reduced one. Where the certificate misses the tolerance, the reduced problem is
    solved to a smaller tolerance. Where rounding in K̃ allows no more, a few steps on the whole
    problem follow. For a loss with a kink, the certificate is the duality gap, which is the same
    for both problems. Values that kept sections of K̃ already have are not computed again.

    Parameters
    ----------
    solver : Solver
        The solver of the reduced problem.
    tol : float, optional
        Bound on the certificate. None is the tolerance of the solver.
    """

    requires = Loss

    def __init__(self, solver: Solver, tol: float | None = None):
        self.solver = solver
        self.tol = tol or solver.tol

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self.solver)
        reduced = reduce(objective)
        solver, n_iter = copy.copy(self.solver), 0
        at = start and reduced.begin(objective, start)
        solver.tol = min(solver.tol, self.tol)
        tol, smooth, kept = self.tol, objective.loss.smooth, objective.deformation.kept
        history: list[float] = []
        for _ in range(4):  # repeated while the certificate of the whole problem is too large
            found = solver.solve(reduced.problem, at)
            coef = reduced.lift(found.coef)
            base = kept and kept.values
            e = objective.space.element(coef, base)
            optimality = objective.optimality(e, kept) if smooth else found.optimality
            n_iter += found.n_iter
            history += [*found.history[len(history) > 0 : -1], optimality]
            if optimality <= tol or not smooth or found.status is not Status.CONVERGED:
                break
            solver.tol *= 0.3 * tol / optimality
            at = reduced.problem.space.element(found.coef)
        at_limit = found.status is Status.MAX_ITER
        if smooth and not optimality <= tol and not at_limit:
            last = Newton(tol, **FINISHING).solve(objective, objective.space.element(coef))
            if last.optimality < optimality:
                coef, optimality, base = last.coef, last.optimality, None
                n_iter, history = n_iter + last.n_iter, [*history, *last.history[1:-1], optimality]
        status = status_of(optimality, tol, at_limit)
        return Solution(coef, status, n_iter, optimality, history, base)
