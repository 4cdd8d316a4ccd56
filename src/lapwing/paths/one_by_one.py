"""Point by point, with kernels and graphs made once, each solve from the one before it."""

import copy
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..estimators.base import ManifoldModel
from ..exceptions import unsaid
from ..objective import Objective
from ..solvers import choose_solver
from .point import PathPoint, with_gammas

Problem = tuple[float, float | None, Objective]
"""γ_I, γ_O and the objective of one point."""


def first_problem(model: ManifoldModel, X, y, sample_weight, gammas_A, gammas_I, X_new):
    """What ``_objective`` takes, the objective it gives, and new points as its space takes them."""
    if gammas_I is not None:
        model.set_params(gamma_I=float(max(gammas_I)))  # the graph, unless every γ_I is 0
    if gammas_A is not None:
        model.set_params(gamma_A=float(gammas_A[0]))
    rows = model._validate(X, y, sample_weight)
    model._choose(*rows)
    objective = model._objective(*rows)
    return rows, objective, None if X_new is None else model._checked(X_new)


def points_of(
    model: ManifoldModel, X, y, sample_weight, gammas_A, gammas_I, X_new
) -> Iterator[PathPoint]:
    """The points of the grid, γ_I outermost."""
    rows, first, X_new = first_problem(model, X, y, sample_weight, gammas_A, gammas_I, X_new)
    # over several views the operator holds its weights, and is put together anew from parts kept
    several = "views" in model.get_params(deep=False)
    memory: dict[Any, Any] = {}

    def at(gamma_A: float | None, gamma_I: float | None) -> Problem:
        if several:
            return _anew(model, rows, memory, gamma_A=gamma_A, gamma_I=gamma_I)
        gamma_A = first.gamma_A if gamma_A is None else float(gamma_A)
        gamma_I = first.lam * first.n_rows**2 if gamma_I is None else float(gamma_I)
        return gamma_I, None, with_gammas(first, rows[1].Y, gamma_A, gamma_I)

    grid_I = [None] if gammas_I is None else gammas_I
    grid_A = [None] if gammas_A is None else gammas_A
    return solved(model, (at(gamma_A, gamma_I) for gamma_I in grid_I for gamma_A in grid_A), X_new)


def points_anew(
    model: ManifoldModel, X, y, sample_weight, grids: dict[str, Sequence[float]], X_new
) -> Iterator[PathPoint]:
    """The points of any grids, the first outermost; problems share the parts that are kept."""
    largest = {name: max(grid) for name, grid in grids.items()}  # a graph, unless every γ_I is 0
    model.set_params(**{name: _number(name, value) for name, value in largest.items()})
    rows = model._validate(X, y, sample_weight)
    model._choose(*rows)
    model._objective(*rows)  # says what is to say of its graphs
    X_new = None if X_new is None else model._checked(X_new)
    memory: dict[Any, Any] = {}
    for values in itertools.product(*grids.values()):
        setting = dict(zip(grids, values, strict=True))
        problem = _anew(model, rows, memory, **setting)
        (point,) = solved(model, [problem], X_new)
        others: dict[str, Any] = {k: _number(k, v) for k, v in setting.items() if k in OTHERS}
        yield replace(point, **others)


OTHERS = ("gamma_C", "gamma_M", "n_components")


def _number(name: str, value: float) -> float | int:
    return int(value) if name == "n_components" else float(value)


def _anew(model: ManifoldModel, rows, memory: dict[Any, Any], **setting: float | None) -> Problem:
    other = copy.copy(model)
    other._memory = memory
    for name, value in setting.items():
        if value is not None:
            setattr(other, name, _number(name, value))
    with unsaid():  # of its graphs all was said at the first point
        problem = other._objective(*rows)
    if hasattr(other, "views_"):  # the operator holds its weights
        return other.gamma_I_, None, problem
    return problem.lam * problem.n_rows**2, None, problem


def solved(model: ManifoldModel, problems: Iterable[Problem], X_new) -> Iterator[PathPoint]:
    """One problem after the other, each started from the solution before it."""
    coef: np.ndarray | None = None
    active = None
    for gamma_I, gamma_O, problem in problems:
        space = problem.space
        start = None if coef is None else space.element(coef)
        solver = choose_solver(model.solver, problem, model.tol, model.max_iter, start=active)
        found = solver.solve(problem, start)
        coef, active = found.coef, getattr(found, "working_set", None)
        new = None if X_new is None else space.evaluate_at(X_new, coef)
        readout = space.element(coef).readout
        yield PathPoint(
            gamma_I, problem.gamma_A, gamma_O, readout, new, coef, problem, found.n_iter
        )
