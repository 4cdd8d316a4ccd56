"""What solvers return: coefficients, a certificate and an honest status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from ..losses import Loss
from .equation import Problem

Progress = Callable[[int, float], None]
"""Called as ``progress(iteration, optimality)`` while a solver works."""

TINY, BLUR = 1e-10, 1e-3
"""γ_A over the kernel's size where rounding is looked at; how much of J(0) it may decide."""


class Status(StrEnum):
    """How a solve ended; the text is the diagnosis shown to the user."""

    CONVERGED = "converged"
    EARLY_STOPPED = "stopped where the answers had settled, as was asked for, short of the minimum"
    MAX_ITER = (
        "the iteration limit was reached before the tolerance: raise max_iter, loosen tol, or "
        "increase gamma_A, which conditions the problem"
    )
    STALLED = (
        "rounding stopped all progress above the tolerance: the problem is too ill-conditioned "
        "for this tol; increase gamma_A or loosen tol"
    )


@dataclass(frozen=True)
class Solution:
    """What a solver returns.

    Attributes
    ----------
    coef : array of shape (m, t)
        Coefficients in the problem's space.
    status : Status
    n_iter : int
    optimality : float
        The certificate, worst column: ‖∇(c)‖/‖∇(0)‖, or the relative duality gap.
    history : list of float
        The certificate as the iterations went.
    base : array of shape (n, t), optional
        What the space's elements remember of f at the training points, where the solver has it.
    slow : tuple of int
        Columns that the solver's first engine gave up.
    multipliers : array of shape (l, t), optional
        β of each labeled row, f = K̃β and |β_i| ≤ w_i/2 for the hinge, where the solver is one of
        the dual and its columns are those of the problem.
    """

    coef: np.ndarray = field(repr=False)
    status: Status
    n_iter: int
    optimality: float
    history: list[float] = field(default_factory=list, repr=False)
    base: np.ndarray | None = field(default=None, repr=False)
    slow: tuple[int, ...] = field(default=(), repr=False)
    multipliers: np.ndarray | None = field(default=None, repr=False)


def status_of(optimality: float, tol: float, at_limit: bool = False) -> Status:
    """The rule for all solvers: converged at a finite certificate within the tolerance only."""
    if 0.0 <= optimality <= tol:  # False for not-a-number
        return Status.CONVERGED
    return Status.MAX_ITER if at_limit else Status.STALLED


def above_rounding(problem: Problem, found: Solution) -> Solution:
    """The solution, no longer called converged where J may be far above its minimum all the same.

    A gradient that is small beside ∇(0) says little of J where rounding decides it, or where rows
    of very unequal size make ∇(0) huge. (A duality gap holds J itself.)
    """
    if found.status is not Status.CONVERGED or not problem.loss.smooth:
        return found
    tiny = problem.gamma_A <= TINY * problem.size
    blur = _blur(problem, found) if tiny else 0.0
    # few digits are what was asked for where the tolerance is a loose one
    asked = not problem.space.tolerance and found.optimality <= 1e-7
    excess = _excess(problem, found) if asked and not problem.loss.quadratic else 0.0
    if blur <= BLUR and excess <= 0.5:
        return found
    return replace(found, status=Status.STALLED, optimality=max(found.optimality, blur, excess))


def _blur(problem: Problem, found: Solution) -> float:
    """How much of max(J, J(0)) the last digits of the coefficients decide.

    c is of the order of 1/γ_A: far below the kernel's own size, Kc is what is left of sums of
    huge terms, and a small gradient says nothing of J any more.
    """
    signs = np.where(np.arange(found.coef.size).reshape(found.coef.shape) % 2, 1.0, -1.0)
    eps = np.finfo(np.float64).eps
    here, moved = (
        problem.value(problem.space.element(found.coef * (1.0 + noise))).sum()
        for noise in (-eps * signs, eps * signs)
    )
    scale = max(float(here), float(problem.value(problem.start).sum()))
    return abs(float(moved) - float(here)) / (scale or 1.0)


def _excess(problem: Problem, found: Solution) -> float:
    """‖∇(c)‖²/(4γ_A J), no less than (J − J*)/J: γ_A‖f‖² makes J 2γ_A-strongly convex.

    Up to ½, J is at most twice its minimum. Along functions without a penalty nothing is bounded.
    """
    e = problem.space.element(found.coef)
    g, value = problem.gradient(e), float(problem.value(e).sum())
    free = g.coef[len(g.coef) - problem.space.free.shape[1] :]
    squares = float((g.norm**2).sum() - (free**2).sum())
    return max(squares, 0.0) / (4.0 * problem.gamma_A * value) if problem.gamma_A * value else 0.0


def relative_gap(primal: float, dual: float, origin: float) -> float:
    """|P − D|/max(P, P(0))."""
    return abs(primal - dual) / (max(primal, origin) or 1.0)


def check_loss(loss: Loss, solver) -> None:
    """One clear error where the loss is not of the kind that a solver, or its class, requires."""
    if not isinstance(loss, solver.requires):
        name = (solver if isinstance(solver, type) else type(solver)).__name__
        raise TypeError(
            f"The solver {name} needs a {solver.requires.__name__}, but the loss "
            f"{type(loss).__name__} is none. Use solver='auto'."
        )


def no_progress(iteration: int, optimality: float) -> None:
    """The default: nobody is told."""
