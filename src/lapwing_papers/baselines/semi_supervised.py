"""What the semi-supervised comparators share: reading labels, one model per class."""

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length

from lapwing.targets import as_labels, missing_mask


def labeled_mask(y) -> np.ndarray:
    """Where y is known: −1 for integers, None or NaN for the rest mark unlabeled rows.

    Examples
    --------
    >>> labeled_mask([0, -1, 1]).tolist()
    [True, False, True]
    """
    y = as_labels(y)
    return y != -1 if y.dtype.kind == "i" else ~missing_mask(y)


class TransductiveClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Scores for the rows it was fitted on, one column per class; abstract.

    Attributes
    ----------
    classes_ : array of shape (q,)
    scores_ : array of shape (n, q), or (n,) for two classes
        At the training rows; larger means more likely, +: ``classes_[1]`` for two classes.
    transduction_ : array of shape (n,)
        The class of each training row.
    """

    def fit(self, X, y):
        """Fit to all rows and the labels there are.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d)
        y : array of shape (n,)
            −1 (integers), None or NaN marks an unlabeled row.

        Returns
        -------
        self
        """
        y = as_labels(y)
        check_consistent_length(X, y)
        known = labeled_mask(y)
        self.classes_ = np.array(sorted(set(y[known].tolist())))
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs labeled rows of at least two classes, got "
                f"{len(self.classes_)}."
            )
        targets = np.where(y[:, None] == self.classes_[None, :], 1.0, -1.0)
        targets[~known] = 0.0
        columns = targets[:, 1:] if len(self.classes_) == 2 else targets
        scores = self._fit_columns(X, columns)
        self.scores_ = scores[:, 0] if len(self.classes_) == 2 else scores
        self.transduction_ = self._decide(self.scores_)
        return self

    @abstractmethod
    def _fit_columns(self, X, targets: np.ndarray) -> np.ndarray:
        """Scores (n, columns) for targets of +1, −1 and 0 (unlabeled), one model per column."""

    def _decide(self, scores: np.ndarray) -> np.ndarray:
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        return self.classes_[scores.argmax(axis=1)]
