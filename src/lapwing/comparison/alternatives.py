"""Simple models to be compared with, each target learned on its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

from ..estimators.base import ManifoldModel
from ..exceptions import muted
from ..kernels import get_kernel
from ..views import as_views
from .kinds import Kind


@dataclass(frozen=True)
class Alternative:
    """A model of scikit-learn, and whether it reads unlabeled rows."""

    name: str
    model: Any
    transductive: bool = False


def alternatives(kind: Kind) -> list[Alternative]:
    """What is simple and good for such targets."""
    if not kind.discrete:
        return [
            Alternative("SVR", SVR(C=10.0)),
            Alternative("3 nearest neighbors", KNeighborsRegressor(3)),
        ]
    return [
        Alternative("SVC", SVC(C=10.0)),
        Alternative("nearest neighbor", KNeighborsClassifier(1)),
        Alternative("label spreading", LabelSpreading(kernel="knn", max_iter=200), True),
    ]


def common_features(fitted: ManifoldModel, X):
    """X as other models take it; None where it holds kernels, or rows that lack a view."""
    if fitted.__sklearn_tags__().input_tags.pairwise:
        return None
    given = fitted.get_params(deep=False)
    if "views" in given and any(get_kernel(v.kernel).precomputed for v in as_views(given["views"])):
        return None
    points = sp.csr_array(X) if sp.issparse(X) else np.asarray(X, dtype=np.float64)
    values = points.data if sp.issparse(points) else points
    return None if np.isnan(values).any() else points


def losses_of(other: Alternative, kind: Kind, X, rows: np.ndarray, folds) -> np.ndarray:
    """The price of its answers at each labeled row, without the labels of that fold, (l,)."""
    found = np.empty(kind.target.shape)
    for gone in folds:
        kept = np.setdiff1d(np.arange(len(rows)), gone)
        for j, target in enumerate(kind.target.T):
            known = kept[~np.isnan(target[kept])]
            found[gone, j] = _answer(other, kind.discrete, X, rows, target, known, gone)
    return kind.price(found, kind.target)


def _answer(other: Alternative, discrete: bool, X, rows, target, known, gone) -> np.ndarray:
    """Of one target at the rows that are left out."""
    told = target[known]
    if not len(told) or np.ptp(told) == 0.0:
        return np.full(len(gone), told[0] if len(told) else 0.0)
    center, scale = (0.0, 1.0) if discrete else (told.mean(), told.std())
    with muted():  # those of other methods, about few labels
        model = clone(other.model)
        if other.transductive:
            codes = np.full(X.shape[0], -1)
            codes[rows[known]] = told
            return model.fit(X, codes).transduction_[rows[gone]]
        if "n_neighbors" in model.get_params():
            model.set_params(n_neighbors=min(model.n_neighbors, len(known)))
        model.fit(X[rows[known]], (told - center) / scale)
        return center + scale * model.predict(X[rows[gone]])
