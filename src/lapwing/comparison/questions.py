"""Further properties of a fit: labels along the graph, and the influence of rows and labels."""

import numpy as np
from scipy.sparse.csgraph import dijkstra
from sklearn.base import clone

from .._scikit_learn import rows_of
from ..estimators.base import ManifoldModel
from ..estimators.fitting import choose, read, solved
from ..estimators.recipes.choice import holds_rows
from ..exceptions import muted
from ..kernels import get_kernel
from ..problem import reduce
from ..solvers import choose_solver
from ..spaces import Element
from ..types import MatrixLike, TargetLike
from ..views import as_views
from .kinds import Kind

DRAWS = 3
WITHOUT = 0.2
"""How often, and which share of, the unlabeled rows are removed to see their influence."""

INFLUENTIAL = 50
"""Maximum number of labels whose influence is computed."""


def homophily(fitted: ManifoldModel, kind: Kind, group: np.ndarray) -> tuple[float, float]:
    """How often each label agrees with the nearest label along the graph, and by chance.

    The nearest label is one of another group, (l,).
    """
    rows, target = fitted.objective_.rows, kind.target
    chance = 1.0 - guessing(kind)
    graph = fitted.regularizer_.graph
    if graph is None:
        return float("nan"), chance
    length = graph.W.copy()
    length.data = 1.0 / np.maximum(length.data, 1e-12)
    D = dijkstra(length, directed=False, indices=rows)[:, rows]
    D[group[:, None] == group] = np.inf
    nearest, reached = D.argmin(axis=1), np.isfinite(D.min(axis=1))
    price = kind.price(target, target[nearest])
    known = reached & ~np.isnan(price)
    if not known.any():
        return float("nan"), chance
    return float(1.0 - price[known].mean() / kind.full), chance


def guessing(kind: Kind) -> float:
    """The mean cost of a label that is drawn from all labels; of real targets, of their mean."""
    l = len(kind.target)
    prices = [kind.price(kind.target, np.roll(kind.target, k, axis=0)) for k in range(l)]
    return float(np.nanmean(prices)) / kind.full


def without_rows(
    fitted: ManifoldModel, kind: Kind, X: MatrixLike, y: TargetLike, rng: np.random.Generator
) -> float:
    """The mean change of predictions without a fifth of the unlabeled rows.

    NaN if fewer than five rows are unlabeled, or if a matrix over all rows was given.
    """
    o = fitted.objective_
    n, hidden = o.n_rows, np.setdiff1d(np.arange(o.n_rows), o.rows)
    if len(hidden) < 5 or _holds_all_rows(fitted):
        return float("nan")
    before, changes = now(fitted, kind), []
    given = clone(fitted)  # with the chosen settings: only the rows change
    if fitted.selection_ is not None:
        given.set_params(**fitted.selection_.choice)
    for _ in range(DRAWS):
        gone = rng.choice(hidden, int(WITHOUT * len(hidden)), replace=False)
        kept = np.setdiff1d(np.arange(n), gone)
        with muted():
            after = _readout(clone(given), rows_of(X, kept), rows_of(y, kept))
        changes.append(kind.price(kind.answers(after), before[kept]).mean())
    return float(np.mean(changes))


def _readout(model: ManifoldModel, X: MatrixLike, y: TargetLike) -> np.ndarray:
    """The scores of a fit at its own rows, (n, t), without a function for new rows."""
    data = read(model, X, y, None, None)
    p = choose(model, data)
    problem, found = solved(model, p, model.recipe.compile(p, data))
    return Element(problem.space, found.coef, found.base).readout


def _holds_all_rows(fitted: ManifoldModel) -> bool:
    """Whether a given part is a matrix over all rows, so that no row can be left out."""
    given = fitted.get_params(deep=False)
    views = as_views(given["views"]) if "views" in given else []
    parts = [part for view in views for part in (view.kernel, view.regularizer)]
    return (
        fitted.__sklearn_tags__().input_tags.pairwise
        or any(get_kernel(view.kernel).precomputed for view in views)
        or holds_rows(given.get("regularizer"), given.get("coupling"), *parts)
    )


def now(fitted: ManifoldModel, kind: Kind) -> np.ndarray:
    """The predictions at all rows."""
    o = fitted.objective_
    return kind.answers(o.space.element(fitted.solution_.coef).readout)


def without_labels(fitted: ManifoldModel, kind: Kind) -> tuple[np.ndarray, np.ndarray]:
    """The change of predictions without each of the first 50 labels, and their rows."""
    o = fitted.objective_
    reduced = reduce(o)
    before, out = now(fitted, kind), []
    for i in range(min(len(o.rows), INFLUENTIAL)):
        without = reduced.without(o, np.array([i]))
        coef = reduced.lift(choose_solver("auto", without).solve(without).coef)
        out.append(kind.price(kind.answers(o.space.element(coef).readout), before).mean())
    return np.array(out), o.rows[: len(out)]
