"""A search that hides labels and keeps all rows, for predictions at the training rows."""

import numbers
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import ParameterGrid
from sklearn.utils.parallel import Parallel, delayed

from .._scikit_learn import rows_of
from ..targets import as_labels, unlabeled_mask
from ..types import MatrixLike, TargetLike
from .labeled_folds import LabeledKFold, LabeledStratifiedKFold, labeled_rows
from .scorers import LabeledScorer, marker_of
from .search import Search


@dataclass(eq=False, repr=False)
class TransductiveSearchCV(Search):
    """Grid search where a held-out row loses its label, but stays among the training rows.

    For each split, the search hides the labels of the test rows, fits the model to *all* rows of X,
    and scores it at the test rows. Graph, kernel and n are then those of the final fit. Models that
    predict only at training rows, such as transductive CoMR, can be tuned this way.

    Parameters
    ----------
    estimator : estimator
        The model. It is cloned.
    param_grid : dict, list of dicts, or iterable of dicts
        As for ``GridSearchCV``; also a ``ParameterSampler``.
    scoring : str, callable or None, default=None
        As for ``GridSearchCV``. Unlabeled rows and entries do not count.
    cv : int, splitter or None, default=None
        Splits of the labeled rows. An integer is the number of folds, and None is 5. The folds are
        stratified for classes.
    refit : bool, default=True
        Whether to fit the best setting with all labels.
    n_jobs : int or None, default=None
        The number of fits that run at the same time.
    error_score : float or "raise", default=nan
        The score of a failed fit.
    unlabeled : "auto" or a marker, default="auto"
        The marker of an unlabeled row in y.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_ :
        The best setting, as in ``GridSearchCV``.
    cv_results_ : dict
        ``params``, ``mean_test_score``, ``std_test_score``, ``rank_test_score`` and the score of
        each split.
    n_splits_ : int
        The number of splits.

    Examples
    --------
    >>> from lapwing import CoMRClassifier
    >>> from lapwing.datasets import make_two_moons
    >>> from lapwing.model_selection import TransductiveSearchCV
    >>> X, y, truth = make_two_moons(100, labels_per_class=4, random_state=0)
    >>> search = TransductiveSearchCV(CoMRClassifier(a_I=0.5), {"gamma_I": [1e-3, 10.0]}, cv=2)
    >>> sorted(search.fit(X, y).best_params_)
    ['gamma_I']
    """

    estimator: Any
    param_grid: Any
    _: KW_ONLY
    scoring: Any = None
    cv: Any = None
    refit: Any = True
    n_jobs: Any = None
    error_score: Any = np.nan
    unlabeled: Any = "auto"

    def fit(self, X: MatrixLike, y: TargetLike, **fit_params: Any) -> Self:
        """Search over the labeled rows of y. X is never split.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        y : array of shape (n,) or (n, t)
        **fit_params
            Passed to the estimator's ``fit``.

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError("TransductiveSearchCV needs y: it hides some of the labels.")
        candidates = list(self._candidates())
        splits = [test for _, test in self._splitter(y).split(X, y)]
        marker = marker_of(self.estimator, self.unlabeled)
        hidden = [mask_labels(y, test, marker) for test in splits]
        scores = Parallel(n_jobs=self.n_jobs)(
            delayed(self._one)(X, y, params, test, masked, fit_params)
            for params in candidates
            for test, masked in zip(splits, hidden, strict=True)
        )
        self._store(candidates, np.reshape(scores, (len(candidates), len(splits))))
        if self.refit:
            best = clone(self.estimator).set_params(**self.best_params_)
            self.best_estimator_ = best.fit(X, y, **fit_params)
            self.n_features_in_ = getattr(best, "n_features_in_", None)
        return self

    def _candidates(self):
        if isinstance(self.param_grid, dict | list | tuple):
            return ParameterGrid(self.param_grid)
        return self.param_grid

    def _splitter(self, y: TargetLike):
        if self.cv is not None and not isinstance(self.cv, numbers.Integral):
            return self.cv
        classes = is_classifier(self.estimator) and np.ndim(y) == 1
        kind = LabeledStratifiedKFold if classes else LabeledKFold
        marker = marker_of(self.estimator, self.unlabeled)
        return kind(5 if self.cv is None else int(self.cv), unlabeled=marker)

    def _one(self, X: MatrixLike, y: TargetLike, params, test, masked, fit_params) -> float:
        model = clone(self.estimator).set_params(**clone(params, safe=False))
        if not self._fits(model, params, X, masked, **fit_params):
            return self.error_score
        return self._scorer()(model, rows_of(X, test), rows_of(y, test))

    def _scorer(self) -> LabeledScorer:
        return LabeledScorer(self.scoring, unlabeled=self.unlabeled)


def mask_labels(y: TargetLike, test: np.ndarray, unlabeled: Any = "auto") -> np.ndarray:
    """y with the labels of ``test`` hidden: None among classes, NaN among numbers.

    All unlabeled rows become None or NaN, for every marker. So −1 cannot become a class when a
    class loses its labels.
    """
    if np.ndim(y) == 2:
        Y = np.array(y, dtype=object)
        Y[~labeled_rows(y, unlabeled)] = None
        Y[test] = None
        return np.where(Y == None, np.nan, Y).astype(float)  # noqa: E711
    labels = as_labels(y)
    if labels.dtype.kind == "f":
        out = labels.copy()
        out[unlabeled_mask(labels, marker=unlabeled)] = np.nan
        out[test] = np.nan
        return out
    objects = labels.astype(object)
    objects[unlabeled_mask(labels, marker=unlabeled)] = None
    objects[test] = None
    return objects
