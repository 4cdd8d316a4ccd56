"""Local LSMR: tune SSSL first, then only the two regularizers around it."""

import numbers
from typing import Any

import numpy as np
from scipy.stats import loguniform
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from lapwing.estimators import LSMRRegressor, SSSLRegressor
from lapwing.metrics import armse_scorer
from lapwing.model_selection.labeled_folds import LabeledKFold, labeled_rows
from lapwing.model_selection.shared import SharedSearchCV
from lapwing.parameters.arguments import first, parameters
from lapwing.parameters.checks import check_count

from .draws import KernelDraws, LogIntegers

SHARED = (
    "feature_map",
    "fit_intercept",
    "solver",
    "rank_tol",
    "tol",
    "max_iter",
    "verbose",
    "unlabeled",
)


@parameters
class LocalLSMRSearch(RegressorMixin, MetaEstimatorMixin, BaseEstimator):
    """Random search in two stages: kernel, width and s for SSSL, then λ_s and λ_m for LSMR.

    Stage 1 draws a kernel and, log-uniformly, s ∈ {1 … n} for :class:`~lapwing.SSSLRegressor`;
    stage 2 keeps the best of them and draws λ_s, λ_m > 0 log-uniformly for
    :class:`~lapwing.LSMRRegressor` (γ_I = λ_s n²/l, γ_M = λ_m/l). Only labeled rows are
    split into folds.

    Parameters
    ----------
    estimator : LSMRRegressor or None, default=None
        What is tuned; None is ``LSMRRegressor()``. Its kernel, n_components, gamma_I and gamma_M
        are set by the search.
    n_iter : int, default=100
        Draws in each stage.
    kernels : KernelDraws or None, default=None
        The kernels of stage 1; None is all of MT's.
    components : distribution or None, default=None
        Of s in stage 1; None is log-uniform between 1 and n.
    lambdas : tuple of two floats, default=(1e-6, 10.0)
        The range of λ_s and λ_m.
    cv : int or splitter, default=10
        An integer is that many folds of the labeled rows (:class:`LabeledKFold`).
    scoring : scorer or None, default=None
        None is −aRMSE.
    n_jobs : int or None, default=None
    random_state : int, RandomState or None, default=None
    verbose : int, default=0
        Passed to the two searches: progress over the folds.

    Attributes
    ----------
    sssl_search_, search_ : SharedSearchCV
        The two stages; ``search_`` is refitted on all rows.
    best_estimator_ : LSMRRegressor
    best_params_ : dict
    best_score_ : float
    cv_results_ : dict
        Of stage 2.
    reference_score_ : float
        The score of the tuned SSSL on the same folds, where stage 2 starts.

    References
    ----------
    MT §IV.C.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing_papers.model_selection import LocalLSMRSearch
    >>> X = np.linspace(0, 6, 40)[:, None]
    >>> y = np.full((40, 2), np.nan)
    >>> y[::4] = np.column_stack([np.sin(X[::4, 0]), np.cos(X[::4, 0])])
    >>> search = LocalLSMRSearch(n_iter=3, cv=3, random_state=0).fit(X, y)
    >>> sorted(search.best_params_)
    ['gamma_I', 'gamma_M', 'kernel', 'n_components']
    """

    estimator: Any = first(None)
    n_iter: Any = 100
    kernels: Any = None
    components: Any = None
    lambdas: Any = (1e-6, 10.0)
    cv: Any = 10
    scoring: Any = None
    n_jobs: Any = None
    random_state: Any = None
    verbose: Any = 0

    def fit(self, X, y):
        """Search on the labeled rows of y, then fit the best setting to all rows.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,) or (n, t)
            NaN marks unlabeled rows and entries.

        Returns
        -------
        self
        """
        self._check_parameters()
        if y is None:
            raise ValueError("LocalLSMRSearch requires y to be passed, but the target y is None.")
        rng = check_random_state(self.random_state)
        seeds = rng.randint(np.iinfo(np.int32).max, size=3)
        folds = self._folds(seeds[0])
        model = LSMRRegressor() if self.estimator is None else clone(self.estimator)
        n, l = len(labeled_rows(y)), max(1, int(labeled_rows(y).sum()))
        self.sssl_search_ = self._search(
            self._sssl(model),
            {
                "kernel": self.kernels or KernelDraws(),
                "n_components": LogIntegers(1, n) if self.components is None else self.components,
            },
            folds,
            seeds[1],
            refit=False,
        ).fit(X, y)
        shared = self.sssl_search_.best_params_
        low, high = self.lambdas
        self.search_ = self._search(
            model.set_params(**shared),
            {
                "gamma_I": loguniform(low * n**2 / l, high * n**2 / l),
                "gamma_M": loguniform(low / l, high / l),
            },
            folds,
            seeds[2],
            refit=True,
        ).fit(X, y)
        self._store(shared)
        return self

    def _check_parameters(self) -> None:
        if self.estimator is not None and not isinstance(self.estimator, LSMRRegressor):
            raise TypeError(f"estimator={self.estimator!r} must be an LSMRRegressor or None.")
        check_count("n_iter", self.n_iter)
        low, high = self.lambdas
        if not 0 < low < high < np.inf:
            raise ValueError(f"lambdas={self.lambdas!r} must be two numbers, 0 < low < high.")

    def _folds(self, seed: int):
        if isinstance(self.cv, numbers.Integral):
            return LabeledKFold(int(self.cv), random_state=seed)
        return self.cv

    @staticmethod
    def _sssl(model: LSMRRegressor) -> SSSLRegressor:
        return SSSLRegressor(**{name: getattr(model, name) for name in SHARED})

    def _search(self, model, space, folds, seed, *, refit) -> SharedSearchCV:
        return SharedSearchCV(
            model,
            space,
            n_iter=self.n_iter,
            scoring=armse_scorer if self.scoring is None else self.scoring,
            cv=folds,
            refit=refit,
            n_jobs=self.n_jobs,
            random_state=int(seed),
            verbose=self.verbose,
        )

    def _store(self, shared: dict) -> None:
        self.best_estimator_ = self.search_.best_estimator_
        self.best_params_ = {**shared, **self.search_.best_params_}
        self.best_score_ = self.search_.best_score_
        self.reference_score_ = self.sssl_search_.best_score_
        self.cv_results_ = self.search_.cv_results_
        self.n_features_in_ = self.best_estimator_.n_features_in_

    def predict(self, X):
        """Predictions of the best setting."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def score(self, X, y):
        """The search's own score, −aRMSE unless another was given."""
        check_is_fitted(self)
        return self.search_.score(X, y)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
