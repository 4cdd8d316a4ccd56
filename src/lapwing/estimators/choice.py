"""What estimators with outputs, views or eigenvectors of their own leave to the search."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from ..exceptions import unsaid
from ..parameters.arguments import is_auto
from ..selection import Axis, Selection, search_axes
from ..selection.judges import real_judge
from ..selection.problem import sampled_rows
from ..targets import Targets

FEWEST = 4
"""Labeled rows that can be left out, below which nothing is compared."""

LARGEST = 2000
"""Rows above which nothing is searched where none can be left out."""


def common_scale(model, names: Sequence[str], others: Sequence[str] = ()) -> tuple[str, ...]:
    """The weights that scale K̃ together: all of ``names``, if none is given as a number.

    ``others`` are weights whose rules follow these: they may not be numbers either.
    """
    held = [getattr(model, name) for name in (*names, *others)]
    loose = all(is_auto(value) or (not isinstance(value, str) and value == 0) for value in held)
    return tuple(names) if loose else ()


def by_values(few: Targets, at: np.ndarray):
    """The judge of real targets at the rows given, entries that were not observed left out."""
    return real_judge(np.where(few.observed[at], few.Y[at], np.nan))


def choose_axes(
    model,
    X,
    targets: Targets,
    weights: np.ndarray,
    axes: Sequence[Axis],
    scaled: Sequence[str],
    judge_of: Callable[[Targets, np.ndarray], Callable[[np.ndarray], np.ndarray]] = by_values,
    *,
    whole: bool = False,
    as_targets: Callable[[np.ndarray], np.ndarray] | None = None,
) -> Selection | None:
    """:func:`lapwing.selection.search_axes` over an estimator's own problem; None if all is given.

    Only the axes of parameters that were left to "auto" are searched.

    Above 800 rows the search sees all labeled rows (at most 400) and a sample of the others.

    Parameters
    ----------
    model : ManifoldModel
        Its ``_probe(settings)`` is a copy that takes these for "auto".
    X, targets, weights
        As ``_objective`` takes them.
    axes, scaled
        What is tried.
    judge_of : callable
        (targets, labeled rows) ↦ judge; squared errors of real targets where nothing is said.
    whole : bool
        No row can be left out: a matrix over all of them was given.
    as_targets : callable, optional
        What the squared loss is to fit in place of the targets' own rows.
    """
    axes = [axis for axis in axes if is_auto(getattr(model, axis.name))]
    if not axes:
        return None
    default = {axis.name: axis.typed(0) for axis in axes}
    rows, kept = sampled_rows(weights, targets.codes, whole)
    if len(kept) > LARGEST:
        return Selection(default, f"{len(kept)} rows that belong together are too many to search")
    few = _taken(targets, kept)
    at = np.searchsorted(kept, rows)
    judge = judge_of(few, at)
    if len(judge(np.zeros((len(at), few.Y.shape[1])))) < FEWEST:
        return Selection(default, "too few labels to compare by")
    points = _rows_of(X, kept, model._precomputed)
    shares = weights[kept] / weights[rows].max(axis=1).sum()

    memory: dict = {}

    def posed(settings: dict):
        asked = model._probe(settings)
        asked._memory = memory
        with unsaid():  # the fit itself says what is to say of its graph
            return asked._objective(points, few, shares)

    if not posed(default).deformation.factored:
        return Selection(default, "without a factor of the deformed kernel a search is too slow")

    def labeled(settings: dict):
        problem = posed(settings)
        kernel = problem.deformation.gram(problem.rows)
        y = problem.y if as_targets is None else as_targets(problem.y)
        return kernel, y, problem.w

    return search_axes(axes, scaled, labeled, judge, real=targets.classes is None)


def probe(model, settings: dict):
    """A silent copy of an estimator that takes the settings for "auto"."""
    other = copy.copy(model)
    other.verbose = 0
    other._chosen = {**model._chosen, **settings}
    return other


def holds_rows(*parts) -> bool:
    """Whether a part is, or holds, a matrix over the rows of X, none of which can be left out."""
    return any(map(_is_matrix, parts)) or any(
        _is_matrix(inner)
        for part in parts
        if isinstance(part, BaseEstimator)
        for inner in part.get_params(deep=True).values()
    )


def _is_matrix(part) -> bool:
    return sp.issparse(part) or (isinstance(part, np.ndarray) and part.ndim == 2)


def _taken(targets: Targets, kept: np.ndarray) -> Targets:
    return replace(
        targets,
        Y=targets.Y[kept],
        observed=targets.observed[kept],
        codes=targets.codes[kept],
    )


def _rows_of(X, kept: np.ndarray, precomputed: bool):
    if len(kept) == X.shape[0]:
        return X
    return X[np.ix_(kept, kept)] if precomputed else X[kept]
