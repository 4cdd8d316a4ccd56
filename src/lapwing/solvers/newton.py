"""Newton's method for smooth losses, every column with its own step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..linalg.labeled import shifted_solve
from ..linalg.quadratic_form import QuadraticForm
from ..losses import SmoothLoss
from ..problem import Problem, Progress, Solution, Status, check_loss, no_progress, status_of
from ..spaces import Element, System
from ..spaces.krylov import conjugate_gradient
from .base import Solver, by_nearby

Direction = Callable[[Problem, Element, Element, float], Element]
Settled = Callable[[Element, float], bool]

COARSE = 1e-4
"""Tolerance of spaces whose steps are dear, values on many points: there full steps are tried
longer. Where classes can be told apart, each full step of a logistic loss adds one to the margins
and no more; close to the minimum a longer step would end where nothing curves."""

DAMPING = 1e-10
"""Curvature lent to unpenalized constants, where that of the loss is 1. A loss that is linear far
away (Huber) may curve nowhere at the start, and then nothing curves along the constants: the step
is long there, and the line search cuts it."""


def never(e: Element, optimality: float) -> bool:
    """No function will do but the minimizer."""
    return False


@dataclass(eq=False)
class Newton(Solver):
    """c ← c − s (∇²J)⁻¹ ∇J, with s halved until J falls enough, column by column.

    Where the penalty is the plain norm of a Gram matrix (the reduced problem) the Newton system
    is solved by a Cholesky factor over the rows of positive curvature, as in primal SVM
    training; in any other space by conjugate gradients in the space's metric.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate ‖∇(c)‖/‖∇(0)‖.
    max_iter : int, default=100
    progress : callable, optional
    direction : callable, optional
        (objective, e, g, forcing) ↦ d with ∇²J(e) d = −g, for spaces that know a better way.
    settled : callable, optional
        (e, certificate) ↦ whether a step is the last, the minimum or not.

    References
    ----------
    Chapelle 2007, *Training a support vector machine in the primal*; Melacci & Belkin 2011.
    """

    requires = SmoothLoss

    tol: float = 1e-8
    max_iter: int = 100
    progress: Progress = no_progress
    direction: Direction | None = None
    settled: Settled = never

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        direction = self.direction or newton_direction
        e = start or objective.start
        g = objective.gradient(e)
        value = objective.value(e)
        history, values = [float(objective.relative(g).max())], [float(value.sum())]
        best = e
        # a step that was made longer ends nothing: the next one says how far
        early = longer = False
        while not early and len(history) <= self.max_iter:
            if not longer and history[-1] <= self.tol and not self._falls(values):
                break
            d = direction(objective, e, g, min(0.1, history[-1]))
            step = line_search(objective, e, g, d, value)
            if self.tol >= COARSE and not longer:
                step = lengthened(objective, e, d, step)
            longer = bool((step > 1.0).any())
            if not step.any() or (_stuck(history) and _level(values)):
                break
            e = e.plus(step, d).forget()
            g = objective.gradient(e)
            value = objective.value(e)
            history.append(float(objective.relative(g).max()))
            values.append(float(value.sum()))
            self.progress(len(history) - 1, history[-1])
            best = e if history[-1] <= min(history) else best
            early = self.settled(e, history[-1])
        optimality = history[-1]
        if not optimality <= self.tol:  # rounding may take back what a step had gained
            e, optimality = best, float(np.nanmin(history))
        status = status_of(optimality, self.tol, len(history) > self.max_iter)
        if status is Status.CONVERGED and len(history) > self.max_iter and self._falls(values):
            status = Status.MAX_ITER
        if early and status is not Status.CONVERGED:
            status = Status.EARLY_STOPPED
        return Solution(e.coef, status, max(1, len(history) - 1), optimality, history)

    def _falls(self, values: list[float]) -> bool:
        """Whether the last step has lowered J by more than 1e-5 of it, whatever its gradient.

        Beside ∇J(0), which rows of very unequal size make huge, any gradient is small.
        """
        if self.tol >= COARSE or len(values) < 2:
            return False
        return values[-2] - values[-1] > 1e-5 * abs(values[-1])


PATIENCE = 8  # steps without a better certificate


def _stuck(history: list[float]) -> bool:
    """No better certificate among the last few."""
    return len(history) > PATIENCE and not min(history[-PATIENCE:]) < min(history[:-PATIENCE])


def _level(values: list[float]) -> bool:
    """J no longer falls either: where it does, the certificate may rise for a while (Huber)."""
    return not values[-1] < values[-1 - PATIENCE] - 1e-12 * abs(values[-1 - PATIENCE])


def newton_direction(
    objective: Problem,
    e: Element,
    g: Element,
    forcing: float,
    nearby: System | None = None,
    steps: int = 0,
    **watch,
) -> Element:
    """d with ∇²J(e) d = −g; ``nearby`` preconditions conjugate gradients, ``steps`` limits them."""
    gram, n = objective.space.gram, objective.n_rows
    if not nearby and not steps and len(gram) and not objective.lam:
        return _dense_direction(objective, gram, e, g)
    return conjugate_gradient(
        objective.space,
        lambda v: damped(objective, e, v),
        objective.space.element(-g.coef),
        tol=forcing * g.norm,
        max_iter=steps
        or min(max(1000, n), 100 + 4 * n),  # no fewer than points, few where these are
        precondition=by_nearby(nearby),
        **watch,
    )[0]


def damped(objective: Problem, e: Element, v: Element) -> Element:
    """∇²J(e) v, with the curvature lent to unpenalized constants."""
    out = objective.curvature(e, v)
    lent = DAMPING * (1.0 - objective.space.penalty)
    return objective.space.element(out.coef + lent * v.coef)


def nearest_system(objective: Problem) -> System | None:
    """γ_A P + Φ*(W̄ + λM)Φ with each row's weights replaced by their mean; None if there is none.

    Where entries are missing one by one, or the loss curves differently at each, the outputs do
    not separate; with w̄_i = mean_j w_ij V″/2 they do (decision 0013).
    """
    at_zero = objective.loss.curvature(objective.y, np.zeros_like(objective.y))
    curvature = max(float(np.mean(at_zero)), 0.1)  # a loss may be flat at zero, and curve elsewhere
    w = np.zeros(objective.n_rows)
    w[objective.rows] = 0.5 * curvature * objective.w.mean(axis=1)
    form = QuadraticForm(objective.operator, objective.lam, w)
    return objective.space.system(objective.gamma_A, form).nearby


def _dense_direction(objective: Problem, K: np.ndarray, e: Element, g: Element) -> Element:
    """Column by column, 2γ d + h∘(K d + E δ) = −g and Eᵀ(h∘(K d + E δ)) = −g_b, h = w V″."""
    rows, two_gamma, n = objective.rows, 2.0 * objective.gamma_A, len(K)
    bend = objective.bend(e)
    E = objective.space.free
    out = np.zeros_like(g.coef)
    for t in range(g.coef.shape[1]):
        h = np.zeros(n)
        h[rows] = bend[:, t]
        r = -g.coef[:n, [t]]
        x = shifted_solve(K, h, two_gamma, np.hstack([r, h[:, None] * E]))
        # hKx(v) = v − 2γx(v) turns the offsets' equations into ones without cancellation
        freedom = two_gamma * E.T @ x[:, 1:] + DAMPING * np.eye(E.shape[1])
        slack = -g.coef[n:, [t]] - E.T @ r + two_gamma * E.T @ x[:, :1]
        delta = np.linalg.lstsq(freedom, slack, rcond=1e-14)[0]
        out[:n, [t]] = x[:, :1] - x[:, 1:] @ delta
        out[n:, [t]] = delta
    return objective.space.element(out)


def lengthened(objective: Problem, e: Element, d: Element, step: np.ndarray) -> np.ndarray:
    """1.5, 2.25, 3.375 times the columns' full steps for as long as J falls by a tenth.

    The penalties must hold a twentieth of it: where they hardly count, what is large enough at the
    labels would pass for a solution.
    """
    value, full = objective.value(e.plus(step, d)), step >= 1.0
    for _ in range(3):
        longer = np.where(full, 1.5 * step, step)
        at = e.plus(longer, d)
        trial, fit = objective.value(at), objective.empirical(at)
        if len(fit) > len(trial):  # one value for all columns, which are coupled
            fit = fit.sum(keepdims=True)
        full &= (trial < 0.9 * value) & (fit < 0.95 * trial)
        if not full.any():
            break
        step, value = np.where(full, longer, step), np.where(full, trial, value)
    return step


def line_search(
    objective: Problem, e: Element, g: Element, d: Element, value: np.ndarray
) -> np.ndarray:
    """The first step in 1, ½, ¼ … with Armijo's decrease, for each column; 0 where there is none.

    ``value`` is J at e, (t,). Near the minimum J no longer resolves the decrease; a step that does
    not raise J beyond its rounding is then taken as well, and the gradient decides.
    """
    slope = objective.space.inner(d, g)
    rounding = 1e-14 * np.abs(value)
    d.values  # noqa: B018  computed once here, so that every trial below inherits it
    step = np.where(slope < 0, 1.0, 0.0)
    for _ in range(40):
        trial = objective.value(e.plus(step, d))
        failed = ~(trial <= value + 1e-4 * step * slope + rounding) & (step > 0)
        if not failed.any():
            return step
        step = np.where(failed, 0.5 * step, step)
    return np.where(failed, 0.0, step)
