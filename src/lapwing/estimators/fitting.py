"""The pipeline of a fit: read, choose, compile, solve, store.

``fit`` runs it on rows in memory, and :mod:`lapwing.distributed` on blocks. :mod:`lapwing.paths`
runs its middle part for every point of a grid.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning

from .._scikit_learn import count_rows
from ..confidence import Diagnostics, typical_gap
from ..exceptions import ChanceWarning, UnreachedWarning, warn
from ..linalg.threads import threads_for
from ..parameters.shelf import shelf_of
from ..problem import Problem, Solution, Status, above_rounding, no_progress
from ..progress import Counter
from ..selection import Selection
from ..solvers import choose_solver, on_kept
from ..spaces import Element, user_coef
from ..targets import Targets, checked_groups, checked_weights, column_means
from .classes import class_shares, class_weights, mass_offsets
from .point_cloud import library_of, row_names, target_names
from .points import Points, silent
from .recipes import Compiled, Data
from .settings import DEFAULTS, Settings
from .warm import warm_choice, warm_shelf


def in_memory(model: Any, X: Any) -> Points:
    """The rows of an array, a CSR matrix or a data frame."""
    X = model._validate(X)
    shelf = warm_shelf(model, X) if model.warm_start else shelf_of(model)
    return Points(X, shelf, speaker(model))


def speaker(model: Any) -> Callable[[str], None]:
    """The callback that gets the stages of a fit."""
    return Counter(type(model).__name__).say if model.verbose else silent


def read(
    model: Any, X: Any, y: Any, sample_weight: Any, groups: Any, points: Callable = in_memory
) -> Data:
    """Check the parameters, X and y, and encode y as targets. The model gets its classes and
    columns.

    ``points`` is a function of (model, X) that returns the rows. The default is rows in memory.
    """
    model._check_parameters()
    if y is None:
        raise ValueError(
            f"{type(model).__name__} requires y to be passed, but the target y is None."
        )
    found = points(model, X)
    weights = checked_weights(sample_weight, np.empty(found.n))
    if count_rows(y) != found.n:
        raise ValueError(
            f"X has {found.n} rows but y has {count_rows(y)}: give one label (or an unlabeled "
            "marker) per row."
        )
    targets = model._read(y, weights)
    model._row_names, model._target_names = row_names(X, y), target_names(y)
    model._library = library_of(y)
    model._code = targets.coding
    if is_classifier(model):
        model.classes_ = np.asarray(targets.coding.classes)
    model.recipe.check_targets(Settings(model), targets)
    if model.class_weight is not None:
        own = class_weights(model.class_weight, targets.codes, model.classes_)
        weights = own * weights
    return Data(found, targets, targets.weights(weights), checked_groups(groups, found.n))


def choose(model: Any, data: Data) -> Settings:
    """The parameters. Those at "auto" are chosen on the labeled rows."""
    with threads_for(1):  # many small systems
        warm = model.warm_start
        found = warm_choice(model, data) if warm else model.recipe.choose(Settings(model), data)
    model.selection_ = found
    model._chosen = {**DEFAULTS, **(found.choice if found else {})}
    if found:
        _tell(model, found)
    return Settings(model, model._chosen)


def _tell(model, found: Selection) -> None:
    if found.guesses:
        warn(
            f"{type(model).__name__}: left-out labels are answered no better than by guessing "
            "the commonest class or the mean, so that the answers at unlabeled rows are worth "
            f"little. {found.reason}",
            ChanceWarning,
        )
    if model.verbose:
        sys.stderr.write(f"{type(model).__name__}  {found}\n")


def new_points(model: Any, compiled: Compiled, X: Any) -> Any:
    """New rows in the form of the space of a problem. The model is not fitted yet."""
    vars(model).update(compiled.functions.fitted)
    return model._new_points(X)


def finish(model: Any, p: Settings, data: Data, compiled: Compiled) -> None:
    """Solve the problem, and store all attributes of a fitted estimator."""
    start = data.points.shelf.get("start", *_labels(compiled.problem))
    model.objective_, model.solution_ = solved(model, p, compiled, start, data.points.say)
    compiled = replace(compiled, problem=model.objective_)
    left = getattr(model.solution_, "working_set", None)
    if left is not None:
        data.points.shelf.put(left, "start", *_labels(compiled.problem))
    _store(model, p, data, compiled)
    vars(model).update(compiled.functions.fitted)
    vars(model).update(model.recipe.fitted(p, data, compiled, model.solution_))
    model.transduction_ = model._code.decode(_adjusted(model, _extended(model, data.targets)))


def _labels(problem: Problem) -> tuple:
    """The key of a start of cutting planes: functions, labels and options of the loss."""
    words = [value for value in vars(problem.loss).values() if isinstance(value, str)]
    return problem.space, problem.rows.tobytes(), problem.y.tobytes(), words


def solved(model: Any, p: Settings, compiled: Compiled, start=None, say=silent) -> tuple:
    """The problem with the factors that were made, and its solution.

    The mean of real targets is subtracted before the solve, and the intercept adds it again.
    Certificates are relative to the zero function, and the zero of a scale such as °C or K is
    arbitrary.
    """
    label, whole = type(model).__name__, compiled.problem
    shifted = whole.loss.of_difference and p.fit_intercept and not is_classifier(model)
    mean: Any = column_means(whole.y, whole.w) if shifted else 0.0
    problem = replace(whole, y=whole.y - mean).sharing(whole) if shifted else whole
    say(f"{len(problem.rows)} labeled rows, {problem.n_columns} columns: solving")
    progress = Counter(label) if model.verbose else no_progress
    kept = model.warm_start and compiled.kept is not None and model.solver == "auto"
    make = on_kept if kept else partial(choose_solver, model.solver, start=start)
    solver = make(problem, model.tol, model.max_iter, progress=progress)
    found = above_rounding(problem, solver.solve(problem))
    if shifted:
        found = _with_mean(whole, found, mean)
    text = f"certificate {found.optimality:.1e} ({found.status.name.lower()})"
    say(f"{found.n_iter} iterations, {text}")
    if found.status not in (Status.CONVERGED, Status.EARLY_STOPPED):
        warn(f"{label} did not converge: {found.status}. {text}.", ConvergenceWarning)
    return whole.sharing(problem) if shifted else whole, found


def _with_mean(whole: Problem, found: Solution, mean: np.ndarray | float) -> Solution:
    """The solution for targets with their mean.

    If only the mean can be fitted, the gradient of the other part of the targets is rounding. A
    certificate relative to it then says nothing, and the gradient for the whole targets decides.
    """
    coef = np.vstack([found.coef[:-1], found.coef[-1:] + mean])
    if found.status is Status.STALLED and whole.loss.smooth:
        certificate = whole.optimality(whole.space.element(coef))
        if certificate <= 1e-14:  # rounding: a column with such a gradient is solved by zero
            found = replace(found, status=Status.CONVERGED, optimality=certificate)
    return replace(found, coef=coef)


def _store(model, p: Settings, data: Data, compiled: Compiled) -> None:
    problem, solution, targets = compiled.problem, model.solution_, data.targets
    for name, gamma in problem.gammas.items():
        setattr(model, f"{name}_", gamma)
    model.regularizer_ = problem.operator
    model.coef_ = user_coef(problem.space, solution.coef)
    model.intercept_ = solution.coef[-1] if p.fit_intercept else 0.0
    model.n_iter_ = max(1, solution.n_iter)
    model.labeled_ = targets.labeled
    model.unreached_ = problem.operator.unreached(targets.labeled)
    if model.unreached_.any():
        warn(
            f"{int(model.unreached_.sum())} of {len(model.unreached_)} points lie in components "
            "of the graph without a labeled point: no label reaches them and only the kernel "
            "tells their value. The mask is in unreached_. More neighbors join components: "
            "regularizer=Laplacian(KNN(n_neighbors=20), degree=2).",
            UnreachedWarning,
        )
    codes = targets.codes[problem.rows] if targets.coding.exclusive else None
    groups = np.unique(data.groups[problem.rows], return_inverse=True)[1]
    model._confidence = Diagnostics(
        problem,
        codes,
        signs=is_classifier(model),
        given=targets.coding.signs(problem.y),
        optimism=model.selection_ and model.selection_.optimism,
        groups=groups,
    )


def _extended(model, targets: Targets) -> np.ndarray:
    """The scores or values at the training rows, (n, t).

    With values on the graph, a function for new rows learns the values at rows that labels reach.
    It also predicts the rows that no label reaches. It learns real values without their intercept,
    so that it falls to the intercept far from the rows.
    """
    readout, reached = training_readout(model), ~model.unreached_
    model.extension_, learn = None, model.objective_.space.out_of_sample
    if is_classifier(model):
        model._confidence.gap = typical_gap(readout[reached & ~targets.labeled])
    if learn is None:
        return readout
    b, code = 0.0 if is_classifier(model) else model.intercept_, targets.coding
    model.extension_, others = learn(code.answers(readout[reached]) - b, reached, code.exclusive)
    model.extension_.offset = b
    if model.extension_.held is not None:
        at = model.extension_.held_rows
        model._confidence.learned = model.extension_.held + b, readout[at]
    filled = readout if reached.all() else readout.copy()
    filled[~reached] = others + b
    known = model.extension_.known  # equal rows are vertices of their own, with one answer
    model._on_graph = known.shared(filled) if known else filled
    return model._on_graph


def training_readout(model: Any) -> np.ndarray:
    """The scores or values f + b at the training rows, (n, t)."""
    found = model.solution_
    return Element(model.objective_.space, found.coef, found.base).readout


def readout_at(model: Any, X: Any) -> np.ndarray:
    """The scores or values f + b at new rows, (n, t)."""
    return model._readout(X)


def _adjusted(model, readout: np.ndarray) -> np.ndarray:
    """The scores shifted to the known shares of the classes, if ``class_prior`` gives them."""
    model._offset = 0.0
    if model.class_prior is not None:
        shares = class_shares(model.class_prior, model.classes_, model._confidence.codes)
        model._offset = mass_offsets(readout, shares)
    return readout + model._offset


@contextmanager
def all_or_nothing(model: Any) -> Iterator[None]:
    """Keep the attributes of a fit only if it ends well. An error or Ctrl-C restores the model.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> model = Model()
    >>> try:
    ...     with all_or_nothing(model):
    ...         model.classes_ = [0, 1]
    ...         raise ValueError("no solution")
    ... except ValueError:
    ...     vars(model)
    {}
    """
    before = dict(vars(model))
    try:
        yield
    except BaseException:
        vars(model).clear()
        vars(model).update(before)
        raise
