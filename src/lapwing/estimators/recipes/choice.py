"""What estimators with outputs, views or eigenvectors of their own leave to the search."""

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from ...exceptions import unsaid
from ...graphs import KNN
from ...kernels import RBF, Linear
from ...outputs import OutputGraph
from ...parameters.arguments import is_auto
from ...regularizers import Laplacian
from ...selection import Axis, Selection, search_axes
from ...selection.axes import SCALES
from ...selection.judges import class_judge, real_judge
from ...selection.problem import sampled_rows
from ...targets import Targets
from ..settings import Settings
from .base import Data, Recipe

FEWEST = 4
"""Labeled rows that can be left out, below which nothing is compared."""

LARGEST = 2000
"""Rows above which nothing is searched where none can be left out."""

INTRINSIC = (1.0, 10.0, 100.0, 0.1, 0.01, 0.0)
"""Weights of a smooth penalty, in multiples of the rule; the first of every list is the default."""

COUPLING = (1.0, 10.0, 100.0, 0.1, 0.01)
"""Weights of a coupling between views."""


def kernel_axis(space) -> Axis:
    """RBF of median width, of the width of neighborhoods, and the linear kernel."""
    if isinstance(space, str) and space == "linear":
        return Axis("kernel", (Linear(),), weight=False)
    return Axis("kernel", (RBF(), RBF("local"), Linear()), weight=False)


def regularizer_axis() -> Axis:
    """Fewer neighbors, other powers, and the normalization that annihilates constants."""
    return Axis(
        "regularizer",
        (
            Laplacian(KNN(), degree=2),
            Laplacian(KNN(6), degree=2),
            Laplacian(KNN(), degree=1),
            Laplacian(KNN(), degree=3),
            Laplacian(KNN(), normalized="bistochastic", degree=2),
        ),
        weight=False,
    )


def intercept_axis() -> Axis:
    """With an intercept, and without."""
    return Axis("fit_intercept", (True, False), weight=False)


def output_axis() -> Axis:
    """Independent outputs, and graphs between them of growing weight γ_O."""
    graphs = (OutputGraph(gamma_O=g) for g in (0.5, 1.0))
    return Axis("output_kernel", (None, *graphs), weight=False)


def ambient_axis(scaled: tuple[str, ...]) -> Axis:
    """γ_A where it is tried alone; 1 where all weights have a common multiple."""
    return Axis("gamma_A", (1.0,) if "gamma_A" in scaled else SCALES)


def common_scale(p: Settings, names: Sequence[str], others: Sequence[str] = ()) -> tuple[str, ...]:
    """The weights that scale K̃ together: all of ``names``, if none is given as a number.

    ``others`` are weights whose rules follow these: they may not be numbers either.
    """
    held = [p.given(name) for name in (*names, *others)]
    loose = all(is_auto(value) or (not isinstance(value, str) and value == 0) for value in held)
    return tuple(names) if loose else ()


def by_values(few: Targets, at: np.ndarray):
    """The judge of real targets at the rows given, entries that were not observed left out."""
    return real_judge(np.where(few.observed[at], few.Y[at], np.nan))


def by_classes(few: Targets, at: np.ndarray):
    """The judge of classes at the rows given."""
    Y = np.where(few.observed[at], few.Y[at], np.nan)
    return class_judge(Y, few.codes[at], few.n_classes)


def choose_axes(
    recipe: Recipe,
    p: Settings,
    data: Data,
    axes: Sequence[Axis],
    scaled: Sequence[str],
    judge_of: Callable[[Targets, np.ndarray], Callable[[np.ndarray], np.ndarray]] = by_values,
    *,
    whole: bool = False,
    as_targets: Callable[[np.ndarray], np.ndarray] | None = None,
) -> Selection | None:
    """:func:`lapwing.selection.search_axes` over a family's own problems; None if all is given.

    Only the axes of parameters that were left to "auto" are searched. Above 800 rows the search
    sees all labeled rows (at most 400) and a sample of the others.

    Parameters
    ----------
    recipe, p, data
        What makes a problem.
    axes, scaled
        What is tried.
    judge_of : callable
        (targets, labeled rows) ↦ judge; squared errors of real targets where nothing is said.
    whole : bool
        No row can be left out: a matrix over all of them was given.
    as_targets : callable, optional
        What the squared loss is to fit in place of the targets' own rows.
    """
    axes = [axis for axis in axes if p.is_open(axis.name)]
    if not axes:
        return None
    default = {axis.name: axis.typed(0) for axis in axes}
    data = data.points.searched(data)
    rows, kept = sampled_rows(data.weights, data.targets.codes, whole)
    if len(kept) > LARGEST:
        return Selection(default, f"{len(kept)} rows are too many to search: the default is taken.")
    taken = data.take(kept, p.precomputed)
    few = Data(taken.points, taken.targets, taken.weights / data.weights[rows].max(axis=1).sum())
    at = np.searchsorted(kept, rows)
    judge = judge_of(few.targets, at)
    if len(judge(np.zeros((len(at), few.targets.Y.shape[1])))) < FEWEST:
        return Selection(
            default, "There are too few labels to compare by, so the default is taken."
        )

    def posed(settings: dict):
        with unsaid():  # the fit itself says what is to say of its graph
            return recipe.compile(p.trying(settings), few).problem

    if not posed(default).deformation.factored:
        return Selection(default, "The default is taken: without a factor of K̃ a search is slow.")

    def labeled(settings: dict):
        problem = posed(settings)
        kernel = problem.deformation.gram(problem.rows)
        y = problem.y if as_targets is None else as_targets(problem.y)
        return kernel, y, problem.w

    return search_axes(axes, scaled, labeled, judge, real=data.targets.classes is None)


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
