"""The base class of searches: results, and predictions of the best setting."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import MetaEstimatorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..parameters.spelling import NamedParameters
from ..types import Estimator, MatrixLike, TargetLike


def _best_has(name: str):
    def check(search: Any) -> bool:
        return hasattr(getattr(search, "best_estimator_", search.estimator), name)

    return check


class Search(MetaEstimatorMixin, NamedParameters, ABC):
    """A search over settings, with several splits and one score for each; abstract."""

    estimator: Any
    error_score: Any

    def _fits(
        self, model: Estimator, params: dict[str, Any], X: MatrixLike, y: TargetLike, **fit_params
    ) -> bool:
        """Fit the model. A failed fit gives a warning and False, or raises its error."""
        try:
            model.fit(X, y, **fit_params)
        except Exception as error:
            if self.error_score == "raise":
                raise
            warnings.warn(f"A fit with {params} failed: {error}", FitFailedWarning, stacklevel=2)
            return False
        return True

    def _store(self, candidates: list[dict[str, Any]], scores: np.ndarray) -> None:
        mean = scores.mean(axis=1)
        if np.isnan(mean).all():
            raise ValueError("Every fit of the search failed: see the warnings, or error_score.")
        order = np.where(np.isnan(mean), -np.inf, mean)
        self.cv_results_ = {
            "params": candidates,
            "mean_test_score": mean,
            "std_test_score": scores.std(axis=1),
            "rank_test_score": (order > order[:, None]).sum(axis=1) + 1,
            **{f"split{k}_test_score": column for k, column in enumerate(scores.T)},
        }
        self.n_splits_ = scores.shape[1]
        self.best_index_ = int(order.argmax())
        self.best_params_ = candidates[self.best_index_]
        self.best_score_ = float(mean[self.best_index_])

    @available_if(_best_has("predict"))
    def predict(self, X: MatrixLike) -> Any:
        """Predictions of the best setting."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict(X)

    @available_if(_best_has("predict_proba"))
    def predict_proba(self, X: MatrixLike) -> np.ndarray:
        """Probabilities of the best setting."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict_proba(X)

    def score(self, X: MatrixLike, y: TargetLike) -> float:
        """The score of the best setting over the labeled rows of y."""
        check_is_fitted(self, "best_estimator_")
        return self._scorer()(self.best_estimator_, X, y)

    @abstractmethod
    def _scorer(self) -> Callable[..., float]:
        """(estimator, X, y) ↦ score."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.input_tags = inner.input_tags
        return tags
