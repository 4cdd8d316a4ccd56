"""Newton's method that stops when the answers at the points no longer change."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..losses import SmoothLoss
from ..problem import Problem, Progress, Solution, Status, check_loss, no_progress
from ..spaces import Element
from .base import Solver
from .newton import Newton, newton_direction


@dataclass(eq=False)
class EarlyStopping(Solver):
    """Conjugate gradients until the answers at all points are those of ½√n steps ago.

    The signs of f are correct long before the last digits of f are. Every ½√n steps the solver
    compares the answers at the n points with the previous ones. The answers are the signs of f and,
    of several columns, the largest. Where the targets are not all ±1, they are f itself. The solver
    stops where at most 1.5 % of the answers have changed, or f by 1.5 % of its spread, and the
    certificate is below 0.1.

    A step is one product with K, and no factor is computed. The certificate says how far f is from
    the minimum; the :class:`~lapwing.solvers.Status` is ``EARLY_STOPPED``. The solver needs a
    kernel. It refuses values on the points (space="graph").

    Parameters
    ----------
    tol : float, default=1e-8
        Certificate ‖∇(c)‖/‖∇(0)‖ at which f counts as the minimizer.
    max_iter : int, default=1000
        The most conjugate gradient steps.
    progress : callable, optional
        Called with (Newton step, certificate).
    share : float, default=0.015
        The largest share of the answers that may change between two comparisons.

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
    share: float = 0.015

    def solve(self, objective: Problem, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        space = objective.space
        if space.tolerance:
            raise ValueError(
                "solver='early_stopping' is for functions with a kernel; over values on the points "
                "(space='graph', or many rows) every fit stops early: use solver='auto'."
            )
        looks = _Looks(objective, self.share, self.max_iter)

        def direction(J: Problem, e: Element, g: Element, forcing: float) -> Element:
            rough = 0.5 * self.tol if J.loss.quadratic else forcing
            return newton_direction(J, e, g, rough, steps=looks.left, watch=looks.beside(e))

        newton = Newton(self.tol, self.max_iter, self.progress, direction, looks.settled)
        found = newton.solve(objective, start)
        if found.status is Status.EARLY_STOPPED and not looks.same:
            found = replace(found, status=Status.MAX_ITER)
        return replace(found, n_iter=max(1, looks.steps))


class _Looks:
    """Compares the answers of f with those of ½√n steps ago, and counts the steps."""

    def __init__(self, objective: Problem, share: float, max_iter: int):
        self.objective, self.share, self.left = objective, share, max_iter
        self.wait = max(1, round(0.5 * np.sqrt(objective.space.n_points)))
        self.steps, self.same, self.before = 0, False, np.empty(0)

    def beside(self, e: Element) -> Callable[[Element, np.ndarray], bool]:
        """(d, norm of the residual) ↦ whether the answers of e + d are the previous ones."""

        def watch(d: Element, residual: np.ndarray) -> bool:
            self.steps, self.left = self.steps + 1, max(self.left - 1, 1)
            if self.steps % self.wait:
                return False
            before, self.before = self.before, _answers(self.objective, e.plus(1.0, d))
            self.same = before.size > 0 and _changed(before, self.before) <= self.share
            return self.same

        return watch

    def settled(self, e: Element, optimality: float) -> bool:
        """Whether to stop. Above a certificate of 0.1 it is too early, unless no step is left."""
        self.same &= optimality <= 0.1
        return self.same or self.left == 1


def _answers(objective: Problem, e: Element) -> np.ndarray:
    """Signs, (n, t), and the largest of several columns; for real targets the values, (n, t)."""
    f = e.readout
    if not np.isin(objective.y, (-1.0, 1.0)).all():
        return f.copy()
    return np.column_stack([f > 0, f.argmax(axis=1)])


def _changed(before: np.ndarray, now: np.ndarray) -> float:
    """The share of answers that differ, or the change relative to the spread; the worst column."""
    if now.dtype.kind == "i":
        return float((before != now).mean(axis=0).max())
    change, spread = np.linalg.norm(now - before, axis=0), np.linalg.norm(now - now.mean(0), axis=0)
    return float(np.max(np.divide(change, spread, out=np.zeros_like(spread), where=spread > 0)))
