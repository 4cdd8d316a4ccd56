"""The result of a solver: coefficients, a certificate and a status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from ..losses import Loss
from .equation import Problem

Progress = Callable[[int, float], None]
"""A solver calls ``progress(iteration, optimality)`` while it works."""

TINY, BLUR = 1e-10, 1e-3
"""γ_A relative to the kernel's size below which rounding is checked; its limit relative to J(0)."""


class Status(StrEnum):
    """The end of a solve. The text is the diagnosis for the user."""

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
    """The result of a solver.

    Attributes
    ----------
    coef : array of shape (m, t)
        The coefficients in the problem's space.
    status : Status
        The end of the solve.
    n_iter : int
        The number of iterations.
    optimality : float
        The certificate of the worst column: ‖∇(c)‖/‖∇(0)‖, or the relative duality gap.
    history : list of float
        The certificate after each iteration.
    base : array of shape (n, t), optional
        The values that the space keeps of f at the training rows, if the solver has them.
    slow : tuple of int
        The columns that the solver's first engine could not solve.
    multipliers : array of shape (l, t), optional
        β of each labeled row, with f = K̃β and ``|β_i| ≤ w_i/2`` for the hinge. Only dual solvers
        with the columns of the problem have it.
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
    """The rule for all solvers: converged only if the certificate is finite and within the
    tolerance.
    """
    if 0.0 <= optimality <= tol:  # False for not-a-number
        return Status.CONVERGED
    return Status.MAX_ITER if at_limit else Status.STALLED


def above_rounding(problem: Problem, found: Solution) -> Solution:
    """The solution. It is no longer converged if J may still be far above its minimum.

    A gradient that is small relative to ∇(0) says little about J in two cases: rounding decides J,
    or rows of very unequal size make ∇(0) huge. A duality gap bounds J itself.
    """
    if found.status is not Status.CONVERGED or not problem.loss.smooth:
        return found
    tiny = problem.gamma_A <= TINY * problem.size
    blur = _blur(problem, found) if tiny else 0.0
    # a loose tolerance asks for few digits only
    asked = not problem.space.tolerance and found.optimality <= 1e-7
    excess = _excess(problem, found) if asked and not problem.loss.quadratic else 0.0
    if blur <= BLUR and excess <= 0.5:
        return found
    return replace(found, status=Status.STALLED, optimality=max(found.optimality, blur, excess))


def _blur(problem: Problem, found: Solution) -> float:
    """The share of max(J, J(0)) that the last digits of the coefficients decide.

    c is of the order of 1/γ_A. If γ_A is far below the kernel's size, Kc is a small difference of
    huge terms. A small gradient then says nothing about J.
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
    """‖∇(c)‖²/(4γ_A J), at least (J − J*)/J, because γ_A‖f‖² makes J 2γ_A-strongly convex.

    Up to ½, J is at most twice its minimum. Functions without a penalty have no such bound.
    """
    e = problem.space.element(found.coef)
    g, value = problem.gradient(e), float(problem.value(e).sum())
    free = g.coef[len(g.coef) - problem.space.free.shape[1] :]
    squares = float((g.norm**2).sum() - (free**2).sum())
    return max(squares, 0.0) / (4.0 * problem.gamma_A * value) if problem.gamma_A * value else 0.0


def relative_gap(primal: float, dual: float, origin: float) -> float:
    """The relative duality gap ``|P − D|/max(P, P(0))``."""
    return abs(primal - dual) / (max(primal, origin) or 1.0)


def check_loss(loss: Loss, solver) -> None:
    """An error if the loss is not of the kind that the solver needs."""
    if not isinstance(loss, solver.requires):
        name = (solver if isinstance(solver, type) else type(solver)).__name__
        raise TypeError(
            f"The solver {name} needs a {solver.requires.__name__}, but the loss "
            f"{type(loss).__name__} is none. Use solver='auto'."
        )


def no_progress(iteration: int, optimality: float) -> None:
    """The default callback. It does nothing."""
