"""Labels that come and go on the same points: solved over sections that are kept."""

from __future__ import annotations

from ..losses import Loss
from ..problem import Problem, Progress, Solution, Status, no_progress, reduce, status_of
from ..spaces import Element
from ..spaces.sections import Sections
from .base import Solver
from .choose import SMOOTH_TOL, choose_solver, tolerance

TIGHTER = 0.03
"""The reduced problem is solved to this share of the tolerance: its metric is another one."""


class OnKept(Solver):
    """Reduce to the labeled points, solve there, and lift over kept sections: l × l, and n × l.

    The certificate of a smooth loss is that of the whole problem; that of a loss with a kink is the
    duality gap of the reduced one, which is the same number.

    Parameters
    ----------
    kept : Sections
        Of the objective's deformed kernel.
    tol : float, optional
    max_iter : int, optional
    progress : callable, optional
    """

    requires = Loss

    def __init__(
        self,
        kept: Sections,
        tol: float | None = None,
        max_iter: int | None = None,
        progress: Progress = no_progress,
    ):
        self.kept = kept
        self.asked = tol
        self.max_iter = max_iter
        self.progress = progress

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        reduced = reduce(objective)
        smooth = objective.loss.smooth
        tol = tolerance(self.asked, objective.loss, objective.space.tolerance)
        inner = min(tol * TIGHTER, SMOOTH_TOL) if smooth else tol
        solver = choose_solver("auto", reduced.problem, inner, self.max_iter, self.progress)
        found = solver.solve(reduced.problem)
        coef = reduced.lift(found.coef)
        e = Element(objective.space, coef, self.kept.values)
        optimality = objective.optimality(e) if smooth else found.optimality
        status = status_of(optimality, tol, found.status is Status.MAX_ITER)
        history = [*found.history, optimality]
        return Solution(coef, status, found.n_iter, optimality, history, self.kept.values)
