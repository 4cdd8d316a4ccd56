"""Classifiers whose rows may have several labels at once."""

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..targets import LabelCoding, encode_multilabel, is_multilabel, with_missing
from .classifier import Classifier

CLASSES = "classes"
"""Of several labels only a loss that has probabilities of its own says them."""
ZERO = np.zeros((1, 1))


def _gives_probability(model) -> bool:
    labels = vars(model).get("_coding") is not None
    if labels and model.probability == CLASSES and model._loss().probability(ZERO) is None:
        raise AttributeError("predict_proba of several labels over views needs loss='logistic'.")
    if model.probability:
        return True
    raise AttributeError("predict_proba needs probability=True, 'sigmoid' or 'isotonic'.")


class SeveralLabels(Classifier):
    """Classes that exclude each other, or labels that do not, by what y is; abstract.

    A matrix y has one column for each label, with entries in {0, 1} or {−1, 1}, NaN where it is
    not known. ``_coding`` is then how labels are written, and None for classes.
    """

    probability: Any = CLASSES

    def _encode(self, y, sample_weight):
        self._coding: LabelCoding | None = None
        y = with_missing(y, self.unlabeled)
        if not is_multilabel(y):
            return super()._encode(y, sample_weight)
        if self.class_weight is not None or self.class_prior is not None:
            raise ValueError(
                "class_weight and class_prior are for classes that exclude each other; y holds "
                "several labels per row. Use sample_weight."
            )
        targets, self.classes_, self._coding = encode_multilabel(y, sample_weight)
        return targets

    def _decode(self, readout):
        if self._coding is None:
            return super()._decode(readout)
        return self._coding.decode(readout > 0)

    def decision_function(self, X):
        """The readout: (n, n_labels); for classes (n, n_classes), or (n,) for two."""
        check_is_fitted(self)
        return super().decision_function(X) if self._coding is None else self._readout(X)

    def score(self, X, y, sample_weight=None):
        """Accuracy over the labeled rows; of labels, the share with every observed one right."""
        check_is_fitted(self)
        if self._coding is None:
            return super().score(X, y, sample_weight)
        check_consistent_length(X, y)
        truth = self._coding.encode_truth(with_missing(y, self.unlabeled))
        missing = np.isnan(truth)
        seen = ~missing.all(axis=1)
        if not seen.any():
            raise ValueError("No row of y is labeled: a score needs at least one.")
        weight = None if sample_weight is None else np.asarray(sample_weight)[seen]
        right = ((self._readout(X) > 0) == (truth > 0)) | missing
        return float(np.average(right[seen].all(axis=1), weights=weight))

    @available_if(_gives_probability)
    def predict_proba(self, X):
        """P(label | x), shape (n, n_labels); for classes (n, n_classes), rows summing to one.

        With the logistic loss from the loss itself; else calibrated on leave-one-out scores.
        """
        check_is_fitted(self)
        if self._coding is None:
            return super().predict_proba(X)
        readout = self._readout(X)
        p = self._loss().probability(readout)
        if p is not None:
            return p
        method = "sigmoid" if self.probability is True else str(self.probability)
        return self._confidence.columns(method).predict(readout)

    def next_to_label(self, n=1, *, criterion="error"):
        """The unlabeled training rows whose labels would help most, best first, (n,).

        Parameters
        ----------
        n : int
        criterion : {"error", "variance"}
            As for classes; with labels that do not exclude each other, always by variance.
        """
        check_is_fitted(self)
        multilabel = self._coding is not None
        return super().next_to_label(n, criterion="variance" if multilabel else criterion)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags
