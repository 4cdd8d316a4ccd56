"""What a solver is: it takes an objective and returns a solution with its certificate."""

from abc import ABC, abstractmethod

import numpy as np

from ..losses import Loss
from ..problem import Problem, Solution
from ..spaces import Element, System


class Solver(ABC):
    """Minimizes an objective whose loss is of the kind it ``requires``."""

    requires: type[Loss]
    tol: float

    @classmethod
    def takes(cls, loss: Loss) -> bool:
        """Whether the loss is of the kind that it requires."""
        return isinstance(loss, cls.requires)

    @abstractmethod
    def solve(self, objective: Problem, start: Element | None = None) -> Solution: ...

    def without(self, gone: np.ndarray, found: Solution) -> "Solver":
        """The solver for the problem it has just solved, without some labeled rows."""
        return self


def by_nearby(system: System | None):
    """The preconditioner of a Hessian, which is twice such a system; nothing without one."""
    return system and (lambda r: system.solve(0.5 * r.coef))
