"""Newton's method for smooth losses. Every column has its own step length."""

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
"""The tolerance of spaces with expensive steps (values on many points), which try longer steps. For
separable classes, a full step of the logistic loss adds one to the margins and no more. Close to
the minimum, a longer step would end where nothing curves."""

DAMPING = 1e-10
"""Curvature added to unpenalized constants, where that of the loss is 1. A loss that is linear far
away (Huber) may have no curvature along the constants at the start. The step is then long, and the
line search cuts it."""


def never(e: Element, optimality: float) -> bool:
    """No early stop: only the minimizer ends the iteration."""
    return False


@dataclass(eq=False)
class Newton(Solver):
    """c ← c − s (∇²J)⁻¹ ∇J, with s halved until J falls enough, column by column.

    In the reduced problem the penalty is the norm of a Gram matrix. There a Cholesky factor over
    the rows with positive curvature solves the Newton system, as in primal SVM training. In any
    other space, conjugate gradients in the metric of the space solve it.

    Parameters
    ----------
    tol : float, default=1e-8
        Bound on the certificate ‖∇(c)‖/‖∇(0)‖.
    max_iter : int, default=100
        The most steps.
    progress : callable, optional
        Called with (step, certificate).
    direction : callable, optional
        (objective, e, g, forcing) ↦ d with ∇²J(e) d = −g, for spaces that know a better way.
    settled : callable, optional
        (e, certificate) ↦ whether to stop after this step, also above ``tol``.

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
        g, value = objective.gradient(e), objective.value(e)
        history, values = [float(objective.relative(g).max())], [float(value.sum())]
        best = e
        # after a lengthened step another one follows: only its gradient counts
        early = longer = False
        while not early and len(history) <= self.max_iter:
            if not longer and history[-1] <= self.tol and not self._falls(values):
                break
            d = direction(objective, e, g, self._forcing(*history[-2:]))
            step = line_search(objective, e, g, d, value)
            if self.tol >= COARSE and not longer:
                step = lengthened(objective, e, d, step)
            longer = bool((step > 1.0).any())
            if not step.any() or (_stuck(history) and _level(values)):
                break
            e = e.plus(step, d).forget()
            g, value = objective.gradient(e), objective.value(e)
            history.append(float(objective.relative(g).max()))
            values.append(float(value.sum()))
            self.progress(len(history) - 1, history[-1])
            best = e if history[-1] <= min(history) else best
            early = self.settled(e, history[-1])
        optimality = history[-1]
        if not optimality <= self.tol:  # rounding may make later steps worse than the best
            e, optimality = best, float(np.nanmin(history))
        status = status_of(optimality, self.tol, len(history) > self.max_iter)
        if status is Status.CONVERGED and len(history) > self.max_iter and self._falls(values):
            status = Status.MAX_ITER
        if early and status is not Status.CONVERGED:
            status = Status.EARLY_STOPPED
        return Solution(e.coef, status, max(1, len(history) - 1), optimality, history)

    def _forcing(self, before: float, certificate: float = 1.0) -> float:
        """The share of the gradient that a step may leave: no less than ``tol`` asks for.

        Rounding may keep conjugate gradients from a smaller share, whatever their number. A coarse
        ``tol`` is no such limit: there each step is as good as its gradient. Nor is the share less
        than the square of what the last step has left: while the model of the loss is poor, a
        better minimum of it is of no use (Eisenstat & Walker 1996, choice 2).
        """
        asked, fall = 0.1 * self.tol * (self.tol < COARSE), (certificate / (before or 1.0)) ** 2
        return min(0.1, max(certificate, fall, asked / (certificate or 1.0)))

    def _falls(self, values: list[float]) -> bool:
        """Whether the last step has lowered J by more than 1e-5 of it.

        Rows of very different size make ∇J(0) huge, and every other gradient small beside it. A
        small certificate alone then proves nothing.
        """
        if self.tol >= COARSE or len(values) < 2:
            return False
        return values[-2] - values[-1] > 1e-5 * abs(values[-1])


PATIENCE = 8  # steps without a better certificate


def _stuck(history: list[float]) -> bool:
    """Whether the last steps have not lowered the certificate."""
    return len(history) > PATIENCE and not min(history[-PATIENCE:]) < min(history[:-PATIENCE])


def _level(values: list[float]) -> bool:
    """Whether J no longer falls. While it falls, the certificate may rise for a while (Huber)."""
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
    """d with ∇²J(e) d = −g.

    ``nearby`` preconditions conjugate gradients, and ``steps`` limits their number.
    """
    gram, n = objective.space.gram, objective.n_rows
    if not nearby and not steps and len(gram) and not objective.lam:
        return _dense_direction(objective, gram, e, g)
    return conjugate_gradient(
        objective.space,
        lambda v: damped(objective, e, v),
        objective.space.element(-g.coef),
        tol=forcing * g.norm,
        # at least n, and few where the points are few
        max_iter=steps or min(max(1000, n), 100 + 4 * n),
        precondition=by_nearby(nearby),
        **watch,
    )[0]


def damped(objective: Problem, e: Element, v: Element) -> Element:
    """∇²J(e) v, with the curvature that is added to unpenalized constants."""
    out = objective.curvature(e, v)
    lent = DAMPING * (1.0 - objective.space.penalty)
    return objective.space.element(out.coef + lent * v.coef)


def nearest_system(objective: Problem) -> System | None:
    """γ_A P + Φ*(W̄ + λM)Φ with the weights of each row replaced by their mean; None without one.

    The outputs do not separate where entries are missing one by one, or where the loss curves
    differently at each entry. With w̄_i = mean_j w_ij V″/2 they separate (decision 0013).
    """
    at_zero = objective.loss.curvature(objective.y, np.zeros_like(objective.y))
    curvature = max(float(np.mean(at_zero)), 0.1)  # a loss may be flat at zero only
    w = np.zeros(objective.n_rows)
    w[objective.rows] = 0.5 * curvature * objective.w.mean(axis=1)
    form = QuadraticForm(objective.operator, objective.lam, w)
    return objective.space.system(objective.gamma_A, form).nearby


def _dense_direction(objective: Problem, K: np.ndarray, e: Element, g: Element) -> Element:
    """Solve 2γ d + h∘(K d + E δ) = −g and Eᵀ(h∘(K d + E δ)) = −g_b, h = w V″, for each column."""
    rows, two_gamma, n = objective.rows, 2.0 * objective.gamma_A, len(K)
    bend = objective.bend(e)
    E = objective.space.free
    out = np.zeros_like(g.coef)
    for t in range(g.coef.shape[1]):
        h = np.zeros(n)
        h[rows] = bend[:, t]
        r = -g.coef[:n, [t]]
        x = shifted_solve(K, h, two_gamma, np.hstack([r, h[:, None] * E]))
        # hKx(v) = v − 2γx(v) removes the cancellation from the equations of the offsets
        freedom = two_gamma * E.T @ x[:, 1:] + DAMPING * np.eye(E.shape[1])
        slack = -g.coef[n:, [t]] - E.T @ r + two_gamma * E.T @ x[:, :1]
        delta = np.linalg.lstsq(freedom, slack, rcond=1e-14)[0]
        out[:n, [t]] = x[:, :1] - x[:, 1:] @ delta
        out[n:, [t]] = delta
    return objective.space.element(out)


def lengthened(objective: Problem, e: Element, d: Element, step: np.ndarray) -> np.ndarray:
    """Steps 1.5, 2.25 or 3.375 times as long, for columns with a full step.

    A step grows as long as J falls by a tenth, and the penalties are at least a twentieth of J.
    With smaller penalties, large values at the labels alone would pass for a solution.
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
    """The first step in 1, ½, ¼ … with Armijo's decrease for each column, (t,); 0 without one.

    ``value`` is J at e, (t,). Near the minimum, J no longer resolves the decrease. A step that
    raises J by no more than its rounding is then accepted too, and the gradient decides.
    """
    slope = objective.space.inner(d, g)
    rounding = 1e-14 * np.abs(value)
    d.values  # noqa: B018  computed once here: every trial below reuses it
    step = np.where(slope < 0, 1.0, 0.0)
    for _ in range(40):
        trial = objective.value(e.plus(step, d))
        failed = ~(trial <= value + 1e-4 * step * slope + rounding) & (step > 0)
        if not failed.any():
            return step
        step = np.where(failed, 0.5 * step, step)
    return np.where(failed, 0.0, step)
