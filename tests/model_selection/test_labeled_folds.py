"""Folds of labeled rows only, in scikit-learn's searches."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lapwing import LapRLSClassifier, SSSLRegressor
from lapwing.model_selection import LabeledKFold, LabeledScorer, TransductiveSearchCV
from problems import BY_RULE

X = np.random.default_rng(0).normal(size=(20, 2))


def reals():
    y = np.full((20, 2), np.nan)
    y[3:12, 0] = np.arange(9.0)
    y[12, 1] = 1.0
    return y


CASES = [
    (np.where(np.arange(20) < 8, np.arange(20) % 2, -1), 8),
    (np.where(np.arange(20) < 8, 1.5, np.nan), 8),
    (np.array(["a"] * 6 + [None] * 14, dtype=object), 6),
    (reals(), 10),
]


@pytest.mark.parametrize("y, count", CASES)
@pytest.mark.parametrize("shuffle", [False, True])
def test_every_labeled_row_is_tested_once_and_the_others_never(y, count, shuffle):
    folds = list(LabeledKFold(3, shuffle=shuffle, random_state=0 if shuffle else None).split(X, y))
    tested = np.concatenate([test for _, test in folds])
    assert len(tested) == len(set(tested)) == count
    for train, test in folds:
        np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(20))
    assert len(folds) == LabeledKFold(3).get_n_splits() == 3


def test_in_scikit_learn():
    y = np.full((20, 2), np.nan)
    y[:12] = np.column_stack([X[:12, 0], X[:12, 1]])
    cv = LabeledKFold(4, random_state=0)
    scores = cross_val_score(SSSLRegressor(kernel="linear", n_components=2), X, y, cv=cv)
    np.testing.assert_allclose(scores, 1.0)
    labels = np.where(np.arange(20) < 12, X[:, 0] > 0, -1).astype(int)
    search = GridSearchCV(LapRLSClassifier(**BY_RULE), {"gamma_A": [1e-4, 1e-2]}, cv=cv).fit(
        X, labels
    )
    assert np.isfinite(search.best_score_)


@pytest.mark.parametrize(
    "y, message", [(None, "needs y"), (np.zeros(3), "rows"), (np.r_[1.0, [np.nan] * 19], "fewer")]
)
def test_errors(y, message):
    with pytest.raises(ValueError, match=message):
        list(LabeledKFold(3).split(X, y))


@pytest.mark.parametrize("shuffle", [False, True])
def test_classes_are_spread_evenly_over_the_folds(shuffle):
    y = np.array([0] * 10 + [1] * 6 + [2] * 4 + [-1] * 20)
    cv = LabeledKFold(2, shuffle=shuffle)
    counts = [np.bincount(y[test]) for _, test in cv.split(y, y)]
    np.testing.assert_array_equal(counts, [[5, 3, 2]] * 2)


def test_a_scorer_reads_the_marker_of_the_estimator():
    """With unlabeled=0, the classes −1 and 1 are scored and 0 is not."""
    rows = np.r_[np.random.default_rng(0).normal(size=(40, 2)), np.full((40, 2), 5.0)]
    rows[40:] += np.random.default_rng(1).normal(size=(40, 2))
    y = np.where(np.arange(80) % 4, 0, np.repeat([-1, 1], 40))
    model = LapRLSClassifier(**BY_RULE, unlabeled=0)
    for estimator in (model, make_pipeline(StandardScaler(), model)):
        assert LabeledScorer("accuracy")(estimator.fit(rows, y), rows, y) == 1.0
    search = TransductiveSearchCV(model, {"gamma_A": ["rule", "10*rule"]}, cv=3).fit(rows, y)
    assert search.best_score_ > 0.9
