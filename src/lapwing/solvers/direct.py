"""The closed form of the squared loss: one linear system (MR eq. 8, VV (17), MT (6))."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from ..losses import QuadraticLoss
from ..problem import Problem, Progress, Solution, check_loss, no_progress, status_of
from ..spaces import Element, System
from .base import Solver
from .cg import CG

Step = Callable[[Element], Element]


@dataclass(eq=False)
class Direct(Solver):
    """x ← x − H⁻¹∇J(x)/2 with H = γ_A P + Φ*(W + λM)Φ, which the space factors.

    One step solves the problem. Further steps remove rounding. In an exact space this is MR eq. 8
    divided by l, with sample weights and the intercept. Along the directions between related
    outputs it is (γ_j I + σ_j Φ*GΦ) a_j = r_j, the Sylvester equations of VV (17) and MT (6).

    Targets may be missing entry by entry. Uncoupled columns then have a system each. For coupled
    columns, the system of complete rows preconditions conjugate gradients.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate. The status reports a larger one.
    max_iter : int, default=5000
        The most steps of conjugate gradients, for coupled columns with missing entries.
    progress : callable, optional
        Called with (step, certificate).
    """

    requires = QuadraticLoss

    tol: float = 1e-8
    max_iter: int = 5000
    progress: Progress = no_progress

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        weights = row_weights(objective)
        system = self._system(objective, weights.max(axis=1))
        if (weights == weights[:, :1]).all():
            step: Step = partial(self._step, objective, system)
        elif len(objective.value(objective.start)) == 1:  # coupled: the system of complete rows
            return CG(self.tol, self.max_iter, self.progress, nearby=system).solve(objective)
        else:
            step = _apart(objective, [self._system(objective, w) for w in weights.T])
        best, history = objective.start, [1.0]
        # with a factor, digits beyond the tolerance cost little; with iterations they do not
        goal = self.tol * (0.3 if objective.space.tolerance == 0 else 1.0)
        while history[-1] > goal and len(history) <= 4:  # two steps mostly reach rounding
            candidate = step(best)
            optimality = objective.optimality(candidate)
            self.progress(len(history), optimality)
            if not optimality < history[-1]:
                break
            best, history = candidate, [*history, optimality]
            if optimality > 0.1 * history[-2] or optimality <= goal:
                break
        if not history[-1] <= self.tol:
            best, history = self._polished(objective, best, history)
        optimality = history[-1] if len(history) > 1 else objective.optimality(best)
        n_iter = max(1, len(history) - 1)
        status = status_of(optimality, self.tol)
        return Solution(best.coef, status, n_iter, optimality, history, best.base)

    def _polished(self, objective, best: Element, history: list[float]):
        """A few conjugate gradient steps from ``best``, if they lower the certificate.

        The rounding errors of the factor lie in the coefficients. The metric of the space does not
        see the errors outside the range of the kernel. A few steps remove the errors that it sees.
        """
        if len(history) == 1:
            return best, history
        polished = CG(self.tol, max_iter=100).solve(objective, best)
        if polished.optimality < history[-1]:
            return objective.space.element(polished.coef), [*history, polished.optimality]
        return best, history

    @staticmethod
    def _step(objective: Problem, system: System, x: Element) -> Element:
        """x − H⁻¹∇J(x)/2.

        The values of a sum are computed afresh. From zero, the values of the step are as accurate.
        """
        found = x.plus(-1.0, system.solve(0.5 * objective.gradient(x).coef))
        return found if x is objective.start else found.forget()

    def _system(self, objective: Problem, w: np.ndarray) -> System:
        system = objective.space.system(
            objective.gamma_A, QuadraticForm(objective.operator, objective.lam, w)
        )
        if not system.direct:
            raise TypeError(
                "The direct solver needs a factor: the Gram matrix of space='exact', few dense "
                "features, and an intrinsic penalty that decouples along the output kernel; "
                f"{type(objective.space).__name__} has none here. Use solver='cg'."
            )
        return system


def row_weights(objective: Problem) -> np.ndarray:
    """½ w V″ over all n rows, (n, t): V″ = 2 for (y − f)²."""
    bend = 0.5 * objective.loss.curvature(objective.y, objective.y)
    weights = np.zeros((objective.n_rows, objective.n_columns))
    weights[objective.rows] = objective.w * bend
    return weights


def _apart(objective: Problem, systems: list[System]) -> Step:
    """The step for uncoupled columns: each has its own labeled rows, and thus its own system."""

    def step(x: Element) -> Element:
        half = 0.5 * objective.gradient(x).coef
        parts = [system.solve(half[:, [k]]).coef for k, system in enumerate(systems)]
        return objective.space.element(x.coef - np.hstack(parts))

    return step
