"""Point by point, with kernels and graphs made once, each solve from the one before it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from ..estimators.base import ManifoldModel
from ..estimators.fitting import choose, new_points, read
from ..estimators.recipes import Data
from ..estimators.settings import Settings
from ..exceptions import unsaid
from ..outputs import OutputGraph
from ..problem import Problem
from ..solvers import choose_solver
from .point import PathPoint

VARIED = ("gamma_O", "gamma_C", "gamma_M", "n_components")
"""What a point names beside γ_I and γ_A, where it was varied."""


@dataclass(frozen=True)
class Prepared:
    """An estimator that has read its data and chosen what was "auto", before any point is solved.

    Attributes
    ----------
    model : ManifoldModel
    settings : Settings
    data : Data
        With the shelf on which points share kernels, graphs and spaces.
    first : Problem
        At the first point of the grid.
    X_new : array, views or None
        New points as the space takes them.
    """

    model: ManifoldModel
    settings: Settings
    data: Data
    first: Problem
    X_new: Any

    @classmethod
    def of(cls, estimator, X, y, sample_weight, grids: Mapping[str, Sequence], X_new) -> Prepared:
        """The graph is that of the largest γ_I: all points have one, unless every γ_I is 0."""
        model = clone(estimator)
        given = {k: float(max(grids[k])) for k in ("gamma_I", "gamma_C", "gamma_M") if k in grids}
        if "gamma_A" in grids:
            given["gamma_A"] = float(grids["gamma_A"][0])
        if "n_components" in grids:
            given["n_components"] = int(max(grids["n_components"]))
        model.set_params(**given)
        data = read(model, X, y, sample_weight)
        settings = choose(model, data)
        compiled = model.recipe.compile(settings, data)  # says what is to say of its graphs
        new = None if X_new is None else new_points(model, compiled, X_new)
        return cls(model, settings, data, compiled.problem, new)

    def at(self, setting: Mapping[str, float]) -> Problem:
        """The problem of one point, from parts that all points share."""
        settings = self.settings.fixing(**self.typed(setting))
        with unsaid():  # of its graphs all was said at the first point
            return self.model.recipe.compile(settings, self.data).problem

    def typed(self, setting: Mapping[str, float]) -> dict[str, Any]:
        """A point of the grid as parameters of the estimator."""
        given: dict[str, Any] = {
            name: int(value) if name == "n_components" else float(value)
            for name, value in setting.items()
            if name != "gamma_O"
        }
        if "gamma_O" in setting:
            own = self.settings.output_kernel
            graph = clone(own) if isinstance(own, OutputGraph) else OutputGraph()
            given["output_kernel"] = graph.set_params(gamma_O=float(setting["gamma_O"]))
        return given


def points_of(prepared: Prepared, grids: Mapping[str, Sequence[float]]) -> Iterator[PathPoint]:
    """The points of any grids, the first outermost."""
    settings = [
        dict(zip(grids, values, strict=True)) for values in itertools.product(*grids.values())
    ]
    return solved(prepared, ((setting, prepared.at(setting)) for setting in settings))


def solved(prepared: Prepared, problems: Iterable[tuple[dict, Problem]]) -> Iterator[PathPoint]:
    """One problem after the other, each started from the solution before it."""
    model, active = prepared.model, None
    coef: np.ndarray | None = None
    for setting, problem in problems:
        space = problem.space
        start = None
        if coef is not None and len(coef) == space.n_coef:
            start = space.element(coef)
        solver = choose_solver(model.solver, problem, model.tol, model.max_iter, start=active)
        found = solver.solve(problem, start)
        coef, active = found.coef, getattr(found, "working_set", None)
        yield point_of(prepared, setting, problem, coef, found.n_iter)


def point_of(
    prepared: Prepared, setting: dict, problem: Problem, coef: np.ndarray, n_iter: int = 1
) -> PathPoint:
    """A solved point with its readouts."""
    space, X_new = problem.space, prepared.X_new
    return PathPoint(
        gamma_I=problem.gammas["gamma_I"],
        gamma_A=problem.gamma_A,
        readout=space.element(coef).readout,
        readout_new=None if X_new is None else space.evaluate_at(X_new, coef),
        coef=coef,
        objective=problem,
        n_iter=n_iter,
        **{name: setting.get(name) for name in VARIED},
    )
