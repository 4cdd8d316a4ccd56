"""Conjugate gradients for the squared loss: one linear system in the metric of the space."""

from dataclasses import dataclass

import numpy as np

from ..losses import QuadraticLoss
from ..problem import Problem, Progress, Solution, check_loss, no_progress, status_of
from ..spaces import Element, System
from ..spaces.krylov import conjugate_gradient
from .base import Solver, by_nearby


@dataclass(eq=False)
class CG(Solver):
    """Solve ∇²J c = −∇J(0), because ∇J is affine for a quadratic loss (MR eq. 8 in any space).

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate ‖∇(c)‖/‖∇(0)‖.
    max_iter : int, default=5000
        The most iterations.
    progress : callable, optional
        Called with (iteration, certificate).
    nearby : System, optional
        The system of a similar problem, as a preconditioner.
    """

    requires = QuadraticLoss

    tol: float = 1e-8
    max_iter: int = 5000
    progress: Progress = no_progress
    nearby: System | None = None

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        origin = objective.start
        x = start or origin
        scale = np.ones(1)

        def record(_: Element, residual: np.ndarray) -> None:
            history.append(float((residual / scale).max()))
            self.progress(len(history) - 1, history[-1])

        n_iter, optimality, previous = 0, objective.optimality(x), np.inf
        history = [optimality]
        # The recurrence drifts from the true gradient. Restarts correct it as long as they help.
        while self.tol < optimality < 0.5 * previous and n_iter < self.max_iter:
            previous = optimality
            gradient = objective.gradient(x)
            # the norm that the certificate of each column is relative to
            scale = gradient.norm / np.maximum(objective.relative(gradient), np.finfo(float).tiny)
            scale = np.where(scale > 0, scale, scale.max() or 1.0)
            found, steps = conjugate_gradient(
                objective.space,
                lambda v: objective.curvature(origin, v),
                objective.space.element(-gradient.coef),
                tol=0.5 * self.tol * scale,
                max_iter=self.max_iter - n_iter,
                watch=record,
                precondition=by_nearby(self.nearby),
            )
            x = x.plus(1.0, found).forget()
            n_iter += steps
            optimality = objective.optimality(x)
        history[-1] = optimality  # the true certificate replaces that of the recurrence
        status = status_of(optimality, self.tol, n_iter >= self.max_iter)
        return Solution(x.coef, status, n_iter, optimality, history)
