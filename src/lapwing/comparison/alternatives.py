"""Simple models for the comparison. Each target is learned on its own."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
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
    """A scikit-learn model, its grid of settings, and whether it reads unlabeled rows."""

    name: str
    model: Any
    transductive: bool = False
    grid: dict[str, list] = field(default_factory=dict)

    def fitted(self, X: MatrixLike, y: TargetLike) -> Estimator:
        """Fit with the settings that threefold cross-validation on these rows prefers."""
        model = clone(self.model)
        if "n_neighbors" in model.get_params():
            model.set_params(n_neighbors=min(model.n_neighbors, len(y)))
        fewest = np.unique(y, return_counts=True)[1].min() if self.name == "SVC" else len(y)
        if self.grid and fewest >= FOLDS:
            model = GridSearchCV(model, self.grid, cv=FOLDS)
        return model.fit(X, y)


def alternatives(kind: Kind) -> list[Alternative]:
    """The simple and good models for this kind of targets."""
    if not kind.discrete:
        return [
            Alternative("SVR", _scaled(SVR(C=10.0)), grid=_grid("svr")),
            Alternative("3 nearest neighbors", KNeighborsRegressor(3)),
        ]
    return [
        Alternative("SVC", _scaled(SVC(C=10.0)), grid=_grid("svc")),
        Alternative("nearest neighbor", KNeighborsClassifier(1)),
        Alternative("label spreading", LabelSpreading(kernel="knn", max_iter=200), True),
    ]


def _scaled(model: Estimator):
    return make_pipeline(StandardScaler(with_mean=False), model)


def _grid(name: str) -> dict[str, list]:
    """Original or scaled columns, and three values of C. The default is the first."""
    scalers = ["passthrough", StandardScaler(with_mean=False)]
    return {"standardscaler": scalers, f"{name}__C": [10.0, 1.0, 100.0]}


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
    other: Alternative, kind: Kind, X: MatrixLike, rows: np.ndarray, folds: Any
) -> np.ndarray:
    """The loss at each labeled row, (l,), of a fit without the labels of its fold."""
    found = np.empty(kind.target.shape)
    for gone in folds:
        kept = np.setdiff1d(np.arange(len(rows)), gone)
        for j, target in enumerate(kind.target.T):
            known = kept[~np.isnan(target[kept])]
            found[gone, j] = _answer(other, kind.discrete, X, rows, target, known, gone)
    return kind.price(found, kind.target)


def _answer(
    other: Alternative, discrete: bool, X: MatrixLike, rows: Any, target, known, gone
) -> np.ndarray:
    """The prediction of one target at the left-out rows."""
    told = target[known]
    if not len(told) or np.ptp(told) == 0.0:
        return np.full(len(gone), told[0] if len(told) else 0.0)
    center, scale = (0.0, 1.0) if discrete else (told.mean(), told.std())
    with muted():  # other libraries warn of few labels
        if other.transductive:
            codes = np.full(X.shape[0], -1)
            codes[rows[known]] = told
            return clone(other.model).fit(X, codes).transduction_[rows[gone]]
        model = other.fitted(X[rows[known]], (told - center) / scale)
        return center + scale * model.predict(X[rows[gone]])
