"""Stratified and shuffled splits of labeled rows, markers, scorers, the transductive search."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.metrics import f1_score, r2_score
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    ParameterSampler,
    RandomizedSearchCV,
    cross_val_score,
)

from lapwing import (
    CoMRClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LSMRRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.datasets import make_two_moons
from lapwing.exceptions import LabelWarning
from lapwing.model_selection import (
    LabeledKFold,
    LabeledScorer,
    LabeledShuffleSplit,
    LabeledStratifiedKFold,
    TransductiveSearchCV,
)
from lapwing.model_selection.transductive import mask_labels

X, Y, TRUTH = make_two_moons(60, labels_per_class=6, random_state=0)
SPLITTERS = [LabeledStratifiedKFold(3), LabeledShuffleSplit(4, test_size=0.3)]
RNG = np.random.default_rng(0)


def classes(dtype):
    y = np.where(np.arange(60) < 21, np.arange(60) % 3, -1)
    if dtype is int:
        return y
    names = np.array(["a", "b", "c", None], dtype=object)
    return names[y]


@pytest.mark.parametrize("cv", SPLITTERS)
@pytest.mark.parametrize("dtype", [int, object])
def test_only_labeled_rows_are_tested_and_every_class_is_trained_on(cv, dtype):
    y = classes(dtype)
    for train, test in cv.split(X, y):
        np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(60))
        assert (test < 21).all()
        assert set(y[train][:60]) >= set(y[:21])


def test_stratified_folds_are_even_and_complete():
    y = classes(int)
    tests = [test for _, test in LabeledStratifiedKFold(7).split(X, y)]
    np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(21))
    for test in tests:
        assert np.bincount(y[test], minlength=3).tolist() == [1, 1, 1]


@pytest.mark.parametrize("cv", [LabeledKFold(3), *SPLITTERS])
def test_splits_repeat(cv):
    first, again = (list(cv.split(X, classes(int))) for _ in range(2))
    for (a, b), (c, d) in zip(first, again, strict=True):
        np.testing.assert_array_equal(a, c)
        np.testing.assert_array_equal(b, d)


def test_a_class_with_one_label_is_never_tested():
    y = np.full(20, -1)
    y[:7] = [0, 0, 0, 1, 1, 1, 2]
    for cv in (LabeledStratifiedKFold(3), LabeledShuffleSplit(20, test_size=0.5)):
        assert all(6 in train for train, _ in cv.split(y, y))


def test_the_share_tested_is_the_share_asked_for():
    y = np.repeat([0, 1], [70, 30])
    sizes = [len(test) for _, test in LabeledShuffleSplit(50, test_size=0.2).split(y, y)]
    assert set(sizes) == {20}


@pytest.mark.parametrize(
    "cv, y, message",
    [
        (LabeledStratifiedKFold(3), np.r_[[0, 1, 2], [-1] * 57], "two or more"),
        (LabeledShuffleSplit(3), np.r_[[0, 1, 2], [-1] * 57], "two labeled rows"),
        (LabeledShuffleSplit(3, test_size=1.5), classes(int), "between 0 and 1"),
        (LabeledShuffleSplit(0), classes(int), "n_splits=0"),
        (LabeledStratifiedKFold(3), None, "needs y"),
    ],
)
def test_errors_of_splitters(cv, y, message):
    with pytest.raises(ValueError, match=message):
        list(cv.split(X, y))


@pytest.mark.parametrize("cv", [LabeledKFold(3), *SPLITTERS])
def test_in_every_search(cv):
    grid = {"gamma_A": [1e-6, 1e-3]}
    model = LapRLSClassifier(unlabeled=-1)
    for search in (
        GridSearchCV(model, grid, cv=cv, scoring="f1_macro", error_score="raise"),
        RandomizedSearchCV(model, grid, n_iter=2, cv=cv, error_score="raise"),
        HalvingGridSearchCV(
            model.set_params(max_iter=None),
            {"gamma_A": [1e-6, 1e-3], "fit_intercept": [True, False]},
            resource="max_iter", max_resources=20, min_resources=10, cv=cv,
        ),
    ):  # fmt: skip
        search.fit(X, Y)
        assert 0.5 < search.best_score_ <= 1.0
    assert np.isfinite(cross_val_score(model, X, Y, cv=cv)).all()


def test_halving_over_rows_keeps_going_where_folds_hold_every_class():
    y = np.where(np.arange(60) < 40, TRUTH, -1)
    search = HalvingGridSearchCV(
        LapRLSClassifier(unlabeled=-1), {"gamma_A": [1e-6, 1e-3]}, cv=LabeledStratifiedKFold(3)
    ).fit(X, y)
    assert np.isfinite(search.best_score_)


def test_a_fold_cannot_turn_the_marker_into_a_class():
    y = np.where(np.arange(60) < 5, 1, -1)
    with pytest.raises(ValueError, match="Only one class"):
        LapRLSClassifier(unlabeled=-1).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LabelWarning)
        both = LapRLSClassifier(unlabeled=None).fit(X, y)
    np.testing.assert_array_equal(both.classes_, [-1, 1])
    assert both.labeled_.all()


@pytest.mark.parametrize("marker", ["?", -9, 0])
def test_any_marker(marker):
    labels = ["a", "b"] if marker == "?" else [3, 4]
    y = np.array([labels[t] if seen else marker for t, seen in zip(TRUTH, Y >= 0, strict=True)])
    model = LapRLSClassifier(unlabeled=marker).fit(X, y)
    reference = LapRLSClassifier().fit(X, Y)
    np.testing.assert_array_equal(model.labeled_, reference.labeled_)
    np.testing.assert_allclose(model.decision_function(X), reference.decision_function(X))
    assert model.score(X, y) == reference.score(X, Y)


def test_markers_of_numbers_labels_and_structures():
    target = np.where(Y >= 0, X[:, 0], -999.0)
    nan = np.where(Y >= 0, X[:, 0], np.nan)
    ours, theirs = LapRLSRegressor(unlabeled=-999.0).fit(X, target), LapRLSRegressor().fit(X, nan)
    np.testing.assert_array_equal(ours.transduction_, theirs.transduction_)
    assert ours.score(X, target) == theirs.score(X, nan)
    entries = np.column_stack([Y, np.where(Y >= 0, 1 - Y, -1)])
    labels = VectorValuedClassifier(unlabeled=-1).fit(X, entries)
    assert labels.labeled_.sum() == 12 and labels.score(X, entries) == 1.0
    structured = StructuredLapSVC(unlabeled=7).fit(X, np.where(Y >= 0, Y, 7))
    assert structured.labeled_.sum() == 12
    assert LSMRRegressor(unlabeled=-999.0).fit(X, target).labeled_.sum() == 12


def test_pandas_labels_and_frames():
    frame, y = pd.DataFrame(X, columns=["a", "b"]), pd.Series(Y, dtype="Int64")
    y[y == -1] = pd.NA
    for cv in SPLITTERS:
        assert (cross_val_score(LapRLSClassifier(), frame, y, cv=cv) > 0.5).all()


def test_score_counts_entries_where_targets_miss_one_by_one():
    target = np.column_stack([X[:, 0], X[:, 1], X[:, 0] - X[:, 1]])
    y = target.copy()
    y[np.arange(60), np.arange(60) % 3] = np.nan  # no row is complete
    model = VectorValuedRegressor().fit(X, y)
    f, seen = model.predict(X), ~np.isnan(y)
    by_hand = [r2_score(target[seen[:, j], j], f[seen[:, j], j]) for j in range(3)]
    assert model.score(X, y) == pytest.approx(np.mean(by_hand))
    with pytest.raises(ValueError, match="No entry of y"):
        model.score(X, np.full_like(y, np.nan))


def test_labels_missing_one_by_one_count_where_they_are():
    truth = np.column_stack([TRUTH, X[:, 0] > 0.5]).astype(float)
    y = truth.copy()
    y[np.arange(60), np.arange(60) % 2] = np.nan
    model = VectorValuedClassifier().fit(X, y)
    positive = model.predict(X)
    right = (positive == truth) | np.isnan(y)
    assert model.score(X, y) == pytest.approx(right.all(axis=1).mean())


def test_the_scorer_drops_unlabeled_rows_and_entries():
    model = LapRLSClassifier(gamma_A=10.0).fit(X, Y)
    seen = Y >= 0
    expected = f1_score(Y[seen], model.predict(X)[seen], average="macro")
    assert LabeledScorer("f1_macro")(model, X, Y) == pytest.approx(expected)
    target = np.column_stack([X[:, 0] ** 2, X[:, 1]])
    target[::2, 0] = np.nan
    target[::3, 1] = np.nan
    regressor = LapRLSRegressor().fit(X, target)
    f = regressor.predict(X)
    errors = [
        -np.mean((target[at, j] - f[at, j]) ** 2)
        for j, at in enumerate(~np.isnan(target).T)
    ]  # fmt: skip
    score = LabeledScorer("neg_mean_squared_error")(regressor, X, target)
    assert score == pytest.approx(np.mean(errors))
    with pytest.raises(ValueError, match="No row"):
        LabeledScorer("accuracy")(model, X, np.full(60, -1))


def test_transductive_scores_are_those_of_masked_fits():
    cv = LabeledStratifiedKFold(3)
    search = TransductiveSearchCV(LapRLSClassifier(), {"gamma_A": [1e-6, 1.0]}, cv=cv).fit(X, Y)
    for k, (_, test) in enumerate(cv.split(X, Y)):
        y = Y.astype(object)
        y[Y == -1] = None
        y[test] = None
        for i, gamma in enumerate((1e-6, 1.0)):
            model = LapRLSClassifier(gamma_A=gamma).fit(X, y)
            expected = np.mean(model.transduction_[test] == Y[test])
            assert search.cv_results_[f"split{k}_test_score"][i] == pytest.approx(expected)
    best = search.cv_results_["mean_test_score"].max()
    assert search.best_score_ == best and search.cv_results_["rank_test_score"].min() == 1
    np.testing.assert_array_equal(search.predict(X), search.best_estimator_.transduction_)
    assert search.score(X, Y) == search.best_estimator_.score(X, Y)


def test_transductive_comr_is_tuned_where_a_plain_search_cannot():
    grid = {"gamma_I": [1e-3, 10.0]}
    model = CoMRClassifier(a_I=0.5)
    search = TransductiveSearchCV(model, grid, cv=3).fit(X, Y)
    assert search.best_score_ > 0.8
    with pytest.warns(UserWarning):  # held-out rows are no training rows
        plain = GridSearchCV(model, grid, cv=LabeledStratifiedKFold(3)).fit(X, Y)
    assert np.isnan(plain.best_score_)


def test_transductive_search_over_targets_samplers_and_failures():
    target = np.column_stack([X[:, 0], X[:, 1]])
    target[20:] = np.nan
    target[0, 1] = np.nan
    draws = ParameterSampler({"gamma_A": [1e-6, 1e-3, 1.0]}, 2, random_state=0)
    search = TransductiveSearchCV(VectorValuedRegressor(), draws, cv=2, refit=False)
    search.fit(X, target)
    assert len(search.cv_results_["params"]) == 2 and search.best_score_ > 0
    with pytest.raises(ValueError, match="Every fit"), pytest.warns(FitFailedWarning):
        TransductiveSearchCV(LapRLSClassifier(), {"gamma_A": [-1.0]}, cv=2).fit(X, Y)
    with pytest.raises(ValueError, match="gamma_A"):
        TransductiveSearchCV(
            LapRLSClassifier(), {"gamma_A": [-1.0]}, cv=2, error_score="raise"
        ).fit(X, Y)
    with pytest.raises(ValueError, match="needs y"):
        search.fit(X, None)


def test_masked_labels_never_become_a_class():
    y = np.array([1, 1, 0, -1, -1])
    masked = mask_labels(y, np.array([2]))
    assert masked.tolist() == [1, 1, None, None, None]
    floats = mask_labels(np.array([1.0, 2.0, np.nan]), np.array([0]))
    np.testing.assert_array_equal(floats, [np.nan, 2.0, np.nan])
