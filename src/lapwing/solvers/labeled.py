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
    where rounding in K̃ allows no more, a few steps are taken on the whole problem.

    Parameters
    ----------
    solver : Newton or Direct
        What solves the reduced problem; its ``tol`` is the bound on the certificate.
    """

    requires = Loss

    def __init__(self, solver: Solver):
        self.solver = solver

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self.solver)
        reduced = reduce(objective)
        solver, n_iter = copy.copy(self.solver), 0
        at = None if start is None else reduced.begin(objective, start)
        tol: float = solver.tol
        history: list[float] = []
        for _ in range(4):  # solved on where the whole problem's certificate is missed
            found = solver.solve(reduced.problem, at)
            coef = reduced.lift(found.coef)
            optimality = objective.optimality(objective.space.element(coef))
            n_iter += found.n_iter
            history += [*found.history[len(history) > 0 : -1], optimality]
            if optimality <= tol or found.status is not Status.CONVERGED:
                break
            solver.tol *= 0.3 * tol / optimality
            at = reduced.problem.space.element(found.coef)
        at_limit = found.status is Status.MAX_ITER
        if not optimality <= tol and not at_limit:
            last = Newton(tol, **FINISHING).solve(objective, objective.space.element(coef))
            if last.optimality < optimality:
                coef, optimality = last.coef, last.optimality
                n_iter, history = n_iter + last.n_iter, [*history, *last.history[1:-1], optimality]
        status = status_of(optimality, tol, at_limit)
        return Solution(coef, status, n_iter, optimality, history)
