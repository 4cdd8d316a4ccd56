"""A random search that goes split by split. Draws on the same split share computed parts."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import joblib
import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import ParameterSampler, check_cv
from sklearn.utils.parallel import Parallel, delayed

from .._scikit_learn import split_of
from ..parameters.checks import is_count
from ..parameters.shelf import Shelf, lend
from ..types import Estimator, MatrixLike, RandomState, TargetLike
from .search import Search


@dataclass(eq=False, repr=False)
class SharedSearchCV(Search):
    """``RandomizedSearchCV`` whose fits to the same rows share graphs, eigenvectors and starts.

    scikit-learn clones the model for every fit, so every fit starts from nothing. This search fits
    all draws to one split before it goes to the next. The models of this package (SSSL, LapS3L,
    LSMR, the comparators) then compute the graph, the Gram matrix and its eigenvectors once per
    split. Proximal methods start from the solution at the nearest weights. The draws are those of
    scikit-learn for the same ``random_state``. The scores agree up to the tolerances of the
    solvers. Other models are fitted as usual.

    Parameters
    ----------
    estimator : estimator
        The model. It is cloned.
    param_distributions : dict or list of dicts
        As for ``RandomizedSearchCV``: lists, or objects with ``rvs``.
    n_iter : int, default=10
        The number of draws.
    scoring : str, callable or None, default=None
        As for ``RandomizedSearchCV``.
    cv : int, splitter or None, default=None
        The splits. With few labels, use :class:`LabeledKFold`.
    refit : bool, default=True
        Whether to fit the best setting to all rows.
    n_jobs : int or None, default=None
        The number of splits that run at the same time.
    random_state : int, RandomState or None, default=None
        Seed of the draws.
    error_score : float or "raise", default=nan
        The score of a failed fit.
    verbose : int, default=0
        Progress over the splits, as joblib reports it.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_ :
        The best setting, as in ``RandomizedSearchCV``.
    cv_results_ : dict
        ``params``, ``mean_test_score``, ``std_test_score``, ``rank_test_score`` and the score of
        each split.
    n_splits_ : int
        The number of splits.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.stats import loguniform
    >>> from lapwing_papers.baselines import LassoRegressor
    >>> from lapwing.model_selection import SharedSearchCV
    >>> X = np.random.default_rng(0).normal(size=(40, 5))
    >>> search = SharedSearchCV(LassoRegressor(), {"alpha": loguniform(1e-3, 1)}, random_state=0)
    >>> bool(search.fit(X, X[:, 0]).best_score_ > 0.99)
    True
    """

    estimator: Estimator
    param_distributions: Any
    _: KW_ONLY
    n_iter: int = 10
    scoring: Any = None
    cv: Any = None
    refit: bool = True
    n_jobs: int | None = None
    random_state: RandomState = None
    error_score: float = np.nan
    verbose: int = 0

    def fit(self, X: MatrixLike, y: TargetLike = None) -> Self:
        """Fit every draw to every split, and the best one to all rows.

        Parameters
        ----------
        X : array, CSR matrix or data frame of shape (n, d)
        y : array of shape (n,) or (n, t)

        Returns
        -------
        self
        """
        if not is_count(self.n_iter):
            raise ValueError(f"n_iter={self.n_iter!r} must be a positive integer.")
        draws = ParameterSampler(
            self.param_distributions, self.n_iter, random_state=self.random_state
        )
        candidates = list(draws)
        splits = check_cv(self.cv, y, classifier=is_classifier(self.estimator)).split(X, y)
        model = clone(self.estimator)
        scores = Parallel(n_jobs=self.n_jobs, verbose=self.verbose)(
            delayed(self._split)(model, candidates, X, y, train, test) for train, test in splits
        )
        self._store(candidates, np.transpose(scores))
        if self.refit:
            best = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            self.best_estimator_ = best.fit(X, y)
            self.n_features_in_ = getattr(best, "n_features_in_", None)
        return self

    def _split(
        self,
        model: Estimator,
        candidates: list[dict[str, Any]],
        X: MatrixLike,
        y: TargetLike,
        train,
        test,
    ) -> list[float]:
        """The scores of all candidates on one split."""
        X_train, y_train = split_of(model, X, y, train)
        X_test, y_test = split_of(model, X, y, test, train)
        shelves: dict[str | None, Shelf] = {}
        scores = []
        for params in candidates:
            drawn = clone(model).set_params(**clone(params, safe=False))
            lend(drawn, shelves.setdefault(_apart(model, params), Shelf(contents=True)))
            fits = self._fits(drawn, params, X_train, y_train)
            scores.append(self._scorer()(drawn, X_test, y_test) if fits else self.error_score)
        return scores

    def _scorer(self):
        return check_scoring(self.estimator, scoring=self.scoring)


def _apart(model: Estimator, params: dict[str, Any]) -> str | None:
    """A key of the draws that may share computed parts.

    A model can name in ``shared_over`` the parameters over which it shares. Models of this package
    store each part with all the settings that made it, so they share over all parameters.
    """
    over = getattr(model, "shared_over", params)
    return joblib.hash({name: value for name, value in params.items() if name not in over})
