"""The choice of parameters at "auto": one search for every family. The recipe names its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, is_regressor

from ...exceptions import Said, unsaid, warn
from ...operators import Operator
from ...parameters.arguments import is_auto
from ...selection import (
    AXES,
    Axis,
    Sample,
    Selection,
    class_judge,
    output_judge,
    real_judge,
    sampled_rows,
    search_axes,
    select,
    vanishes,
)
from ...solvers import check_solver_loss
from ...targets import column_means
from ..point_cloud import takes_missing
from ..points import adds_points, has_gaps, in_codes
from ..settings import DEFAULTS, SELECTED, Settings

if TYPE_CHECKING:
    from .base import Data, Recipe

FEWEST = 4
"""Minimum number of labeled rows that can be left out. Below it, no axes are compared."""

LARGEST = 2000
"""Number of rows above which no axes are searched if no row can be left out."""


@dataclass(frozen=True)
class Choices:
    """The parameters of a family for the search.

    Attributes
    ----------
    axes : tuple of str and Axis
        The family's own parameters, by name (:data:`lapwing.selection.AXES`) or with their values.
        They include the common parameters if there is not one kernel on rows.
    on_rows : bool
        Whether there is one kernel on rows and one regularizer over them, for each column.
    whole : bool
        Whether a matrix over all rows is given, so that no row can be left out.
    scaled : tuple of str
        The weights whose common multiple c gives K̃/c.
    following : tuple of str
        Weights whose rules follow these.
    outputs : built output structure, optional
        The structure that defines the loss of structured outputs.
    """

    axes: tuple[str | Axis, ...] = ()
    on_rows: bool = True
    whole: bool = False
    scaled: tuple[str, ...] = ("gamma_A", "gamma_I")
    following: tuple[str, ...] = ()
    outputs: Any = None

    def opened(self, p: Settings) -> list[Axis]:
        """The axes of the parameters at "auto". Real targets have an arbitrary zero (°C or K), so
        a regressor always has an intercept.
        """
        named = [AXES[axis] if isinstance(axis, str) else axis for axis in self.axes]
        one = {"fit_intercept": (True,)} if is_regressor(p.model) else {}
        return [replace(a, values=one.get(a.name, a.values)) for a in named if p.is_open(a.name)]

    def common_scale(self, p: Settings) -> tuple[str, ...]:
        """The weights that scale K̃ together: all of them if none is given as a number."""
        names = [name for name in self.scaled if p.has(name)]
        held = [p.given(name) for name in (*names, *self.following) if p.has(name)]
        return tuple(names) if all(is_auto(gamma) or vanishes(gamma) for gamma in held) else ()


def choose(recipe: Recipe, p: Settings, data: Data) -> Selection | None:
    """The chosen values for "auto": kernel, graph and weights, then the recipe's own axes.

    None if no parameter is "auto".

    Parameters
    ----------
    recipe, p, data
        The recipe, the settings and the data of the problem.
    """
    choices = recipe.choices(p, data)
    axes, own = choices.opened(p), getattr(p.model, "regularizer", None)
    gaps = takes_missing(getattr(p.model, "kernel", None)) and has_gaps(data.points.X)
    common = [name for name in SELECTED if p.is_open(name)] if choices.on_rows else []
    if gaps and common and not axes:
        rule = {name: DEFAULTS[name] for name in common}
        return Selection(rule, "Rows lack columns, so nothing is compared: the rule holds.")
    if choices.on_rows and not gaps:
        axes = [axis for axis in axes if axis.name not in SELECTED]
    else:
        choices, common = replace(choices, on_rows=False), []
    # the search cannot use points that a regularizer adds: the rule then holds
    if not (axes or common) or (common and adds_points(own)):
        return None
    sample = sampled(choices, p, data)
    first = by_rows(recipe, p, data, sample, choices) if common else Selection({})
    return by_axes(recipe, p, data, sample, choices, axes, first).after(first) if axes else first


def sampled(choices: Choices, p: Settings, data: Data) -> Sample:
    """The rows for the choice, the targets of the squared loss there, and the cost of left-out
    labels.
    """
    targets, outputs = data.targets, choices.outputs
    rows, kept = sampled_rows(data.weights, targets.codes, choices.whole)
    at, codes = np.searchsorted(kept, rows), np.full(len(kept), -1)
    own = codes[at] = targets.codes[rows]
    w = data.weights[rows] / data.weights[rows].max(axis=1).sum()
    groups = np.unique(data.groups[rows], return_inverse=True)[1]
    Y, counts, n_classes = targets.Y[rows], w.max(axis=1), 0 if outputs else targets.n_classes
    if outputs:
        judge, Y = output_judge(Y, outputs, own, groups, counts), outputs.features(Y)
    elif n_classes:
        judge = class_judge(own, n_classes, groups, counts)
    else:
        signs = () if is_regressor(p.model) else Y
        Y = Y - column_means(Y, w) if choices.on_rows else Y  # the zero of a scale is arbitrary
        judge = real_judge(Y, w > 0, groups, counts, signs)
    points = data.points.take(kept, p.precomputed)
    exclusive = outputs.kernel is not None if outputs else n_classes > 0
    return Sample(
        points, codes, at, Y, w, n_classes, exclusive, judge, p.random_state, kept, targets.codes
    )


def by_rows(recipe: Recipe, p: Settings, data: Data, sample: Sample, choices: Choices) -> Selection:
    """The choice for one kernel and one regularizer on rows (:func:`lapwing.selection.select`)."""
    given = {name: getattr(p.model, name, False) for name in SELECTED}
    if given["regularizer"] is None:
        given |= {"regularizer": DEFAULTS["regularizer"], "gamma_I": 0.0}
    given["regularizer"] = in_codes(given["regularizer"], data.targets.coding.classes)
    loss = recipe.loss(p, data.targets)
    check_solver_loss(p.solver, loss)  # before any work
    built: dict[int, tuple[Operator, Said]] = {}
    found = select(
        sample,
        data.points,
        given,
        space=data.points.searched_space(p),
        loss=None if choices.outputs else loss,
        built=built,
        say=data.points.say,
    )
    chosen = found.choice["regularizer"]
    if id(chosen) in built:  # the search has built the graph of all rows
        operator, said = built[id(chosen)]
        data.points.keep_operator(operator, chosen)
        for message, category in said:
            warn(message, category)
    return found.only(name for name in found.choice if p.has(name))


def by_axes(
    recipe: Recipe,
    p: Settings,
    data: Data,
    sample: Sample,
    choices: Choices,
    axes: Sequence[Axis],
    first: Selection,
) -> Selection:
    """:func:`lapwing.selection.search_axes` over a family's own problems.

    Above 1,000 rows the search sees the labeled rows (at most 400) and a sample of the others.
    """
    scaled = choices.common_scale(p)
    if "gamma_A" in scaled:  # all weights are tried at common multiples
        axes = [replace(a, values=(1.0,)) if a.name == "gamma_A" else a for a in axes]
    default = {axis.name: axis.typed(0) for axis in axes}
    if sample.n > LARGEST:
        return Selection(default, f"{sample.n} rows are too many to search: the default is taken.")
    if sample.judge.telling.sum() < FEWEST:
        return Selection(default, "Too few labels to compare by: the default is taken.")
    start = {n: v for n, v in first.choice.items() if n != "space"}
    few = data.take(sample.kept, p.precomputed)
    # values on the graph have no factor, so output kernels are compared on an exact sample
    p = p.trying({"space": "exact"}) if start else p

    def posed(settings: dict):
        with unsaid():  # the fit itself gives the warnings of its graph
            return recipe.compile(p.trying(settings), few).problem

    if not posed({**start, **default}).deformation.factored:
        rule = {axis.name: DEFAULTS[axis.name] for axis in axes}
        return Selection(rule, "The rule is taken: without a factor of K̃ a search is slow.")

    def labeled(settings: dict):
        return posed(settings).deformation.gram(sample.rows)

    return search_axes(sample, axes, scaled, labeled, start, data.points.say)


def holds_rows(*parts) -> bool:
    """Whether a part is, or holds, a matrix over all rows of X, so that no row can be left out."""
    return any(map(_is_matrix, parts)) or any(
        _is_matrix(inner)
        for part in parts
        if isinstance(part, BaseEstimator)
        for inner in part.get_params(deep=True).values()
    )


def _is_matrix(part) -> bool:
    part = getattr(part, "W", part)  # of a built graph
    return sp.issparse(part) or (isinstance(part, np.ndarray) and part.ndim == 2)
