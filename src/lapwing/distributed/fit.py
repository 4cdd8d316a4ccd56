"""Fit and predict on Dask arrays."""

import copy
from dataclasses import replace
from functools import partial

import dask.array as da
import numpy as np
from sklearn.base import clone

from ..estimators.base import SELECTED, ManifoldModel
from ..estimators.choice import holds_rows
from ..estimators.eigen_regressor import EigenRegressor
from ..estimators.multiview import MultiViewModel
from ..estimators.structured import StructuredLapSVC
from ..estimators.vector_base import VectorValued
from ..graphs import KNN, Given, Graph
from ..linalg.points import as_points
from ..objective import Objective
from ..operators import ZeroOperator
from ..outputs import JointKernel
from ..parameters.arguments import is_auto
from ..selection.problem import searched_rows
from ..selection.rules import ambient_rule, in_numbers, intrinsic_rule, multiple_of_rule
from ..spaces import Features, GraphValues, GraphValuesSpace, Landmarks, Space, WithFreeFunctions
from ..spaces.landmarks import LandmarkMap
from ..targets import checked_weights
from .ambient import learn
from .computed import computed
from .neighbors import build_graph, check_graph
from .rows import Rows, summed
from .widths import build_kernel

LARGE = ("objective_", "regularizer_", "transduction_", "coef_", "solution_", "unreached_")


def fit(estimator: ManifoldModel, X, y, sample_weight=None) -> ManifoldModel:
    """A fitted copy of the estimator; what it finds is what it finds in memory, to rounding.

    Parameters
    ----------
    estimator : LapRLS…, LapSVC, LapLogisticClassifier, Manifold… or VectorValued…
        With a Laplacian-like regularizer over ``KNN(...)`` (the default) or ``Given(W)``, and
        ``space="auto"`` or ``GraphValues(...)``; a search that is exact, whatever n. What is "auto"
        is chosen as in memory, on the labeled rows and a sample of the others.
    X : dask array of shape (n, d)
        In chunks of whole rows, of which a worker should hold eight at once, or three where the
        graph is given.
    y : array of shape (n,) or (n, t), in memory
        As in ``estimator.fit``.
    sample_weight : array of shape (n,), optional
    """
    _check_family(estimator)
    rows, model = Rows(X), clone(estimator)
    model._check_parameters()
    rule = _on_points(model)
    if not is_auto(model.regularizer) and not _without_graph(model):
        _graph_of(model._resolve_regularizer())
    sample_weight = checked_weights(sample_weight, np.empty(rows.shape[0]))
    targets = model._encode(y, sample_weight)
    if len(targets.Y) != rows.shape[0]:
        raise ValueError(f"X has {rows.shape[0]} rows but y has {len(targets.Y)}.")
    if isinstance(model, VectorValued):
        model._check_outputs(targets)
    rows.check_finite()
    rows.check_memory(searched=not holds_rows(model.regularizer))
    weights = targets.weights(model._row_weights(targets, sample_weight))
    model.n_features_in_ = rows.shape[1]
    _choose(model, rows, targets, weights)
    model.kernel_ = build_kernel(model._resolve_kernel(), rows, model.random_state)
    space = _space(model, rule, rows, targets)
    operator = _operator(model, rows, targets.codes)
    gamma_A, gamma_I = _gammas(model, rows, operator)
    loss = model._built_loss(targets)
    objective = Objective(loss, targets.Y, weights, space, operator, gamma_A, gamma_I)
    model._solve(objective)
    model._store(objective, targets, operator)
    return model


def predict(model: ManifoldModel, X):
    """``model.predict`` of each block of a Dask array, as a Dask array; nothing is computed yet."""
    rows = Rows(X)
    light = copy.copy(model)
    if model.extension_ is not None:  # tasks carry the ambient view alone
        for name in LARGE:
            delattr(light, name)
    one = light._decode(np.zeros((1, model.solution_.coef.shape[1])))
    tasks = rows.each(partial(_predicted, light))
    shapes = [(part.stop - part.start, *one.shape[1:]) for part in rows.slices()]
    blocks = [
        da.from_delayed(task, shape, one.dtype) for task, shape in zip(tasks, shapes, strict=True)
    ]
    return da.concatenate(blocks)


def _predicted(model: ManifoldModel, block) -> np.ndarray:
    return model.predict(block)


def _check_family(estimator) -> None:
    """Refuse what is more than one kernel on rows and one graph, in one sentence."""
    others = (StructuredLapSVC, MultiViewModel, EigenRegressor)
    if isinstance(estimator, others) or not isinstance(estimator, ManifoldModel):
        raise TypeError(
            f"{type(estimator).__name__} cannot be fitted on Dask arrays: LapRLS, LapSVC, "
            "LapLogistic, Manifold and VectorValued estimators can; fit this one in memory, on "
            "X.compute() or a sample of its rows."
        )
    if isinstance(estimator.kernel, JointKernel):
        raise ValueError(
            "A JointKernel is held over all pairs of rows and outputs, which a Dask array is too "
            "large for: give a kernel on rows and output_kernel, or fit in memory."
        )
    if isinstance(estimator.kernel, list | tuple):
        raise ValueError(
            f"kernel is a list of {len(estimator.kernel)} kernels, and over a Dask array there is "
            "one: give a single kernel and output_kernel, or fit in memory."
        )


def _on_points(model: ManifoldModel) -> GraphValues:
    rule = model.space
    if isinstance(rule, str) and rule in ("auto", "graph"):
        return GraphValues()
    if not isinstance(rule, GraphValues):
        raise ValueError(f"space={rule!r} is not for Dask arrays: give 'auto' or GraphValues(...).")
    return rule


def _choose(model: ManifoldModel, X: Rows, targets, weights: np.ndarray) -> None:
    """As in memory, whose search looks at the same rows; none are fetched where all is given."""
    if not any(is_auto(getattr(model, name, None)) for name in SELECTED):
        model._choose(None, targets, weights, X.shape[0])
        return
    rows = searched_rows(targets.codes, weights)
    seen = replace(
        targets, Y=targets.Y[rows], observed=targets.observed[rows], codes=targets.codes[rows]
    )
    model._choose(X.take(rows), seen, weights[rows], X.shape[0])


def _without_graph(model: ManifoldModel) -> bool:
    """Whether γ_I is 0: given, chosen, or 0 times the rule."""
    gamma_I = model._part("gamma_I")
    return 0 in (gamma_I, multiple_of_rule(gamma_I))


def _space(model: ManifoldModel, rule: GraphValues, X: Rows, targets):
    """As in memory: one function, or several whose outputs are related."""
    space = _scalar_space(model, rule, X, targets.labeled)
    if isinstance(model, VectorValued):
        return model._space_of([space], targets)
    return WithFreeFunctions(space) if model._part("fit_intercept") else space


def _scalar_space(model: ManifoldModel, rule: GraphValues, X: Rows, labeled: np.ndarray) -> Space:
    """Values on the points, or without a graph one kernel section for each labeled row."""
    if _without_graph(model):
        phi = LandmarkMap(model.kernel_, X.take(np.flatnonzero(labeled)))
        return Features(np.vstack(computed(*X.each(phi))), phi)
    landmarks = Landmarks() if rule.landmarks is None else rule.landmarks
    landmarks.check(model.kernel_, X.shape[0])
    return GraphValuesSpace(X.shape[0], partial(learn, model.kernel_, X, landmarks))


def _operator(model: ManifoldModel, X: Rows, codes):
    if _without_graph(model):
        return ZeroOperator(X.shape[0])
    regularizer = clone(model._resolve_regularizer())
    graph = _graph_of(regularizer)
    if not isinstance(graph, Given):
        graph = Given(build_graph(graph, X).W)
    rows = regularizer.set_params(graph=graph).build(None, codes)
    return model._with_outputs(rows) if isinstance(model, VectorValued) else rows


def _graph_of(regularizer) -> Graph:
    """The graph of a regularizer, which must have one that blocks can search, or a given one."""
    if "graph" not in regularizer.get_params(deep=False):
        raise ValueError(
            f"Over a Dask array the regularizer must have a graph, but {regularizer!r} has none."
        )
    graph = KNN() if regularizer.graph is None else regularizer.graph
    if not isinstance(graph, Given):
        check_graph(graph)
    return graph


def _gammas(model: ManifoldModel, X: Rows, operator) -> tuple[float, float]:
    """As in memory; the mean of k(x, x) is a sum over blocks."""
    gamma_A, gamma_I = model._part("gamma_A"), model._part("gamma_I")
    if isinstance(gamma_A, str):
        total = summed(X.each(_diagonal, per_block=([model.kernel_] * len(X.blocks),)))
        gamma_A = in_numbers(gamma_A, ambient_rule(computed(total)[0][0] / X.shape[0]))
    if isinstance(gamma_I, str):
        gamma_I = in_numbers(gamma_I, intrinsic_rule(operator) * X.shape[0] ** 2)
    return float(gamma_A), float(gamma_I)


def _diagonal(block, kernel):
    return (np.array([kernel.diagonal(as_points(block)).sum()]),)
