"""Predictions of models with several views: together, and of each view alone."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..targets import unlabeled_at
from ..views.params import set_view_params, with_view_params
from ..views.same_rows import Known, averages
from .base import ManifoldModel
from .fitting import training_readout


class ViewAnswers(ManifoldModel):
    """Predictions of the single views, and their disagreement; a mixin before a base class."""

    views: Any
    a_I: Any
    views_: Any
    _views: Any
    _rows: Known | None

    def get_params(self, deep=True):
        """The parameters as in scikit-learn. Those of a view are ``<view>__kernel__sigma``."""
        params = super().get_params(deep=deep)  # type: ignore[misc]
        return with_view_params(params) if deep else params

    def set_params(self, **params):
        """Set parameters as in scikit-learn, also those of the views."""
        return set_view_params(self, super().set_params, params)  # type: ignore[misc]

    @property
    def _finite(self) -> bool | str:
        """A row may lack a view (NaN). With a single view of all columns a NaN is an error."""
        return True if self.views is None else "allow-nan"

    def _new_points(self, X):
        return self.views_.split(super()._new_points(X))

    def _readout(self, X):
        check_is_fitted(self)
        if self._rows is None:
            return super()._readout(X)
        S = averages(
            self._rows,
            self._validated(X, reset=False),
            f"With a_I={self.a_I!r} the prediction is defined at the training rows only, where "
            "the intrinsic functions live. Use a_I=0 to predict everywhere, or predict_views(X) "
            "for the ambient functions.",
        )
        return S @ training_readout(self) + self._offset

    def view_values(self, X) -> dict[str, np.ndarray]:
        """The score or value of each view alone: {name: (n, t)}. NaN at rows that lack the view.

        It is (Σ_k a_k) f^j + b. This equals the common prediction if the views agree.
        """
        check_is_fitted(self)
        points, views, out = self._new_points(X), self._views, {}
        parts = views.evaluate_views(points, self.coef_)
        for name, rows, part in zip(self.views_.names, points.rows, parts, strict=True):
            out[name] = np.full((points.n, part.shape[1]), np.nan)
            out[name][rows] = views.a.sum() * part + self.intercept_
        return out

    def predict_views(self, X) -> dict[str, np.ndarray]:
        """The predictions of the single views: {name: (n,) or (n, t)}.

        At rows that lack a view, its prediction is NaN, or None for a classifier.
        """
        return {name: self._decode_view(values) for name, values in self.view_values(X).items()}

    def _decode_view(self, values: np.ndarray) -> np.ndarray:
        lacking = np.isnan(values).any(axis=1)
        decoded = self._code.decode(np.nan_to_num(values))
        return unlabeled_at(decoded, lacking, [-1]) if lacking.any() else decoded

    def disagreement(self, X) -> np.ndarray:
        """The disagreement of the views at each row, (n,): the mean squared difference of all
        pairs.

        It is summed over the outputs. It is NaN at rows with fewer than two views. A row with a
        large value is worth a label, because the views contradict each other there.
        """
        stacked = np.stack(list(self.view_values(X).values()))
        here = ~np.isnan(stacked[:, :, 0])
        count = here.sum(axis=0)
        filled = np.where(here[:, :, None], stacked, 0.0)
        mean = filled.sum(axis=0) / np.maximum(count, 1)[:, None]
        spread = (np.where(here[:, :, None], stacked - mean, 0.0) ** 2).sum(axis=(0, 2))
        # Σ_{j<k} (f^j − f^k)² = m Σ_j (f^j − mean)², over m (m − 1)/2 pairs
        return np.where(count > 1, 2.0 * spread / np.maximum(count - 1, 1), np.nan)
