"""Classifiers: one-vs-rest decisions, their probabilities, and what to label next."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ..confidence import ErrorEstimate, expected_error, transductive_bound, variance_reduction
from ..confidence.bound import Bound
from ..spaces import Element
from ..targets import as_labels, encode_classes, unlabeled_mask
from .base import ManifoldModel
from .scores import score_rows, withheld


class Classifier(ClassifierMixin, ManifoldModel):
    """One-vs-rest on targets ±1, one column per class (one column for two classes); abstract."""

    _task = "classification"
    _reads = staticmethod(encode_classes)

    def decision_function(self, X):
        """The readout: (n,) for two classes, positive for ``classes_[1]``; else (n, n_classes)."""
        readout = self._readout(X)
        return readout[:, 0] if len(self.classes_) == 2 else readout

    def predict(self, X, *, abstain=None):
        """Classes at new points, (n,); at training rows, the transduction.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        abstain : float in (0, 1), optional
            Answer with the unlabeled marker (−1, NaN or None) where ``novelty`` is above this:
            0.5 is where points and labels leave half of the prior variance.
        """
        predicted = super().predict(X)
        return predicted if abstain is None else withheld(predicted, self._unsure(X, abstain))

    def predict_proba(self, X):
        """P(class | x), (n, n_classes), rows summing to one, whatever the loss.

        With the logistic loss σ(f(x) + b), normalized over the classes where there are more than
        two; with any other loss softmax(a f), a fitted to the leave-one-out scores of the labeled
        rows (:class:`lapwing.confidence.Temperature`), so that the largest probability is where
        ``predict`` says.
        """
        readout = self._readout(X)
        p = self._loss().probability(readout)
        return self._confidence.temperature.predict(readout) if p is None else self._normalized(p)

    def next_to_label(self, n=1, *, criterion="error") -> np.ndarray:
        """The unlabeled training rows whose labels would help most, best first, (n,).

        Parameters
        ----------
        n : int
        criterion : {"error", "variance"}
            "error": the smallest expected error once the label is known (Zhu, Lafferty,
            Ghahramani 2003). "variance": the largest fall of the deformed kernel's variance over
            all points, which does not depend on labels. Both by rank-one updates, without a refit.
        """
        doubt = None if self._confidence.codes is None else self._doubt
        queries = self._queries(n, criterion, ("error", "variance"), doubt)
        if criterion == "variance":
            return variance_reduction(queries, n)
        probability = self._confidence.temperature.predict
        scores = self._scores()[queries.points]
        return expected_error(queries, scores, self._class_targets(), probability, n)

    def _scores(self) -> np.ndarray:
        """The readout at the training rows, (n, t)."""
        found = Element(self.objective_.space, self.solution_.coef, self.solution_.base)
        return found.readout

    def _doubt(self) -> np.ndarray:
        """1 − the largest probability at each training row, (n,); most where nothing reaches."""
        found = 1.0 - self._confidence.temperature.predict(self._scores()).max(axis=1)
        return np.where(self.unreached_, 1.0, found)

    def _class_targets(self) -> np.ndarray:
        """What a label of each class is as a target, (q, t)."""
        q = len(self.classes_)
        return np.array([[-1.0], [1.0]]) if q == 2 else 2.0 * np.eye(q) - 1.0

    def error_bound(self, *, delta=0.05, n_candidates=None) -> ErrorEstimate:
        """What can be promised, and what is likely, of the errors at the unlabeled rows.

        Parameters
        ----------
        delta : float in (0, 1)
            The promise holds with probability 1 − δ over which rows were labeled.
        n_candidates : int, optional
            How many settings, fixed beforehand, the labels chose among (the size of a grid). None
            are those of the estimator's own search (``selection_.n_candidates``), or 1.

        Returns
        -------
        ErrorEstimate
            ``bound``, the transductive Rademacher bound with ``valid``, ``reasons`` and
            ``vacuous`` (:func:`lapwing.confidence.transductive_bound`), and ``leave_one_out``.
        """
        check_is_fitted(self)
        if n_candidates is None:
            n_candidates = max(1, self.selection_.n_candidates) if self.selection_ else 1
        bound = self._bound(delta, n_candidates)
        wrong = (self._confidence.margins < 0).astype(float)
        spread = float(np.sqrt(wrong.mean() * (1.0 - wrong.mean()) / len(wrong)))
        return ErrorEstimate(bound, float(wrong.mean()), spread)

    def _bound(self, delta, n_candidates) -> Bound:
        return transductive_bound(
            self.objective_, self.solution_.coef, y=self._confidence.y, delta=delta,
            n_candidates=n_candidates, reasons=self._broken_conditions(),
        )  # fmt: skip

    def _broken_conditions(self) -> list[str]:
        """What the bound asks for and this fit does not keep."""
        reasons = []
        if self.class_prior is not None:
            reasons.append("class_prior shifts the scores after the fit")
        known = "regularizer" in self.get_params(deep=False)
        if known and getattr(self._part("regularizer"), "reads_labels", False):
            reasons.append("the regularizer was built from the labels")
        return reasons

    def _normalized(self, p) -> np.ndarray:
        """One row of probabilities per point, (n, n_classes), from one column per readout."""
        if len(self.classes_) == 2:
            return np.column_stack([1.0 - p[:, 0], p[:, 0]])
        # Far from every class all the p may underflow to 0 together: then nothing is known.
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1.0), 1.0 / p.shape[1])

    def score(self, X, y, sample_weight=None):
        """Accuracy over the labeled rows of y; rows marked as unlabeled do not count."""
        check_consistent_length(X, y)
        labels = as_labels(y)
        seen = ~unlabeled_mask(labels, self.classes_, self.unlabeled)
        return score_rows(accuracy_score, self.predict(X), labels, seen, sample_weight)
