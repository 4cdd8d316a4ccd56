"""Did the unlabeled points help? A fit against its supervised limit and simple alternatives.

``kinds`` says what a wrong answer costs, ``alternatives`` who is compared with, ``questions`` what
else is asked of a fit, ``result`` what is told.
"""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state

from ..confidence import in_folds
from ..estimators.base import ManifoldModel
from ..exceptions import ManifoldAssumptionWarning, muted, warn
from ..types import Estimator, MatrixLike, RandomState, TargetLike
from .alternatives import alternatives, common_features, losses_of
from .kinds import Kind, folds_of, kind_of
from .learning_curve import LearningCurve, learning_curve
from .questions import homophily, without_labels, without_rows
from .result import Comparison

__all__ = ["Comparison", "LearningCurve", "compare", "learning_curve"]


def compare(
    estimator: ManifoldModel, X: MatrixLike, y: TargetLike, *, random_state: RandomState = 0
) -> Comparison:
    """Did the unlabeled points help, and can the answer be relied on?

    Every labeled row is predicted without its label by the estimator, by its own supervised limit
    γ_I = 0 (and γ_C = 0 between views), a support vector machine, nearest neighbors and label
    spreading: one by one up to 30 labels, else in ten folds, the same for all. The row itself stays
    among the unlabeled ones where a method uses these. Where settings were searched for, each label
    is answered by settings that were weighted without it; the support vector machine chooses its
    own by cross-validation on the labels that are left. Several targets are left out together, and
    learned one by one by the alternatives.

    Parameters
    ----------
    estimator : classifier or regressor of Lapwing, or a Pipeline that ends with one
        Not fitted and not changed: one target or several, classes, labels or structured outputs.
        The steps before the last one are fitted to all rows of X, without y.
    X, y
        As for ``fit``; entries of several targets may be missing one by one.
    random_state : int, RandomState or None, default=0
        Draws the rows that are taken away.

    Returns
    -------
    Comparison
        Print it for the table; :class:`lapwing.inspection.ComparisonDisplay` draws it.

    Warns
    -----
    ManifoldAssumptionWarning
        If something simpler is better beyond what chance would show (:class:`Comparison`), or
        labels are not more alike along the graph than by chance.

    Examples
    --------
    >>> import lapwing
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(150, labels_per_class=6, random_state=0)
    >>> found = lapwing.compare(lapwing.LapRLSClassifier(kernel="rbf"), X, y)
    >>> found.verdict.startswith("The unlabeled points misled")
    False
    """
    estimator, X = _unpacked(estimator, X)
    fitted = clone(estimator).fit(X, y)
    l = len(fitted.objective_.rows)
    if l < 4:
        raise ValueError(f"compare needs at least 4 labeled rows, got {l}.")
    kind = kind_of(fitted)
    folds = folds_of(kind)
    losses = {Comparison.OURS: _losses(fitted, kind, folds)}
    for limit in _supervised(fitted):
        with muted():
            limit.fit(X, y)
        losses[Comparison.LIMIT] = _losses(limit, kind, folds)
    points = common_features(fitted, X)
    if points is not None:
        others = alternatives(kind)
        losses |= {
            o.name: losses_of(o, kind, points, fitted.objective_.rows, folds) for o in others
        }
    found = Comparison(
        losses,
        *homophily(fitted, kind),
        int(fitted.unreached_.sum()),
        without_rows(fitted, kind, X, y, check_random_state(random_state)),
        *without_labels(fitted, kind),
    )
    if found.doubtful:
        warn(found.verdict, ManifoldAssumptionWarning)
    return found


def _losses(fitted: ManifoldModel, kind: Kind, folds) -> np.ndarray:
    """The price of each label, answered without it by settings that were chosen without it."""
    return kind.loss(in_folds(fitted.objective_, folds)) + fitted.diagnostics().added


def _unpacked(estimator: Estimator, X: MatrixLike) -> tuple[ManifoldModel, Any]:
    """The model at the end of a pipeline, and X as it sees it."""
    if isinstance(estimator, Pipeline):
        *before, (_, model) = estimator.steps
        if before:
            X = clone(Pipeline(before)).fit_transform(X)
        estimator = model
    if not isinstance(estimator, ManifoldModel):
        raise TypeError(
            "compare needs a classifier or regressor of Lapwing, or a Pipeline that ends with one, "
            f"got {estimator!r}."
        )
    return estimator, X


def _supervised(fitted: ManifoldModel) -> list[ManifoldModel]:
    """The same model without what the unlabeled rows tell it; empty where that is nothing."""
    known = fitted.get_params(deep=False)
    weights = {"gamma_I": 0.0, "gamma_C": 0.0}
    if known.get("a_I"):  # there the intrinsic functions need what ties them to the data
        del weights["gamma_C"]
    weights = {k: v for k, v in weights.items() if k in known and getattr(fitted, f"{k}_") != 0}
    return [clone(fitted).set_params(**weights)] if weights else []
