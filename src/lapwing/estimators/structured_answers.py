"""What a structured model answers: outputs, their ranking, probabilities and scores."""

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ..confidence import Diagnostics, check_promise
from ..confidence.bound import Bound
from ..metrics.structured import mean_output_loss
from ..outputs import LabelSets, Outputs
from ..parameters.checks import check_count
from ..targets import indicator_rows, with_missing
from .classifier import Classifier


class StructuredClassifier(Classifier):
    """f(x, y) for every output y, decoded by the structure; abstract."""

    output: Any
    outputs_: Outputs
    _coding: Any

    def _decode(self, readout):
        return self._coding.write(self.outputs_.decode(readout))

    def decision_function(self, X):
        """f(x, y) for all outputs, (n, |Y|); for two outputs f(x, y_1) − f(x, y_0), (n,).

        For LabelSets F(x), (n, k): label j is predicted where its column is positive.
        """
        scores = self._readout(X)
        if self.outputs_.kernel is None:
            return scores
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_ranking(self, X, n_best=None):
        """The outputs from the best down, (n, n_best), or (n, n_best, k) for LabelSets."""
        if n_best is not None:
            check_count("n_best", n_best)
        return self._coding.write_ranking(self.outputs_.rank(self._readout(X), n_best))

    def score(self, X, y, sample_weight=None):
        """−(mean Δ(y, predict(x))) over the labeled rows of y: greater is better, 0 is perfect."""
        check_consistent_length(X, y)
        prediction = self._readout(X)
        y = with_missing(y, self.unlabeled)
        Y, seen = indicator_rows(self.outputs_, self._coding, y)
        if not seen.any():
            raise ValueError("No row of y is labeled: a score needs at least one.")
        weight = None if sample_weight is None else np.asarray(sample_weight)[seen]
        losses = self.outputs_.loss(Y[seen], self.outputs_.decode(prediction[seen]))
        return -mean_output_loss(losses, weight)

    def predict_proba(self, X):
        """P(y | x) = softmax(a f(x, ·)), (n, |Y|), a fitted to the leave-one-out scores.

        For LabelSets P(label | x), (n, k), each label calibrated on its own.
        """
        readout = self._readout(X)
        if self._listed:
            return self._confidence.temperature.predict(readout)
        return self._confidence.columns("sigmoid").predict(readout)

    def next_to_label(self, n=1, *, criterion="error") -> np.ndarray:
        """The unlabeled training rows whose outputs would help most, best first, (n,).

        Parameters
        ----------
        n : int
        criterion : {"error", "variance"}
            As for classes; for LabelSets always by variance.
        """
        check_is_fitted(self)
        return super().next_to_label(n, criterion=criterion if self._listed else "variance")

    @property
    def _listed(self) -> bool:
        return self.outputs_.kernel is not None

    def _class_targets(self):
        return self.outputs_.features(np.eye(len(self.classes_)))

    def _store(self, objective, targets, operator):
        super()._store(objective, targets, operator)
        codes = targets.codes[objective.rows] if self._listed else None
        self._confidence = Diagnostics(objective, codes, given=2.0 * objective.y - 1.0)

    def _bound(self, delta, n_candidates) -> Bound:
        if not self._listed:  # sets of labels are read label by label
            return super()._bound(delta, n_candidates)
        check_promise(delta, n_candidates)
        why = "the outputs are decoded together, and the theorem reads one function at a time"
        return Bound(np.inf, (*self._broken_conditions(), why))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = isinstance(self.output, LabelSets)
        return tags
