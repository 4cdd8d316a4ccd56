"""Fit and predict on Dask arrays."""

import copy
from typing import Any

import dask.array as da
from sklearn.base import clone

from ..estimators.base import ManifoldModel
from ..estimators.fitting import choose, finish, read, speaker
from ..estimators.recipes.choice import holds_rows
from ..estimators.settings import Settings
from ..outputs import JointKernel
from ..regularizers import get_regularizer
from .points import Blocks, graph_of, on_points
from .rows import Rows

LARGE = (
    "objective_",
    "regularizer_",
    "transduction_",
    "coef_",
    "solution_",
    "unreached_",
    "_on_graph",
)


def fit(estimator: ManifoldModel, X, y, sample_weight=None, *, groups=None) -> ManifoldModel:
    """Fit a copy of the estimator to a Dask array. The result equals that in memory, to rounding.

    Parameters
    ----------
    estimator : LapRLS…, LapSVC, LapLogisticClassifier, Manifold…, VectorValued… or StructuredLapSVC
        The regularizer must be like a Laplacian, over ``KNN(...)`` (the default) or ``Given(W)``.
        The space must be "auto", "graph" or ``GraphValues(...)``. Neighbors are searched exactly
        for every n. Parameters at "auto" are chosen as in memory: a sample ranks the
        transformations of the columns, and the graph of all rows decides between graphs, weights
        and no graph.
    X : dask array of shape (n, d)
        The rows, in chunks of whole rows. A worker must be able to hold eight chunks at once, or
        three if the graph is given.
    y : array of shape (n,) or (n, t), in memory
        As in ``estimator.fit``.
    sample_weight, groups : arrays of shape (n,), optional
        As in ``estimator.fit``.
    """
    _check_family(estimator)
    model = clone(estimator)
    data = read(model, X, y, sample_weight, groups, in_blocks)
    rows: Rows = data.points.X
    rows.check_finite()
    rows.check_memory(searched=not holds_rows(Settings(model).given("regularizer")))
    p = choose(model, data)
    finish(model, p, data, model.recipe.compile(p, data))
    return model


def in_blocks(model: ManifoldModel, X: Any) -> Blocks:
    """The rows of a Dask array. Settings that blocks cannot do are errors."""
    p, rows = Settings(model), Rows(X)
    if not p.is_open("regularizer") and p.smooth:
        graph_of(get_regularizer(p.regularizer))
    model.n_features_in_ = rows.shape[1]
    return Blocks(rows, on_points(p.space), speaker(model))


def predict(model: ManifoldModel, X):
    """``model.predict`` of each block of a Dask array, as a Dask array. It is computed later."""
    rows = Rows(X)
    light = copy.copy(model)
    if model.extension_:  # tasks carry only the function for new rows
        for name in LARGE:
            delattr(light, name)
    one = model.transduction_[:1]
    tasks = rows.each(light.predict)
    shapes = [(part.stop - part.start, *one.shape[1:]) for part in rows.slices()]
    blocks = [
        da.from_delayed(task, shape, one.dtype) for task, shape in zip(tasks, shapes, strict=True)
    ]
    return da.concatenate(blocks)


def _check_family(estimator) -> None:
    """An error for estimators that need all rows in one place."""
    if not isinstance(estimator, ManifoldModel) or estimator.recipe.needs_memory:
        ours = isinstance(estimator, ManifoldModel)
        why = estimator.recipe.needs_memory if ours else "it minimizes no loss over blocks of rows"
        raise TypeError(
            f"{type(estimator).__name__} cannot be fitted on Dask arrays, as {why}: fit it in "
            "memory, on X.compute() or a sample of its rows."
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
