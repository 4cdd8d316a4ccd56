"""Co-training: two views teach each other."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.naive_bayes import MultinomialNB
from sklearn.utils import check_random_state

from lapwing.parameters.checks import check_count
from lapwing.targets import as_labels

from .semi_supervised import labeled_mask


class CoTrainingClassifier(ClassifierMixin, BaseEstimator):
    """Each view's classifier labels the rows of which it is surest, for both to learn from.

    In every round a classifier is fitted on each view; each takes, from a pool of unlabeled rows
    refilled at random, the ``growth[c]`` rows it is surest belong to class c, and adds them with
    that label. Views are combined by the product of their probabilities.

    Parameters
    ----------
    views : sequence of slices or column indices
        Two or more sets of columns.
    estimator : classifier with ``predict_proba``, optional
        None is multinomial naive Bayes, for counts or tf-idf.
    n_rounds : int, default=30
    pool : int, default=75
    growth : mapping of class to int, optional
        Rows added per class, view and round; None is 1 for the rarest labeled class and in
        proportion for the others.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    classes_ : array of shape (q,)
    estimators_ : list of fitted classifiers, one per view
    transduction_ : array of shape (n,)

    References
    ----------
    Blum, Mitchell 1998, *Combining Labeled and Unlabeled Data with Co-Training*, Table 1 (30
    rounds, a pool of 75, 1 positive and 3 negative).

    Examples
    --------
    >>> from lapwing_papers.baselines import CoTrainingClassifier
    >>> from lapwing.datasets import make_multi_view
    >>> X, y, truth, views = make_multi_view(200, labels_per_class=4, random_state=0)
    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = CoTrainingClassifier(views, estimator=GaussianNB(), random_state=0).fit(X, y)
    >>> float((model.transduction_ == truth).mean()) > 0.8
    True
    """

    def __init__(
        self, views, *, estimator=None, n_rounds=30, pool=75, growth=None, random_state=None
    ):
        self.views = views
        self.estimator = estimator
        self.n_rounds = n_rounds
        self.pool = pool
        self.growth = growth
        self.random_state = random_state

    def fit(self, X, y):
        """Fit to all rows; −1, None or NaN in y marks unlabeled ones.

        Returns
        -------
        self
        """
        check_count("n_rounds", self.n_rounds)
        check_count("pool", self.pool)
        self._check_views(X.shape[1])
        y = np.array(as_labels(y))
        known = labeled_mask(y)
        self.classes_, counts = np.unique(y[known], return_counts=True)
        growth = self.growth or {
            c: max(1, round(k / counts.min()))
            for c, k in zip(self.classes_.tolist(), counts, strict=True)
        }
        draw = check_random_state(self.random_state)
        waiting = draw.permutation(np.flatnonzero(~known)).tolist()
        pool, waiting = waiting[: self.pool], waiting[self.pool :]
        for _ in range(self.n_rounds):
            self._fit_views(X, y, known)
            taken = self._surest(X, pool, growth)
            if not taken:
                break
            for row, c in taken.items():
                y[row], known[row] = c, True
            pool = [row for row in pool if row not in taken]
            refill = self.pool - len(pool)
            pool, waiting = pool + waiting[:refill], waiting[refill:]
        self._fit_views(X, y, known)
        self.transduction_ = self.predict(X)
        return self

    def _check_views(self, d: int) -> None:
        for columns in self.views:
            try:
                np.arange(d)[columns]
            except IndexError as error:
                raise ValueError(
                    f"The view {columns!r} selects no columns of an X with {d}: give slices or "
                    "column indices."
                ) from error

    def _fit_views(self, X, y, known) -> None:
        prototype = MultinomialNB() if self.estimator is None else self.estimator
        self.estimators_ = [
            clone(prototype).fit(X[known][:, columns], y[known]) for columns in self.views
        ]

    def _surest(self, X, pool: list[int], growth) -> dict:
        """row ↦ class, the first view's word counting where two disagree."""
        taken: dict = {}
        if not pool:
            return taken
        for model, columns in zip(self.estimators_, self.views, strict=True):
            chances = model.predict_proba(X[pool][:, columns])
            for k, c in enumerate(model.classes_.tolist()):
                for i in np.argsort(-chances[:, k], kind="stable")[: growth[c]]:
                    taken.setdefault(pool[i], c)
        return taken

    def predict_log_proba(self, X):
        """Σ over the views of log p(c | view), normalized, (m, q)."""
        total = sum(
            model.predict_log_proba(X[:, columns])
            for model, columns in zip(self.estimators_, self.views, strict=True)
        )
        return total - np.logaddexp.reduce(total, axis=1, keepdims=True)

    def predict_proba(self, X):
        """The views' probabilities multiplied and normalized, (m, q)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X):
        """The likeliest class."""
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]
