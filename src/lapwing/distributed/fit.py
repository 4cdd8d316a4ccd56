"""Fit and predict on Dask arrays."""

from __future__ import annotations

import copy
from functools import partial

import dask.array as da
import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from ..estimators.base import ManifoldModel
from ..graphs import KNN, Given
from ..kernels.widths import sample_rows
from ..linalg.points import as_points
from ..objective import Objective
from ..selection.rules import AMBIENT_RULE
from ..spaces import Landmarks, OnPoints, PointValues, WithOffsets
from .ambient import BlockView
from .computed import computed
from .neighbours import build_graph
from .rows import Rows, summed

LARGE = ("objective_", "regularizer_", "transduction_", "coef_", "solution_", "unreached_")


def fit(estimator: ManifoldModel, X, y, sample_weight=None) -> ManifoldModel:
    """A fitted copy of the estimator; what it finds is what it finds in memory, to rounding.

    Parameters
    ----------
    estimator : LapRLSClassifier, LapRLSRegressor, LapSVC, LapLogisticClassifier, …
        With a Laplacian-like regularizer over ``KNN(...)`` (the default) or ``Given(W)``, and
        ``space="auto"`` or ``OnPoints(...)``; a search that is exact, whatever n.
        Nothing is searched here: what is "auto" is by rule, as ``"rule"`` says in memory.
    X : dask array of shape (n, d)
    y : array of shape (n,) or (n, t), in memory
        As in ``estimator.fit``.
    sample_weight : array of shape (n,), optional
    """
    if not isinstance(estimator, ManifoldModel):
        raise TypeError(f"{estimator!r} cannot be fitted on Dask arrays: give LapRLSClassifier …")
    rows, model = Rows(X), clone(estimator)
    model._check_parameters()
    targets = model._encode(y, sample_weight)
    if len(targets.Y) != rows.shape[0]:
        raise ValueError(f"X has {rows.shape[0]} rows but y has {len(targets.Y)}.")
    model.n_features_in_ = rows.shape[1]
    model.kernel_ = _kernel(model, rows)
    space = _space(model, rows)
    operator = _operator(model, rows, targets.codes)
    gamma_A, gamma_I = _gammas(model, rows, operator)
    weights = targets.weights(sample_weight)
    objective = Objective(model._loss(), targets.Y, weights, space, operator, gamma_A, gamma_I)
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


def _kernel(model: ManifoldModel, X: Rows):
    """Built on the rows that a width rule would look at in memory."""
    kernel = model._resolve_kernel()
    if kernel.precomputed or getattr(kernel, "sigma", None) == "local":
        raise ValueError(
            f"{kernel!r} looks at all rows: over a Dask array give sigma='median' or a number."
        )
    at = sample_rows(X.shape[0], model.random_state)
    return kernel.build(X.take(np.arange(X.shape[0]) if at is None else at))


def _space(model: ManifoldModel, X: Rows):
    rule = model.space
    if isinstance(rule, str) and rule in ("auto", "graph"):
        rule = OnPoints()
    if not isinstance(rule, OnPoints):
        raise ValueError(f"space={rule!r} is not for Dask arrays: give 'auto' or OnPoints(...).")
    landmarks = Landmarks() if rule.landmarks is None else rule.landmarks
    landmarks.check(model.kernel_, X.shape[0])
    space = PointValues(X.shape[0], partial(BlockView, model.kernel_, X, landmarks))
    return WithOffsets(space) if model.fit_intercept else space


def _operator(model: ManifoldModel, X: Rows, codes):
    regularizer = clone(model._resolve_regularizer())
    if "graph" not in regularizer.get_params(deep=False) or model.gamma_I == 0:
        raise ValueError(
            f"Over a Dask array the regularizer must have a graph and gamma_I be positive; got "
            f"{regularizer!r} and gamma_I={model.gamma_I!r}."
        )
    graph = KNN() if regularizer.graph is None else regularizer.graph
    if not isinstance(graph, Given):
        graph = Given(build_graph(graph, X).W)
    return regularizer.set_params(graph=graph).build(None, codes)


def _gammas(model: ManifoldModel, X: Rows, operator) -> tuple[float, float]:
    """As in memory; the mean of k(x, x) is a sum over blocks."""
    if model.gamma_A == "auto":
        total = summed(X.each(_diagonal, per_block=([model.kernel_] * len(X.blocks),)))
        mean = float(computed(total)[0][0][0]) / X.shape[0]
        model = copy.copy(model)
        model.gamma_A = AMBIENT_RULE * (mean or 1.0)
    stand_in = sp.csr_array((X.shape[0], 1))
    return model._gammas(stand_in, operator)


def _diagonal(block, kernel):
    return (np.array([kernel.diagonal(as_points(block)).sum()]),)
