"""The abstract class of all solvers."""

from abc import ABC, abstractmethod

import numpy as np

from ..losses import Loss
from ..problem import Problem, Solution
from ..spaces import Element, System


class Solver(ABC):
    """Minimizes an objective whose loss is an instance of the class ``requires``."""

    requires: type[Loss]
    tol: float

    @classmethod
    def takes(cls, loss: Loss) -> bool:
        """Whether the loss is an instance of ``requires``."""
        return isinstance(loss, cls.requires)

    @abstractmethod
    def solve(self, objective: Problem, start: Element | None = None) -> Solution: ...

    def without(self, gone: np.ndarray, found: Solution) -> "Solver":
        """The solver for the problem just solved, without the labeled rows ``gone``."""
        return self


def by_nearby(system: System | None):
    """The preconditioner of a Hessian from a similar system; None without one.

    The Hessian is twice such a system.
    """
    return system and (lambda r: system.solve(0.5 * r.coef))
