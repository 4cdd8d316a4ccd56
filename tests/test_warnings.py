"""Warnings are given or kept without touching the filters of the process."""

import threading
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from lapwing import LapRLSClassifier
from lapwing.exceptions import GraphWarning, UnreachedWarning, unsaid, warn
from lapwing.graphs import KNN
from lapwing.model_selection import LabeledScorer, LabeledStratifiedKFold
from lapwing.regularizers import Laplacian
from lapwing_papers.baselines import LassoRegressor

X = np.random.default_rng(0).standard_normal((40, 3))
Y = np.where(np.arange(40) < 20, (X[:, 0] > 0).astype(int), -1)


@pytest.mark.parametrize(
    "fit",
    [
        lambda: LapRLSClassifier().fit(X, Y),
        lambda: LassoRegressor(max_iter=1, tol=1e-12).fit(X, X[:, 0]),
    ],
    ids=["selection", "baseline"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_fits_in_threads_leave_the_filters_alone(fit):
    before = [(action, category) for action, _, category, *_ in warnings.filters]
    threads = [threading.Thread(target=lambda: [fit() for _ in range(2)]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(action, category) for action, _, category, *_ in warnings.filters] == before


def test_what_is_said_later_is_unsaid_in_this_thread_alone():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with unsaid():
            warn("hubs", GraphWarning)
            heard = []
            other = threading.Thread(target=lambda: heard.append(_raises()))
            other.start()
            other.join()
        assert heard == [True]
        with pytest.raises(GraphWarning):
            warn("hubs", GraphWarning)


def _raises() -> bool:
    try:
        warn("hubs", GraphWarning)
    except GraphWarning:
        return True
    return False


GIVEN = {"kernel": "rbf", "gamma_A": "rule", "gamma_I": "rule"}


def test_a_grid_search_says_the_same_once():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(3 * c, 0.3, (30, 2)) for c in range(4)])
    y = np.full(120, -1)
    for c in range(2):  # two clusters have no label
        y[30 * c : 30 * c + 9] = c
    model = LapRLSClassifier(**GIVEN, regularizer=Laplacian(KNN(3)))
    grid = {"gamma_A": [1e-4, 1e-2], "regularizer__graph__n_neighbors": [2, 3, 4]}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        GridSearchCV(model, grid, cv=LabeledStratifiedKFold(3)).fit(X, y)
    kinds = [w.category for w in heard]
    # one of the folds, one of the fit that follows them
    assert UnreachedWarning in kinds and kinds.count(UnreachedWarning) <= 2
    assert {w.filename for w in heard if w.category is UnreachedWarning} == {__file__}


@pytest.mark.parametrize("scoring", ["accuracy", ["accuracy", "f1_macro"], None])
def test_scores_of_unlabeled_rows_are_said(scoring):
    model = LapRLSClassifier(**GIVEN, regularizer="laplacian")
    search = GridSearchCV(model, {"gamma_A": [1e-4, 1e-2]}, cv=3, scoring=scoring, refit=False)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        search.fit(X, Y)
    said = [str(w.message) for w in heard if "GridSearchCV scores" in str(w.message)]
    assert len(said) == (scoring is not None)
    assert all("LabeledStratifiedKFold" in text for text in said)


@pytest.mark.parametrize(
    "options",
    [{"cv": LabeledStratifiedKFold(3), "scoring": "accuracy"},
     {"cv": 3, "scoring": LabeledScorer("accuracy")}],
)  # fmt: skip
def test_scores_of_labeled_rows_say_nothing(options):
    model = LapRLSClassifier(**GIVEN, regularizer="laplacian")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        cross_val_score(model, X, Y, **options)
    assert not [w for w in heard if "scores" in str(w.message)]
