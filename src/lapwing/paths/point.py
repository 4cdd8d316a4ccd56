"""One fit of a grid, and the checks of the grid itself."""

from dataclasses import dataclass, field

import numpy as np

from ..parameters.checks import is_count
from ..problem import Problem


@dataclass(frozen=True)
class PathPoint:
    """One fit of a grid.

    Attributes
    ----------
    gamma_I, gamma_A, gamma_O : float
        ``gamma_O`` is None where the output kernel was not varied.
    readout : array of shape (n, q)
        f + b at the training rows: what ``decision_function`` or a regressor's ``predict``
        returns there.
    readout_new : array of shape (m, q) or None
        The same at ``X_new``.
    coef : array of shape (n, q), or (n + 1, q) with the intercepts as last row
    objective : Problem
    gamma_C, gamma_M, n_components : numbers or None
        Where they were varied.
    n_iter : int
        Iterations from the solution before it; 1 where the closed form holds.
    """

    gamma_I: float
    gamma_A: float
    gamma_O: float | None
    readout: np.ndarray = field(repr=False)
    readout_new: np.ndarray | None = field(repr=False)
    coef: np.ndarray = field(repr=False)
    objective: Problem = field(repr=False)
    n_iter: int = 1
    gamma_C: float | None = None
    gamma_M: float | None = None
    n_components: int | None = None

    def optimality(self) -> float:
        """The certificate ‖∇‖/‖∇(0)‖ of this point (one product with K)."""
        return self.objective.optimality(self.objective.space.element(self.coef))


def check_numbers(**grids) -> None:
    """One clear error where a grid is none."""
    for name, grid in grids.items():
        if grid is None:
            continue
        if name == "n_components":
            if not len(grid) or not all(map(is_count, grid)):
                raise ValueError(f"{name} is {grid!r}; expected a sequence of positive integers.")
            continue
        values = np.asarray(grid, dtype=np.float64)
        lowest = {"gamma_A": 0.0}.get(name)
        if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
            raise ValueError(f"{name} is {grid!r}; expected a non-empty sequence of numbers.")
        if (values < 0).any() or (lowest is not None and (values == lowest).any()):
            raise ValueError(f"{name} is {grid!r}; expected {'> 0' if lowest == 0.0 else '>= 0'}.")
