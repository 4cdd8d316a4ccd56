"""Point by point, with kernels and graphs made once, each solve from the one before it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..estimators.base import ManifoldModel
from ..exceptions import unsaid
from ..objective import Objective
from ..solvers import choose_solver
from ..targets import Targets
from .point import PathPoint, with_gammas

Problem = tuple[float, Objective, Callable[[np.ndarray], np.ndarray] | None]
"""γ_I, the objective, and coefficients ↦ the readout at new points."""


def points_of(
    model: ManifoldModel, X, y, sample_weight, gammas_A, gammas_I, X_new
) -> Iterator[PathPoint]:
    """The points of the grid, γ_I outermost."""
    if gammas_I is not None:
        model.set_params(gamma_I=float(max(gammas_I)))  # the graph, unless every γ_I is 0
    if gammas_A is not None:
        model.set_params(gamma_A=float(gammas_A[0]))
    points, targets, weights = model._validate(X, y, sample_weight)
    model._choose(points, targets, weights)
    posed = _Posed(model, points, targets, weights, X_new)
    coef: np.ndarray | None = None
    active = None
    for gamma_I in [None] if gammas_I is None else gammas_I:
        for gamma_A in [None] if gammas_A is None else gammas_A:
            number, problem, read = posed.at(gamma_A, gamma_I)
            start = None if coef is None else problem.space.element(coef)
            solver = choose_solver(model.solver, problem, model.tol, model.max_iter, start=active)
            found = solver.solve(problem, start)
            coef, readout = found.coef, problem.space.element(found.coef).readout
            active = getattr(found, "working_set", None)
            new = None if read is None else read(coef)
            yield PathPoint(
                number, problem.gamma_A, None, readout, new, coef, problem, found.n_iter
            )


class _Posed:
    """The problem at each point of the grid, from one estimator and its rows.

    Attributes
    ----------
    shared : bool
        Whether one operator serves all γ's; else it holds its own weights (several views), and is
        put together anew from parts that are kept.
    """

    def __init__(self, model: ManifoldModel, points, targets: Targets, weights, X_new):
        self.model, self.points, self.targets, self.weights = model, points, targets, weights
        self.X_new = X_new
        self.memory: dict[Any, Any] = {}
        self.first = model._objective(points, targets, weights)
        self.shared = "views" not in model.get_params(deep=False)

    def at(self, gamma_A: float | None, gamma_I: float | None) -> Problem:
        return (self._shared if self.shared else self._anew)(gamma_A, gamma_I)

    def _shared(self, gamma_A, gamma_I) -> Problem:
        o = self.first
        gamma_A = o.gamma_A if gamma_A is None else float(gamma_A)
        gamma_I = o.lam * o.n_rows**2 if gamma_I is None else float(gamma_I)
        problem = with_gammas(o, self.targets.Y, gamma_A, gamma_I)
        return gamma_I, problem, self._reader(self.model, problem)

    def _anew(self, gamma_A, gamma_I) -> Problem:
        model = copy.copy(self.model)
        model._memory = self.memory
        given = {"gamma_A": gamma_A, "gamma_I": gamma_I}
        for name, value in given.items():
            if value is not None:
                setattr(model, name, float(value))
        with unsaid():  # of its graphs all was said at the first point
            problem = model._objective(self.points, self.targets, self.weights)
        return model.gamma_I_, problem, self._reader(model, problem)

    def _reader(self, model: ManifoldModel, problem: Objective):
        if self.X_new is None:
            return None
        X_new = model._checked(self.X_new)
        return lambda coef: problem.space.evaluate_at(X_new, coef)
