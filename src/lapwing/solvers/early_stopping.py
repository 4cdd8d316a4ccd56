"""Stopping when the answers have settled: conjugate gradients that do not wait for the minimum."""

from dataclasses import dataclass

import numpy as np

from ..losses import SmoothLoss
from ..problem import Problem, Progress, Solution, Status, check_loss, no_progress, status_of
from ..spaces import Element
from .base import Solver

SHARE = 0.015
"""Answers that may still change between two looks, or the relative change of real values."""

NEAR = 0.1
"""Certificate from which on answers can have settled: before, little has happened yet."""


@dataclass(eq=False)
class EarlyStopping(Solver):
    """Nonlinear conjugate gradients until f says the same of all points as it did a while ago.

    Labels decide where f changes its sign long before the last digits of f are known. Every ½√n
    steps the answers at the n points are looked at: signs of f, and the largest of several columns,
    or f itself where the targets are not all ±1; where at most 1.5 % of them have changed, or f by
    as much of its spread, that is it. No factor is made: a step is one product with K. The
    certificate, below 0.1 then, says how far from the minimum that is, and
    :class:`~lapwing.solvers.Status` that it was asked for. Values on the points (space="graph")
    have no kernel to take such steps with.

    Parameters
    ----------
    tol : float, default=1e-8
        Certificate ‖∇(c)‖/‖∇(0)‖ at which nothing is left to settle.
    max_iter : int, default=1000
    progress : callable, optional
    share : float, default=0.015
        What may still change between two looks.

    References
    ----------
    Melacci, Belkin 2011, *Laplacian support vector machines trained in the primal*, JMLR 12.

    Examples
    --------
    >>> from lapwing import LapSVC
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.graphs import KNN
    >>> from lapwing.kernels import RBF
    >>> from lapwing.regularizers import Laplacian
    >>> X, y, truth = make_two_moons(random_state=0)
    >>> given = {"regularizer": Laplacian(KNN(6)), "gamma_A": 1e-6, "gamma_I": 4e3}
    >>> model = LapSVC(kernel=RBF("local"), **given, loss="squared_hinge", solver="early_stopping")
    >>> model = model.set_params(fit_intercept=False).fit(X, y)
    >>> model.solution_.status.name, float((model.transduction_ == truth).mean())
    ('EARLY_STOPPED', 1.0)
    """

    requires = SmoothLoss

    tol: float = 1e-8
    max_iter: int = 1000
    progress: Progress = no_progress
    share: float = SHARE

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        space = objective.space
        if space.tolerance:
            raise ValueError(
                "solver='early_stopping' is for functions with a kernel; over values on the points "
                "(space='graph', or many rows) every fit stops early: use solver='auto'."
            )
        e = objective.start if start is None else start
        g = objective.gradient(e)
        d, size = space.element(-g.coef, -g.base), space.inner(g, g)
        history, answers, settled = [float(objective.relative(g).max())], None, False
        wait = max(1, round(0.5 * np.sqrt(space.n_points)))
        while not settled and len(history) <= self.max_iter and not history[-1] <= self.tol:
            step = exact_step(objective, e, d)
            if not step.any():  # uphill, which the gradient never is
                d = space.element(-g.coef, -g.base)
                step = exact_step(objective, e, d)
            if not step.any():
                break
            e, last = e.plus(step, d), g
            g = objective.gradient(e)
            turned, new = -space.inner(g, last), space.inner(g, g)
            # Polak and Ribière's, and downhill again where it is negative
            beta = np.maximum(np.divide(new + turned, size, out=0.0 * size, where=size > 0), 0.0)
            d, size = space.element(-g.coef, -g.base).plus(beta, d), new
            history.append(float(objective.relative(g).max()))
            self.progress(len(history) - 1, history[-1])
            if (len(history) - 1) % wait == 0:
                before, answers = answers, _answers(objective, e)
                same = before is not None and _changed(before, answers) <= self.share
                settled = same and history[-1] <= NEAR
        history[-1] = objective.optimality(e.forget())  # the true one, in place of a recurrence's
        status = status_of(history[-1], self.tol, len(history) > self.max_iter)
        if settled and status is not Status.CONVERGED:
            status = Status.EARLY_STOPPED
        return Solution(e.coef, status, max(1, len(history) - 1), history[-1], history)


def exact_step(objective: Problem, e: Element, d: Element) -> np.ndarray:
    """s ≥ 0 with ⟨d, ∇J(e + s d)⟩ close to 0, for each column, by Newton's method; 0 if uphill.

    Values at e and d are known: no trial needs a product with K.
    """
    space = objective.space
    d.values  # noqa: B018  computed once here, so that every trial below inherits it
    first = slope = space.inner(d, objective.gradient(e))
    step = np.zeros_like(slope)
    low, high = np.zeros_like(slope), np.full_like(slope, np.inf)
    for _ in range(8):
        at = e.plus(step, d)
        bend = space.inner(d, objective.curvature(at, d))
        going = (np.abs(slope) > 1e-3 * np.abs(first)) & (first < 0) & (bend > 0)
        if not going.any():
            break
        low, high = np.where(slope < 0, step, low), np.where(slope < 0, high, step)
        trial = step - np.divide(slope, bend, out=np.zeros_like(slope), where=bend > 0)
        middle = np.where(np.isfinite(high), 0.5 * (low + high), 2.0 * low)
        trial = np.where((trial > low) & (trial < high), trial, middle)
        step = np.where(going, trial, step)
        slope = space.inner(d, objective.gradient(e.plus(step, d)))
    return step


def _answers(objective: Problem, e: Element) -> np.ndarray:
    """Signs, (n, t), and the largest column of several; real targets: the values, (n, t)."""
    f = e.readout
    if not np.isin(objective.y, (-1.0, 1.0)).all():
        return f.copy()
    return np.column_stack([f > 0, f.argmax(axis=1)])


def _changed(before: np.ndarray, now: np.ndarray) -> float:
    """The share of answers that differ, or the change in units of the spread; the worst column."""
    if now.dtype.kind == "i":
        return float((before != now).mean(axis=0).max())
    change, spread = np.linalg.norm(now - before, axis=0), np.linalg.norm(now - now.mean(0), axis=0)
    return float(np.max(np.divide(change, spread, out=np.zeros_like(spread), where=spread > 0)))
