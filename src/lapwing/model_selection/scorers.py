"""Scorers that use only the labeled rows."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics import check_scoring
from sklearn.pipeline import Pipeline

from .._scikit_learn import rows_of
from ..parameters.arguments import AUTO, is_auto
from ..targets import missing_mask, with_missing
from ..types import Estimator, MatrixLike, TargetLike
from .labeled_folds import labeled_rows


class LabeledScorer:
    """A scorer of scikit-learn that uses only the labeled rows of y.

    With several targets and single missing entries, each column is scored over its own observed
    entries (by a metric on predictions). The result is the mean over the columns.

    Parameters
    ----------
    scoring : str, callable or None, default=None
        The name of a scorer, or a callable ``scorer(estimator, X, y)``. None is the estimator's own
        ``score``, which already ignores unlabeled rows.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row, as in the estimators. "auto" is that of the estimator.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapRLSClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.model_selection import LabeledScorer
    >>> X, y, truth = make_two_moons(100, labels_per_class=5, random_state=0)
    >>> model = LapRLSClassifier().fit(X, y)
    >>> LabeledScorer("f1_macro")(model, X, y)       # y is −1 at most rows
    1.0
    """

    def __init__(self, scoring: Any = None, *, unlabeled: Any = "auto") -> None:
        self.scoring = scoring
        self.unlabeled = unlabeled

    def __call__(self, estimator: Estimator, X: MatrixLike, y: TargetLike) -> float:
        if self.scoring is None:
            return estimator.score(X, y)
        scorer = check_scoring(estimator, scoring=self.scoring)
        marker = marker_of(estimator, self.unlabeled)
        seen = labeled_rows(y, marker)
        if not seen.any():
            raise ValueError("No row of y is labeled: a score needs at least one.")
        missing = self._missing(y, seen, marker)
        if missing is not None and missing.any():
            Y = np.asarray(with_missing(y, marker), dtype=float)
            return self._by_column(estimator, scorer, X, Y, missing)
        rows = np.flatnonzero(seen)
        return scorer(estimator, rows_of(X, rows), _plain(rows_of(y, rows)))

    def _missing(self, y: TargetLike, seen, marker: Any) -> np.ndarray | None:
        if np.ndim(y) != 2:
            return None
        return missing_mask(np.asarray(with_missing(y, marker)))[seen]

    def _by_column(
        self, estimator: Estimator, scorer: Any, X: MatrixLike, Y: MatrixLike, missing
    ) -> float:
        rows = np.flatnonzero(~np.isnan(Y).all(axis=1))
        predicted = np.asarray(estimator.predict(rows_of(X, rows)))
        scores = []
        for j in np.flatnonzero(~missing.all(axis=0)):
            at = np.flatnonzero(~missing[:, j])
            scores.append(scorer(_Answer(predicted[at, j]), at[:, None], Y[rows[at], j]))
        return float(np.mean(scores))


def marker_of(estimator: Estimator, given: Any) -> Any:
    """The marker of unlabeled rows. If it is "auto", it is that of the estimator."""
    own = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    return getattr(own, "unlabeled", AUTO) if is_auto(given) else given


class _Answer(BaseEstimator):
    """An estimator whose predictions are already computed."""

    def __init__(self, predicted: np.ndarray) -> None:
        self.predicted = predicted

    def predict(self, X: MatrixLike):
        return self.predicted


def _plain(y: TargetLike):
    """Labels as an array of their own dtype, if no object is missing."""
    array = np.asarray(y)
    if array.dtype.kind == "O" and array.ndim == 1:
        return np.array(array.tolist())
    return y
