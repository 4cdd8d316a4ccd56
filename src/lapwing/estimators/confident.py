"""Diagnostics of a fitted model: leave-one-out, suspicious labels, novelty."""

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
    """Diagnostics of the labels and rows of a fitted model; a mixin."""

    objective_: Problem
    labeled_: np.ndarray
    _row_names: np.ndarray
    _confidence: Diagnostics
    _new_points: Callable
    extension_: Any
    _known: Callable

    def diagnostics(self) -> Diagnostics:
        """The diagnostics of the fit by its labels (:class:`lapwing.confidence.Diagnostics`)."""
        check_is_fitted(self)
        return self._confidence

    @property
    def leave_one_out_(self) -> np.ndarray:
        """The score or value at each labeled row without its own label, (n, t).

        NaN at unlabeled rows and entries. The row stays in the fit as an unlabeled row. The
        settings stay those that all labels chose. ``leave_one_out_error_`` also corrects for this
        choice.
        """
        return self._at_labels(self.diagnostics().unseen)

    @property
    def leave_one_out_error_(self) -> float:
        """The expected error at unlabeled rows.

        For classifiers it is the share of errors. For regressors it is the root mean square error
        in standard deviations of the labels, so 1 is as good as the mean. The settings that predict
        a label were weighted without it, so the search does not make the number too small. NaN if
        no label can be left out.
        """
        return self.diagnostics().error()

    @property
    def leave_one_out_interval_(self) -> tuple[float, float]:
        """A 95 % interval of ``leave_one_out_error_`` (:mod:`lapwing.confidence.errors`).

        If no label can be left out, it is (0, 1) for classes and (0, ∞) for real targets.
        """
        return self.diagnostics().interval()

    @property
    def extension_error_(self) -> float:
        """The difference between the function for new rows and the graph, at held-out rows.

        For classifiers it is the share of rows with another class or label. For regressors it is
        the root mean square difference in standard deviations of the graph's values. It is 0 if one
        function predicts all rows.
        """
        return self.diagnostics().apart()

    @property
    def label_suspicion_(self) -> np.ndarray:
        """The probability that each label is wrong, (n,), given the other labels.

        NaN at unlabeled rows. Classes and labels: all labels together estimate the share of wrong
        labels. A right label has the probability that the fit without it predicts. Real targets:
        wrong targets scatter ten times as far as the robust deviation of the leave-one-out
        residuals (:mod:`lapwing.confidence.suspicion`).
        """
        return self._at_labels(self.diagnostics().suspicion)

    def _at_labels(self, found: np.ndarray) -> np.ndarray:
        """Values of the labeled rows as an array over all n rows; NaN at other rows."""
        out = np.full((self.objective_.n_rows, *found.shape[1:]), np.nan)
        out[self.objective_.rows] = found
        return out

    @property
    def suspicious_labels_(self) -> np.ndarray:
        """The training rows whose label is more likely wrong than right, the worst first.

        These are the rows with ``label_suspicion_`` above 0.5. Their names are those of
        ``next_to_label``.
        """
        return self._named(self.diagnostics().suspicious)

    def _named(self, rows: np.ndarray) -> np.ndarray:
        """The names of training rows in y or X."""
        return self._row_names[rows] if len(self._row_names) else rows

    def novelty(self, X) -> np.ndarray:
        """The distance of each row of X from the data of the fit, (n,): 0 is known, 1 is far.

        It is a share of the prior variance k(x, x)/γ_A. The deformed kernel's Gaussian process
        keeps this share after it has seen all rows and labels. With ``space="graph"`` (chosen if
        ``regularizer`` and ``gamma_A`` are "auto") it is the share of k(x, x) that the training
        rows around x leave
        (:func:`lapwing.confidence.local_novelty`). A class with training rows but without a label
        is then not new. With a kernel that does not fall with the distance (linear, polynomial) no
        row is far.
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
