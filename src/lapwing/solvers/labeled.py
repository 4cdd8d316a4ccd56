"""Any loss at the price of one factor: solved over K̃ at the labeled points, and lifted."""

import copy

from ..losses import Loss
from ..objective import Objective, Solution, Status, check_loss, reduce, status_of
from ..spaces import Element
from .base import Solver

TIGHTENINGS = 3
"""How often a reduced problem is solved on where the whole problem's certificate is missed."""


class OnLabeled(Solver):
    """Reduce to the labeled points, solve there, lift: any loss at the price of one factor.

    The certificate is that of the whole problem. Its metric is not the reduced problem's, so
    where it misses the tolerance the reduced problem is solved on, that much more tightly.

    Parameters
    ----------
    solver : Newton or Direct
        What solves the reduced problem; its ``tol`` is the bound on the certificate.
    """

    requires = Loss

    def __init__(self, solver: Solver):
        self.solver = solver

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self.solver)
        reduced = reduce(objective)
        solver, n_iter = copy.copy(self.solver), 0
        at = None if start is None else reduced.begin(objective, start)
        tol: float = solver.tol
        history: list[float] = []
        for _ in range(1 + TIGHTENINGS):
            found = solver.solve(reduced.objective, at)
            coef = reduced.lift(found.coef)
            optimality = objective.optimality(objective.space.element(coef))
            n_iter += found.n_iter
            history += [*found.history[len(history) > 0 : -1], optimality]
            if optimality <= tol or found.status is not Status.CONVERGED:
                break
            solver.tol *= 0.3 * tol / optimality
            at = reduced.objective.space.element(found.coef)
        status = status_of(optimality, tol, found.status is Status.MAX_ITER)
        return Solution(coef, status, n_iter, optimality, history)
