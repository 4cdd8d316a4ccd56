"""What a fitted model tells of itself: leave-one-out, suspicious labels, novelty."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..confidence import (
    ActiveLearning,
    Diagnostics,
    checked_askable,
    checked_costs,
    keep_factor,
    local_novelty,
    output_weights,
)
from ..parameters.checks import check_count, is_number
from ..problem import Problem
from ..spaces.out_of_sample import OutOfSampleRule


class DiagnosticsMixin:
    """Questions to a fitted model about its labels and its points; a mixin."""

    objective_: Problem
    labeled_: np.ndarray
    _row_names: np.ndarray
    _confidence: Diagnostics
    _new_points: Callable
    extension_: Any
    _known: Callable

    def diagnostics(self) -> Diagnostics:
        """What the labels of the fit tell about it (:class:`lapwing.confidence.Diagnostics`)."""
        check_is_fitted(self)
        return self._confidence

    @property
    def leave_one_out_(self) -> np.ndarray:
        """What the fit says of each labeled row without its label: scores or values, (n, t).

        NaN at unlabeled rows and entries. The row stays as an unlabeled one, and the settings stay
        those that all labels chose: for an error that allows for that, ask
        ``leave_one_out_error_``.
        """
        return self._at_labels(self.diagnostics().unseen)

    @property
    def leave_one_out_error_(self) -> float:
        """What to expect at unlabeled rows: the share of errors; for regressors the root mean

        square of the errors in standard deviations of the labels, where 1 is as good as the mean.
        Each label is answered by settings that were weighted without it, so that a search does not
        flatter the number; NaN where no label can be left out.
        """
        return self.diagnostics().error()

    @property
    def leave_one_out_interval_(self) -> tuple[float, float]:
        """A 95 % interval of ``leave_one_out_error_`` (:mod:`lapwing.confidence.errors`)."""
        return self.diagnostics().interval()

    @property
    def extension_error_(self) -> float:
        """How far the answers for new rows are from the graph's, at rows left out for that.

        The share of rows with another class (or label), for regressors the root mean square in
        standard deviations of the graph's values; 0 where one function answers for all rows.
        """
        return self.diagnostics().apart()

    @property
    def label_suspicion_(self) -> np.ndarray:
        """How likely each label is wrong, (n,), by what the others say; NaN at unlabeled rows.

        Classes and labels: a label is wrong with a probability that all labels tell together, and
        right ones are as likely as the fit without them says. Real targets: wrong ones scatter ten
        times as far as the robust deviation of the leave-one-out residuals
        (:mod:`lapwing.confidence.suspicion`).
        """
        return self._at_labels(self.diagnostics().suspicion)

    def _at_labels(self, found: np.ndarray) -> np.ndarray:
        """What was found of the labeled rows, NaN at all others."""
        out = np.full((self.objective_.n_rows, *found.shape[1:]), np.nan)
        out[self.objective_.rows] = found
        return out

    @property
    def suspicious_labels_(self) -> np.ndarray:
        """Training rows whose label is more likely wrong than right, the worst first.

        Those with ``label_suspicion_`` above 0.5, named as by ``next_to_label``.
        """
        return self._named(self.diagnostics().suspicious)

    def _named(self, rows: np.ndarray) -> np.ndarray:
        """Training rows as y or X names them."""
        return self._row_names[rows] if len(self._row_names) else rows

    def novelty(self, X) -> np.ndarray:
        """How far each row of X is from all that is known, (n,): 0 is known, 1 is far.

        The share of the prior variance k(x, x)/γ_A that the deformed kernel's Gaussian process
        keeps after all points and labels were seen. Where values live on the points of a graph
        (by default above 500 rows), that which the training rows around x leave of k(x, x)
        (:func:`lapwing.confidence.local_novelty`): a class that has training rows, but no label,
        is not new then. With a kernel that does not fall with the distance (linear, polynomial)
        no point is far.
        """
        check_is_fitted(self)
        X = self._new_points(X)
        if self.extension_ is None:
            return self._confidence.novelty(X)
        known = self.objective_.space.out_of_sample
        if not isinstance(known, OutOfSampleRule):
            raise TypeError(
                "How far rows are from the training rows needs these in memory: of a fit on Dask "
                "arrays, ask predict_proba instead."
            )
        new = self._known(X) < 0
        out = np.zeros(X.shape[0])
        if new.any():
            out[new] = local_novelty(known.kernel, known.X, X[new])
        return out

    def _unsure(self, X, abstain: float) -> np.ndarray:
        if not is_number(abstain) or not 0 < abstain < 1:
            raise ValueError(f"abstain={abstain!r} must be None or a number between 0 and 1.")
        return self.novelty(X) > abstain

    def _queries(
        self, n, costs, askable, doubt: Callable = lambda: None, outputs: Sequence[int] = ()
    ) -> ActiveLearning:
        check_is_fitted(self)
        check_count("n", n)
        labeled = np.zeros(len(self.labeled_), dtype=bool)
        labeled[self.objective_.rows[output_weights(self.objective_, outputs) > 0]] = True
        if labeled.all():
            raise ValueError("Every row is labeled: there is none left to ask for.")
        paid, may = checked_costs(costs, labeled), checked_askable(askable, labeled)
        keep_factor(self.objective_)
        return ActiveLearning(self.objective_, doubt(), n, costs=paid, askable=may, outputs=outputs)
