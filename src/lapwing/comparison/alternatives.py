"""Simple models for the comparison. Each target is learned on its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

from ..estimators.base import ManifoldModel
from ..exceptions import muted
from ..kernels import get_kernel
from ..types import Estimator, MatrixLike, TargetLike
from ..views import as_views
from .kinds import Kind

FOLDS = 3
"""Number of folds of the cross-validation by which an alternative chooses its settings."""


@dataclass(frozen=True)
class Alternative:
    """A scikit-learn model, the values of C to choose from, and whether it reads unlabeled rows.

    If there are ``sizes``, threefold cross-validation chooses C among them, and original or scaled
    columns. The first of equally good settings is taken.
    """

    name: str
    model: Any
    transductive: bool = False
    sizes: tuple[float, ...] = ()

    def over(self, X: MatrixLike) -> Alternative:
        """The same model. Where it has a graph, that of X is built once."""
        if not self.transductive:
            return self
        near = NearestNeighbors(n_neighbors=self.model.n_neighbors).fit(X)
        graph = near.kneighbors_graph(X, mode="connectivity")  # each row is its own neighbor
        return replace(self, model=clone(self.model).set_params(kernel=lambda *_: graph))

    def fitted(self, X: MatrixLike, y: TargetLike, group: np.ndarray) -> Estimator:
        """Fit with the settings that threefold cross-validation on these rows prefers.

        The rows of a group, (l,), are in one fold.
        """
        model = clone(self.model)
        if "n_neighbors" in model.get_params():
            model.set_params(n_neighbors=min(model.n_neighbors, len(y)))
        if not self.sizes:
            return model.fit(X, y)
        classes = is_classifier(model)
        scale, splits = StandardScaler(with_mean=False), _splits(y, group, classes)
        if not splits:
            return make_pipeline(scale, model).fit(X, y)
        errors = np.zeros((2, len(self.sizes)))
        for train, test in splits:
            scale.fit(X[train])
            seen = X, scale.transform(X)
            for (i, Z), (j, C) in product(enumerate(seen), enumerate(self.sizes)):
                found = model.set_params(C=C).fit(Z[train], y[train]).predict(Z[test])
                errors[i, j] += np.mean(found != y[test] if classes else (found - y[test]) ** 2)
        i, j = divmod(int(errors.argmin()), len(self.sizes))
        model.set_params(C=self.sizes[j])
        return (make_pipeline(scale, model) if i else model).fit(X, y)


def _splits(y: np.ndarray, group: np.ndarray, classes: bool) -> list[tuple]:
    """The rows of each fold to train on and to test on, with groups kept together.

    Empty if a class, or all of real targets, has fewer groups than folds. A fold is left out if
    only one class is left without it.
    """
    parts = [y == c for c in np.unique(y)] if classes else [np.full(len(y), True)]
    if min(len(np.unique(group[part])) for part in parts) < FOLDS:
        return []
    if len(np.unique(group)) == len(y):
        return list(check_cv(FOLDS, y, classifier=classes).split(y, y))
    together = StratifiedGroupKFold(FOLDS) if classes else GroupKFold(FOLDS)
    found = together.split(y, y, group)
    return [(train, test) for train, test in found if len(test) and np.ptp(y[train]) > 0]


def alternatives(kind: Kind) -> list[Alternative]:
    """The simple and good models for this kind of targets."""
    sizes = (10.0, 1.0, 100.0)
    if not kind.discrete:
        return [
            Alternative("SVR", SVR(C=sizes[0]), sizes=sizes),
            Alternative("3 nearest neighbors", KNeighborsRegressor(3)),
        ]
    return [
        Alternative("SVC", SVC(C=sizes[0]), sizes=sizes),
        Alternative("nearest neighbor", KNeighborsClassifier(1)),
        Alternative("label spreading", LabelSpreading(kernel="knn", max_iter=200), True),
    ]


def common_features(fitted: ManifoldModel, X: MatrixLike) -> MatrixLike:
    """X for other models; None if X holds kernels, or if rows lack a view."""
    if fitted.__sklearn_tags__().input_tags.pairwise:
        return None
    given = fitted.get_params(deep=False)
    if "views" in given and any(get_kernel(v.kernel).precomputed for v in as_views(given["views"])):
        return None
    points = sp.csr_array(X) if sp.issparse(X) else np.asarray(X, dtype=np.float64)
    values = points.data if sp.issparse(points) else points
    return None if np.isnan(values).any() else points


def losses_of(
    other: Alternative, kind: Kind, X: MatrixLike, rows: np.ndarray, folds: Any, group: np.ndarray
) -> np.ndarray:
    """The loss at each labeled row, (l,), of a fit without the labels of its fold."""
    other, found = other.over(X), np.empty(kind.target.shape)
    for gone in folds:
        kept = np.setdiff1d(np.arange(len(rows)), gone)
        for j, target in enumerate(kind.target.T):
            known = kept[~np.isnan(target[kept])]
            found[gone, j] = _answer(other, kind, X, rows, target, known, gone, group)
    return kind.price(found, kind.target)


def _answer(
    other: Alternative, kind: Kind, X: MatrixLike, rows: Any, target, known, gone, group
) -> np.ndarray:
    """The prediction of one target at the left-out rows."""
    told = target[known]
    if not len(told) or np.ptp(told) == 0.0:
        return np.full(len(gone), told[0] if len(told) else 0.0)
    center, scale = (0.0, 1.0) if kind.discrete else (told.mean(), told.std())
    with muted():  # other libraries warn of few labels
        if other.transductive:
            codes = np.full(X.shape[0], -1)
            codes[rows[known]] = told
            return clone(other.model).fit(X, codes).transduction_[rows[gone]]
        model = other.fitted(X[rows[known]], (told - center) / scale, group[known])
        return center + scale * model.predict(X[rows[gone]])
