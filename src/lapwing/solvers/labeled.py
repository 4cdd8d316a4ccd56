"""Any loss at the price of one factor: solved over K̃ at the labeled points, and lifted."""

import copy
from functools import partial
from typing import Any

from ..losses import Loss
from ..problem import Problem, Solution, Status, check_loss, reduce, status_of
from ..spaces import Element
from .base import Solver
from .newton import Newton, newton_direction

FINISHING: dict[str, Any] = {"max_iter": 5, "direction": partial(newton_direction, steps=100)}
"""Newton's steps on the whole problem where these do not help: K̃ has lost digits, K has not."""


class OnLabeled(Solver):
    """Reduce to the labeled points, solve there, lift: any loss at the price of one factor.

    The certificate is that of the whole problem. Its metric is not the reduced problem's, so
    where it misses the tolerance the reduced problem is solved on, that much more tightly; and
    where rounding in K̃ allows no more, a few steps are taken on the whole problem. Of a loss with
    a kink the certificate is the duality gap of the reduced problem, which is the same number.
    Values that kept sections of K̃ have made are not computed again.

    Parameters
    ----------
    solver : Solver
        What solves the reduced problem.
    tol : float, optional
        Bound on the certificate; None is that of the solver.
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
        for _ in range(4):  # solved on where the whole problem's certificate is missed
            found = solver.solve(reduced.problem, at)
            coef = reduced.lift(found.coef)
            base = kept and kept.values
            e = objective.space.element(coef, base)
            optimality = objective.optimality(e) if smooth else found.optimality
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
