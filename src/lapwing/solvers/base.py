"""What a solver is: it takes an objective and returns a solution with its certificate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ..losses import Loss
from ..objective import Objective
from ..spaces import Element

Progress = Callable[[int, float], None]
"""Called as ``progress(iteration, optimality)`` while a solver works."""


ROUNDING = 1e-12
"""How far below zero a duality gap may come out; below that, something is wrong."""


class Status(StrEnum):
    """How a solve ended; the text is the diagnosis shown to the user."""

    CONVERGED = "converged"
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
        Coefficients in the objective's space.
    status : Status
    n_iter : int
    optimality : float
        The certificate, worst column: ‖∇(c)‖/‖∇(0)‖, or the relative duality gap.
    history : list of float
        The certificate as the iterations went.
    base : array of shape (n, t), optional
        What the space's elements remember of f at the training points, where the solver has it.
    """

    coef: np.ndarray = field(repr=False)
    status: Status
    n_iter: int
    optimality: float
    history: list[float] = field(default_factory=list, repr=False)
    base: np.ndarray | None = field(default=None, repr=False)


def status_of(optimality: float, tol: float, at_limit: bool = False) -> Status:
    """The rule for all solvers: converged at a finite certificate within the tolerance only."""
    if -ROUNDING <= optimality <= tol:  # False for not-a-number
        return Status.CONVERGED
    return Status.MAX_ITER if at_limit else Status.STALLED


class Solver(ABC):
    """Minimises an objective whose loss is of the kind it ``requires``."""

    requires: type[Loss]
    tol: float

    @abstractmethod
    def solve(self, objective: Objective, start: Element | None = None) -> Solution: ...

    def check(self, objective: Objective) -> None:
        """One clear error where the loss is not of the kind this solver needs."""
        self.check_loss(objective.loss)

    @classmethod
    def check_loss(cls, loss: Loss) -> None:
        """As :meth:`check`, before there is an objective."""
        if not isinstance(loss, cls.requires):
            raise TypeError(
                f"The solver {cls.__name__} needs a {cls.requires.__name__}, but the loss "
                f"{type(loss).__name__} is none. Use solver='auto'."
            )


def no_progress(iteration: int, optimality: float) -> None:
    """The default: nobody is told."""
