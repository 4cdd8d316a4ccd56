"""Did the unlabeled rows help? Compare a fit with its supervised limit and simple alternatives.

``kinds`` defines the cost of a wrong prediction. ``alternatives`` holds the other models.
``questions`` computes further properties of the fit. ``result`` holds the table and the verdict.
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
from .kinds import Kind, folds_of, kind_of, mean_by_group
from .learning_curve import LearningCurve, learning_curve
from .questions import guessing, homophily, without_labels, without_rows
from .result import Comparison

__all__ = ["Comparison", "LearningCurve", "compare", "learning_curve"]


def compare(
    estimator: ManifoldModel,
    X: MatrixLike,
    y: TargetLike,
    *,
    groups: TargetLike = None,
    random_state: RandomState = 0,
) -> Comparison:
    """Did the unlabeled rows help, and is the answer reliable?

    Every labeled row is predicted without its label by several methods: the estimator, its own
    supervised limit γ_I = 0 (and γ_C = 0 between views), a support vector machine, nearest
    neighbors and label spreading. Up to 30 labels are left out one by one. More labels are left out
    in ten folds, the same for all methods. The row itself stays among the unlabeled rows if a
    method uses them.

    If settings were searched for, each label is predicted by settings that were weighted without
    it. The support vector machine chooses its settings by cross-validation on the remaining labels.
    Several targets of a row are left out together. The alternatives learn each target on its own.

    With ``groups``, all labels of a group are left out together, by every method and in every
    search. The rows of a group are alike, so a group counts as one row: its loss is their mean.

    Parameters
    ----------
    estimator : classifier or regressor of Lapwing, or a Pipeline that ends with one
        The estimator is cloned and not changed. It may have one target or several, classes, labels
        or structured outputs. The pipeline steps before the last one are fitted to all rows of X,
        without y.
    X, y
        As for ``fit``. With several targets, single entries may be missing.
    groups : array of shape (n,), optional
        The group of each row, such as the patient, as for ``fit``. A row with a missing group is
        its own group.
    random_state : int, RandomState or None, default=0
        Seed that draws the unlabeled rows to remove.

    Returns
    -------
    Comparison
        Print it to see the table. :class:`lapwing.inspection.ComparisonDisplay` plots it.

    Warns
    -----
    ManifoldAssumptionWarning
        If a simpler method is better than chance explains (:class:`Comparison`), or if labels are
        not more alike along the graph than by chance.

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
    fitted = clone(estimator).fit(X, y, groups=groups)
    rows, group = fitted.objective_.rows, np.asarray(fitted.diagnostics().groups)
    counted = "labeled rows" if group.max() + 1 == len(rows) else "groups of labeled rows"
    if group.max() + 1 < 4:
        raise ValueError(f"compare needs at least 4 {counted}, got {group.max() + 1}.")
    kind = kind_of(fitted)
    folds = folds_of(kind, group)
    ours = {Comparison.OURS: fitted}
    for limit in _supervised(fitted):
        with muted():
            ours[Comparison.LIMIT] = limit.fit(X, y, groups=groups)
    both = {name: _losses(model, kind, folds, group) for name, model in ours.items()}
    losses = {name: seen + added for name, (seen, added) in both.items()}
    points = common_features(fitted, X)
    if points is not None:
        for other in alternatives(kind):
            lost = losses_of(other, kind, points, rows, folds, group)
            losses[other.name] = mean_by_group(lost, group)
    found = Comparison(
        losses,
        *homophily(fitted, kind, group),
        int(fitted.unreached_.sum()),
        without_rows(fitted, kind, X, y, check_random_state(random_state)),
        *without_labels(fitted, kind),
        counted,
        {name: added for name, (_, added) in both.items()},
    )
    if found.doubtful:
        warn(found.verdict, ManifoldAssumptionWarning)
    return found


def _losses(fitted: ManifoldModel, kind: Kind, folds, group: np.ndarray) -> tuple:
    """The loss of each group without its labels, and what allows for the choice of settings.

    The latter makes no loss negative, and it does not
    raise the mean loss above that of a guess: with as many labels of each class, settings that
    were chosen without a label predict it worse than a guess does.
    """
    found = mean_by_group(kind.loss(in_folds(fitted.objective_, folds)), group)
    added = np.maximum(found + mean_by_group(fitted.diagnostics().added, group), 0.0) - found
    room = max(guessing(kind) - found.mean(), 0.0)
    return found, added * (room / added.mean() if added.mean() > room else 1.0)


def _unpacked(estimator: Estimator, X: MatrixLike) -> tuple[ManifoldModel, Any]:
    """The model at the end of a pipeline, and the X that it gets."""
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
    """The same model without the terms of the unlabeled rows; an empty list if it has none."""
    known = fitted.get_params(deep=False)
    weights = {"gamma_I": 0.0, "gamma_C": 0.0}
    if known.get("a_I"):  # the intrinsic functions need the coupling to the data
        del weights["gamma_C"]
    weights = {k: v for k, v in weights.items() if k in known and getattr(fitted, f"{k}_") != 0}
    return [clone(fitted).set_params(**weights)] if weights else []
