"""The points of a path: kernels and graphs are built once, and each solve starts from the last."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from ..estimators.base import ManifoldModel
from ..estimators.fitting import choose, new_points, read
from ..estimators.recipes import Data
from ..estimators.settings import Settings
from ..exceptions import unsaid
from ..outputs import OutputGraph
from ..parameters.arguments import is_auto
from ..problem import Problem
from ..solvers import choose_solver
from .reduced import Solved, is_reducible, reduced

VARIED = ("gamma_O", "gamma_C", "gamma_M", "n_components")
"""The weights that a point names beside γ_I and γ_A, if they were varied."""


RANGES: dict[str, tuple[str, Callable]] = {
    "gamma_A": ("> 0", lambda values: values > 0),
    "gamma_O": ("numbers from 0 to 1", lambda values: (values >= 0) & (values <= 1)),
    "n_components": ("positive integers", lambda values: (values >= 1) & (values % 1 == 0)),
}
"""The allowed values of a grid, if they are not ≥ 0."""


@dataclass(frozen=True)
class PathPoint:
    """One fit of a grid.

    Attributes
    ----------
    gamma_I, gamma_A, gamma_O : float
        The weights. ``gamma_O`` is None if the output kernel was not varied.
    readout : array of shape (n, q)
        f + b at the training rows. ``decision_function`` or a regressor's ``predict`` returns the
        same.
    readout_new : array of shape (m, q) or None
        f + b at ``X_new``.
    coef : array of shape (n, q), or (n + 1, q) with the intercepts as last row
        The coefficients.
    objective : Problem
        The problem that the coefficients solve.
    gamma_C, gamma_M, n_components : numbers or None
        The values, if they were varied.
    n_iter : int
        Iterations from the solution before; 1 for the closed form.
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
        """The certificate ‖∇‖/‖∇(0)‖ of this point. It costs one product with K."""
        return self.objective.optimality(self.objective.space.element(self.coef))


@dataclass(frozen=True)
class Prepared:
    """An estimator with its data read and its "auto" settings chosen, before any point is solved.

    Attributes
    ----------
    settings : Settings
        The parameters with the chosen values.
    data : Data
        The data. Its shelf keeps kernels, graphs and spaces for all points.
    first : Problem
        The problem at the largest values of the grid.
    X_new : array, views or None
        The new rows in the form of the space.
    """

    settings: Settings
    data: Data
    first: Problem
    X_new: Any

    @classmethod
    def of(cls, estimator, X, y, sample_weight, grids: Mapping[str, Sequence], X_new) -> Prepared:
        """Prepare with the graph of the largest γ_I. All points share it, unless every γ_I is 0."""
        model = clone(estimator)
        given = {name: max(grid) for name, grid in grids.items() if name != "gamma_O"}
        if "gamma_O" in grids and is_auto(model.output_kernel):
            given["output_kernel"] = None  # the grid varies it
        model.set_params(**given)
        data = read(model, X, y, sample_weight, None)
        settings = choose(model, data)
        compiled = model.recipe.compile(settings, data)  # gives the warnings of its graphs
        new = None if X_new is None else new_points(model, compiled, X_new)
        return cls(settings, data, compiled.problem, new)

    def at(self, setting: Mapping[str, float]) -> Problem:
        """The problem of one point, from the parts that all points share."""
        given: dict[str, Any] = dict(setting)
        if "gamma_O" in given:
            own = self.settings.output_kernel
            graph = clone(own) if isinstance(own, OutputGraph) else OutputGraph()
            given["output_kernel"] = graph.set_params(gamma_O=given.pop("gamma_O"))
        with unsaid():  # the first point gave the warnings of the graphs
            return self.settings.model.recipe.compile(
                self.settings.with_(**given), self.data
            ).problem


def points_of(prepared: Prepared, grids: Mapping[str, Sequence[float]]) -> Iterator[PathPoint]:
    """The points of any grids. The first grid is the outermost loop."""
    every = itertools.product(*grids.values())
    settings = [dict(zip(grids, values, strict=True)) for values in every]
    problems = ((setting, prepared.at(setting)) for setting in settings)
    if is_reducible(prepared.first):
        found = reduced(problems, prepared.data.points.shelf)
    else:
        found = one_by_one(problems, prepared.settings)
    X_new = prepared.X_new
    for setting, problem, coef, n_iter in found:
        space = problem.space
        yield PathPoint(
            gamma_I=problem.gammas["gamma_I"],
            gamma_A=problem.gamma_A,
            readout=space.element(coef).readout,
            readout_new=None if X_new is None else space.evaluate_at(X_new, coef),
            coef=coef,
            objective=problem,
            n_iter=n_iter,
            **{name: setting.get(name) for name in VARIED},
        )


def one_by_one(problems: Iterable[tuple[dict, Problem]], p: Settings) -> Iterator[Solved]:
    """Solve one problem after the other. Each starts from the solution before it."""
    coef, active = np.empty((0, 0)), None
    for setting, problem in problems:
        start = problem.space.element(coef) if len(coef) == problem.space.n_coef else None
        solver = choose_solver(p.solver, problem, p.tol, p.max_iter, start=active)
        found = solver.solve(problem, start)
        coef, active = found.coef, getattr(found, "working_set", None)
        yield setting, problem, coef, found.n_iter


def checked_grids(estimator: ManifoldModel, grids: Mapping[str, Any]) -> dict[str, list]:
    """The grids as lists of numbers. Wrong values and unknown parameters are errors."""
    known = estimator.get_params(deep=False)
    for name in grids:
        if name not in known and not (name == "gamma_O" and "output_kernel" in known):
            raise ValueError(
                f"{type(estimator).__name__} has no parameter {name}"
                + (": only vector-valued estimators and views do." if name == "gamma_O" else ".")
            )
    if "gamma_O" in grids:
        own = known["output_kernel"]
        if not (own is None or is_auto(own) or isinstance(own, OutputGraph)):
            raise ValueError(
                f"gamma_O varies the output graph, but output_kernel is {own!r}; set it to "
                "OutputGraph(...) or None."
            )
    return {name: _numbers(name, grid) for name, grid in grids.items()}


def _numbers(name: str, grid) -> list:
    expected, holds = RANGES.get(name, (">= 0", lambda values: values >= 0))
    values = np.asarray(grid, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError(f"{name} is {grid!r}; expected a non-empty sequence of numbers.")
    if not holds(values).all():
        raise ValueError(f"{name} is {grid!r}; expected {expected}.")
    return (values.astype(int) if name == "n_components" else values).tolist()
