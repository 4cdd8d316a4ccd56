"""Regressors: real targets, their deviations, and what to measure next."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_consistent_length

from ..confidence import variance_reduction
from ..targets import encode_real, real_truth, with_missing
from .base import ManifoldModel
from .scores import score_entries, withheld


class Regressor(RegressorMixin, ManifoldModel):
    """Real targets, (n,) or (n, t), entries missing one by one where they are NaN; abstract."""

    _task = "regression"
    _reads = staticmethod(encode_real)

    def predict(self, X, *, return_std=False, abstain=None):
        """Values at new points, (n,) or (n, t); at training rows, the transduction.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        return_std : bool
            Also the standard deviation of a new y at each point and target, of the same shape:
            that of the deformed kernel's Gaussian process, noise included and scaled by the
            leave-one-out residuals (:class:`lapwing.confidence.Posterior`). Squared loss only.
        abstain : float in (0, 1), optional
            Answer NaN where ``novelty`` is above this.

        Returns
        -------
        array, or (array, array)
        """
        values = super().predict(X)
        if abstain is not None:
            values = withheld(values, self._unsure(X, abstain))
        if not return_std:
            return values
        return values, self._decode(self._confidence.posterior.deviation(self._checked(X)))

    def next_to_label(self, n=1) -> np.ndarray:
        """The n unlabeled training rows whose targets lower the total variance most, best first.

        One after the other, by rank-one updates of the deformed kernel's posterior covariance.
        """
        return variance_reduction(self._queries(n, "variance", ("variance",)), n)

    def score(self, X, y, sample_weight=None):
        """R² of each target over the rows where it is observed, averaged over the targets."""
        check_consistent_length(X, y)
        truth = real_truth(with_missing(y, self.unlabeled))
        return score_entries(r2_score, truth, self.predict(X), sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
