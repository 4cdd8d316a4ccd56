"""Regressors: real targets, standard deviations, and the choice of rows to measure next."""

import numpy as np
from scipy.stats import t as student
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ..confidence import ErrorEstimate, variance_reduction
from ..confidence.bound import Bound
from ..parameters.checks import is_number
from ..targets import read_real, real_truth, unlabeled_at, with_missing
from .base import ManifoldModel
from .scores import score_entries


class Regressor(RegressorMixin, ManifoldModel):
    """Regression of real targets y, (n,) or (n, t); single entries may be NaN; abstract."""

    def _read(self, y, sample_weight):
        return read_real(y, sample_weight, self.unlabeled)

    def predict(self, X, *, return_std=False, abstain=None):
        """Predict the values at new rows, (n,) or (n, t).

        At training rows the predictions equal ``transduction_``. Several targets are a data frame
        with the columns of y if y was one.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        return_std : bool
            True also returns the standard deviation of a new y at each row and target, in the same
            shape. It is the standard deviation of the deformed kernel's Gaussian process. It
            includes the noise and is scaled by the leave-one-out residuals
            (:class:`lapwing.confidence.Posterior`). With ``space="graph"``, and with losses other
            than the squared loss, it is the root mean square of the leave-one-out residuals near
            the training rows, and that of the labels far from them. It is infinite if fewer than
            two labels of a target can be left out, because nothing then tells the deviation.
        abstain : float in (0, 1), optional
            Return NaN for rows with a ``novelty`` above this value.

        Returns
        -------
        array, or (array, array)
        """
        values = super().predict(X)
        if abstain is not None:
            values = unlabeled_at(values, self._unsure(X, abstain))
        if not return_std:
            return self._framed(values, X)
        deviation = self._code.decode(self._deviation(X))
        return self._framed(values, X), self._framed(deviation, X)

    def predict_interval(self, X, *, level=0.9) -> tuple[np.ndarray, np.ndarray]:
        """Intervals that hold a new y with probability ``level``: the lower and the upper ends.

        The interval is predict(X) ± t·std. std is that of ``predict(X, return_std=True)``. t is the
        quantile of Student's distribution with l/4 degrees of freedom for l labels. The degrees are
        few because left-out labels estimate the deviation, and these are not independent. Both ends
        have the shape of ``predict(X)``. They are −∞ and ∞ where std is infinite (one label).

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        level : float in (0, 1)
        """
        if not is_number(level) or not 0 < level < 1:
            raise ValueError(f"level={level!r} must be a number between 0 and 1.")
        values, deviation = self.predict(X, return_std=True)
        freedom = max(2.0, len(self.objective_.rows) / 4.0)
        width = float(student.ppf(0.5 + 0.5 * level, freedom)) * deviation
        return values - width, values + width

    def error_bound(self) -> ErrorEstimate:
        """An estimate of the error at the unlabeled rows. There is no bound for real targets.

        Returns
        -------
        ErrorEstimate
            ``leave_one_out`` is the root mean square error in standard deviations of the labels.
            ``interval`` is its 95 % interval. ``bound`` is infinite and gives the reason.
        """
        check_is_fitted(self)
        bound = Bound(np.inf, ("no bound is known here for real targets",))
        return ErrorEstimate(bound, self._confidence.error(), self._confidence.interval())

    def _deviation(self, X) -> np.ndarray:
        """The standard deviation of a new y at each row of X, (n, t)."""
        known = np.broadcast_to(self.objective_.w, self.objective_.y.shape) > 0
        if self.extension_ is None and self.objective_.loss.quadratic:
            found = self._confidence.posterior.deviation(self._new_points(X))
        else:
            y = np.where(known, self.objective_.y, np.nan)
            known = known & np.isfinite(self._confidence.unseen)
            squares = np.where(known, y - self._confidence.unseen, 0.0) ** 2
            near = squares.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
            far, share = np.maximum(np.nanvar(y, axis=0), near), self.novelty(X)[:, None]
            found = np.sqrt((1.0 - share) * near + share * far)
        return np.where((known.sum(axis=0) < 2) | np.isnan(found), np.inf, found)

    def next_to_label(self, n=1, *, costs=None, askable=None, of_interest=None) -> np.ndarray:
        """The n unlabeled training rows whose targets lower the total variance most, best first.

        The rows are chosen one after the other, by rank-one updates of the deformed kernel's
        posterior covariance. A row's name is its index in y, or in X, if one of them is a pandas
        object. Otherwise it is the row number from 0. In a pipeline, ask the last step:
        ``pipe[-1].next_to_label(5)``.

        Parameters
        ----------
        n : int
            The number of rows.
        costs : array of shape (n_samples,), optional
            The cost of a target of each training row, positive. The fall of the variance then
            counts per unit of cost.
        askable : bool array of shape (n_samples,), optional
            The training rows that may be chosen.
        of_interest : int or str, optional
            Only the variance of this target counts: its number or its column's name. Rows that lack
            it may be chosen, even if other targets were observed there. None means that all targets
            count.
        """
        outputs = () if of_interest is None else (self._target_number(of_interest),)
        asked = self._queries(n, costs, askable, outputs=outputs)
        return self._named(variance_reduction(asked, n))

    def _target_number(self, of_interest) -> int:
        """The index of a target among the columns of y."""
        check_is_fitted(self)
        known = [*self._target_names, *range(self.objective_.n_columns)]
        if of_interest not in known:
            raise ValueError(f"of_interest={of_interest!r} is none of the targets {known}.")
        return known.index(of_interest) % self.objective_.n_columns

    def score(self, X, y, sample_weight=None):
        """R² of each target over the rows where it is observed, averaged over the targets."""
        check_consistent_length(X, y)
        truth = real_truth(with_missing(y, self.unlabeled))
        return score_entries(r2_score, truth, np.asarray(self.predict(X)), sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
