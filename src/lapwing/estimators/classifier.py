"""Classifiers: classes, probabilities, and the choice of rows to label next."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..confidence import ErrorEstimate, expected_error, transductive_bound, variance_reduction
from ..confidence.bound import Bound
from ..parameters.checks import check_option
from ..targets import (
    as_labels,
    encode_classes,
    encode_labels,
    unlabeled_at,
    unlabeled_mask,
    with_missing,
)
from .base import ManifoldModel
from .fitting import training_readout
from .points import reads_labels
from .scores import score_rows, share_of_right_rows
from .settings import Settings

CLASSES = "classes"
"""Several labels per row need a loss with its own probabilities."""


def _gives_probability(model) -> bool:
    labels = hasattr(model, "_code") and not model._code.exclusive and model.probability == CLASSES
    if labels and model.objective_.loss.probability(np.zeros((1, 1))) is None:
        raise AttributeError("predict_proba of several labels over views needs loss='logistic'.")
    if model.probability:
        return True
    raise AttributeError("predict_proba needs probability=True, 'sigmoid' or 'isotonic'.")


class Classifier(ClassifierMixin, ManifoldModel):
    """One-vs-rest classification with targets ±1; abstract.

    There is one column per class, and a single column for two classes. If ``several_labels`` is
    True, y may be a matrix with one column per label. Its entries are in {0, 1} or {−1, 1}, and NaN
    if unknown.

    Attributes
    ----------
    classes_ : array
        The classes.
    """

    several_labels = False
    probability: Any = True

    def _read(self, y, sample_weight):
        encode = encode_labels if self.several_labels else encode_classes
        targets = encode(y, sample_weight, self.unlabeled)
        weighted = self.class_weight is not None or self.class_prior is not None
        if weighted and not targets.coding.exclusive:
            raise ValueError(
                "class_weight and class_prior are for classes that exclude each other; y holds "
                "several labels per row. Use sample_weight."
            )
        return targets

    def decision_function(self, X):
        """The scores f(x) + b: (n,) for two classes, otherwise (n, n_classes).

        A positive score means ``classes_[1]`` for two classes. With several labels per row, the
        scores are (n, n_labels).
        """
        readout = self._readout(X)  # it says if the model is not fitted
        return self._code.scores(readout)

    def predict(self, X, *, abstain=None, return_std=False):
        """Predict the classes of new rows, (n,), or their labels, (n, n_labels).

        At training rows the predictions equal ``transduction_``. Labels are a data frame with the
        columns of y if y was one.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        abstain : float in (0, 1), optional
            Return the unlabeled marker (−1, NaN or None) for rows with a ``novelty`` above this
            value. At 0.5 the rows and labels of the fit leave half of the prior variance.
        return_std : bool
            Only regressors have it. True raises an error here that names ``predict_proba``.
        """
        if return_std:
            raise TypeError(
                "Classes have no standard deviation: predict_proba says how sure each answer is, "
                "novelty how far a row is from all that is known."
            )
        predicted = super().predict(X)
        if abstain is not None:
            predicted = unlabeled_at(predicted, self._unsure(X, abstain), self.classes_)
        return self._framed(predicted, X)

    @available_if(_gives_probability)
    def predict_proba(self, X):
        """The probabilities P(class | x), (n, n_classes), or P(label | x), (n, n_labels).

        The probabilities of the classes are softmax(a f), and sum to one in each row. The number a
        is fitted to the leave-one-out scores of the labeled rows
        (:class:`lapwing.confidence.Temperature`), for the logistic loss too. The class with the
        largest probability is the one that ``predict`` returns. Training rows and new rows have
        their own a each, because scores fall between the training rows. Several labels are
        calibrated one by one; with the logistic loss they are σ(f).
        """
        readout = self._readout(X)
        if self._code.exclusive:
            return self._class_probability(X, readout)
        p = self.objective_.loss.probability(readout)
        if p is not None:
            return p
        method = self.probability if isinstance(self.probability, str) else "sigmoid"
        return self._confidence.columns(method).predict(readout)

    def _class_probability(self, X, readout: np.ndarray) -> np.ndarray:
        p, told = self._probability(readout), self._confidence
        find = self._known if told.learned else None
        if not self.extension_ and told.as_new(self.solution_):
            find = told.between[-1].find
        if find:
            new = find(self._new_points(X)) < 0
            p[new] = told.new_temperature(self._probability).predict(readout[new])
        return p

    def _probability(self, readout: np.ndarray) -> np.ndarray:
        """The probability of each class, (n, q), from scores."""
        return self._confidence.temperature.predict(readout)

    def next_to_label(
        self, n=1, *, criterion="error", costs=None, askable=None, of_interest=None
    ) -> np.ndarray:
        """The unlabeled training rows whose labels would help most, best first, (n,).

        A row's name is its index in y, or in X, if one of them is a pandas object. Otherwise it is
        the row number from 0. In a pipeline, ask the last step: ``pipe[-1].next_to_label(5)``.

        Parameters
        ----------
        n : int
            The number of rows.
        criterion : {"error", "variance"}
            "error" takes the rows with the smallest expected error after the label is known (Zhu,
            Lafferty, Ghahramani 2003). "variance" takes the rows that lower the deformed kernel's
            variance over all rows most. It does not depend on the labels. It is always the
            criterion if a row can have several labels. Both use rank-one updates and no refit.
        costs : array of shape (n_samples,), optional
            The cost of a label of each training row, positive. The criterion then counts per unit
            of cost.
        askable : bool array of shape (n_samples,), optional
            The training rows that may be chosen.
        of_interest : class, optional
            Only the errors of this class count. None means that all classes count. Needs
            ``criterion="error"``.
        """
        check_is_fitted(self)
        check_option("criterion", criterion, ("error", "variance"))
        exclusive = self._code.exclusive
        criterion = criterion if exclusive else "variance"
        doubt: dict[str, Any] = {"doubt": self._doubt} if exclusive else {}
        queries = self._queries(n, costs, askable, **doubt)
        interest = self._class_number(of_interest, criterion)
        if criterion == "variance":
            return self._named(variance_reduction(queries, n))
        probability = self._confidence.temperature.predict
        scores = training_readout(self)[queries.points]
        targets = self._code.class_targets()
        return self._named(expected_error(queries, scores, targets, probability, n, interest))

    def _class_number(self, of_interest, criterion: str) -> int | None:
        """The index of a class in ``classes_``."""
        if of_interest is None:
            return None
        if criterion != "error":
            raise ValueError("of_interest needs criterion='error': variances know no classes.")
        found = np.flatnonzero(self.classes_ == of_interest)
        if not len(found):
            raise ValueError(
                f"of_interest={of_interest!r} is none of the classes {list(self.classes_)}."
            )
        return int(found[0])

    def _doubt(self) -> np.ndarray:
        """1 − the largest probability at each training row, (n,); 1 at unreached rows."""
        found = 1.0 - self._confidence.temperature.predict(training_readout(self)).max(axis=1)
        return np.where(self.unreached_, 1.0, found)

    def error_bound(self, *, delta=0.05, n_candidates=None) -> ErrorEstimate:
        """A bound and an estimate of the error at the unlabeled rows.

        Parameters
        ----------
        delta : float in (0, 1)
            The bound holds with probability 1 − δ over the random choice of the labeled rows.
        n_candidates : int, optional
            The number of settings among which the labels chose, fixed beforehand (the size of a
            grid). None is the number of the estimator's own search (``selection_.n_candidates``),
            or 1.

        Returns
        -------
        ErrorEstimate
            ``bound`` is the transductive Rademacher bound with ``valid``, ``reasons`` and
            ``vacuous`` (:func:`lapwing.confidence.transductive_bound`). ``leave_one_out`` is
            ``leave_one_out_error_``, and ``interval`` is its 95 % interval.
        """
        check_is_fitted(self)
        if n_candidates is None:
            n_candidates = max(1, self.selection_.n_candidates) if self.selection_ else 1
        bound = self._bound(delta, n_candidates)
        return ErrorEstimate(bound, self._confidence.error(), self._confidence.interval())

    def _bound(self, delta, n_candidates) -> Bound:
        return transductive_bound(
            self.objective_, self.solution_.coef, y=self._confidence.y, delta=delta,
            n_candidates=n_candidates, reasons=self._broken_conditions(),
        )  # fmt: skip

    def _broken_conditions(self) -> list[str]:
        """The conditions of the bound that this fit breaks."""
        reasons, p = [], Settings(self, self._chosen)
        if self.class_prior is not None:
            reasons.append("class_prior shifts the scores after the fit")
        if p.has("regularizer") and reads_labels(p.regularizer):
            reasons.append("the regularizer was built from the labels")
        if p.has("output_kernel") and getattr(p.output_kernel, "estimated", False):
            reasons.append("the output kernel was estimated from the labels")
        return reasons

    def score(self, X, y, sample_weight=None):
        """The accuracy over the labeled rows.

        With several labels per row, it is the share of rows with every label right.
        """
        check_is_fitted(self)
        check_consistent_length(X, y)
        if not self._code.exclusive:
            truth = self._code.encode_truth(with_missing(y, self.unlabeled))
            return share_of_right_rows(truth, self._readout(X), sample_weight)
        labels = as_labels(y)
        seen = ~unlabeled_mask(labels, self.classes_, self.unlabeled)
        return score_rows(accuracy_score, self.predict(X), labels, seen, sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.several_labels
        tags.target_tags.multi_output = self.several_labels
        return tags
