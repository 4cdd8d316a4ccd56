"""What can be misread in y is said once, with the reading taken and the way to the other one."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.exceptions import LabelWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
TRUTH = (X[:, 0] > 0).astype(int)
GIVEN = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": 0.1, "gamma_I": 0.1}
FEW = np.arange(60) < 8


def said(y, cls=LapRLSClassifier, **parameters) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cls(**GIVEN | {"fit_intercept": False} | parameters).fit(X, y)
    found = [w for w in caught if w.category is LabelWarning]
    assert all(w.filename == __file__ for w in found), "the warning shows the user's own line"
    return [str(w.message) for w in found]


def test_zero_for_unlabeled_is_said_and_can_be_asked_for():
    y = np.where(FEW, np.where(TRUTH == 1, 1, -1), 0)
    (text,) = said(y)
    assert "0 and 1 as classes" in text and "pass unlabeled=0" in text
    assert not said(y, unlabeled=0)
    model = LapRLSClassifier(**GIVEN, unlabeled=0).fit(X, y)
    assert model.classes_.tolist() == [-1, 1] and model.labeled_.sum() == FEW.sum()


def test_the_usual_coding_says_nothing():
    assert not said(np.where(FEW, TRUTH, -1))
    assert not said(np.where(FEW, TRUTH.astype(float), np.nan))
    assert not said(np.where(FEW, np.where(TRUTH == 1, "yes", "no"), None))


@pytest.mark.parametrize(
    ("y", "hint"),
    [
        (np.where(FEW, np.where(TRUTH == 1, "a", "b"), "unknown"), "unlabeled='unknown'"),
        (np.where(FEW, TRUTH + 1, 0), "unlabeled=0"),
        (np.where(FEW, TRUTH, 99), "unlabeled=99"),
        (np.where(FEW, TRUTH, -1).astype(np.uint8), "unlabeled=255"),
    ],
)
def test_a_class_that_looks_like_a_marker_is_named(y, hint):
    assert any(hint in text for text in said(y))


def test_rows_that_are_all_labeled_are_said_unless_asked_for():
    (text,) = said(TRUTH)
    assert "All 60 rows of y are labeled" in text
    (real,) = said(X[:, 0], LapRLSRegressor)
    assert "All 60 rows" in real and "with NaN, or" in real and "integers" not in real
    for asked in ({"gamma_I": 0.0}, {"regularizer": None}, {"unlabeled": None}):
        assert not said(TRUTH, **asked)


def test_a_marker_that_never_occurs_is_said():
    (text,) = said(TRUTH, unlabeled=99)
    assert "unlabeled=99 occurs nowhere" in text


@pytest.mark.parametrize("marker", [-1, 0, -9999])
def test_a_value_of_most_real_targets_that_looks_like_a_marker_is_named(marker):
    y = np.where(FEW, X[:, 0], marker)
    assert any(f"unlabeled={marker}, or write NaN" in text for text in said(y, LapRLSRegressor))
    assert not said(y, LapRLSRegressor, unlabeled=marker)
    assert not said(np.where(FEW, X[:, 0], np.nan), LapRLSRegressor)


def test_a_marker_that_no_real_target_holds_is_said():
    text = said(X[:, 0], LapRLSRegressor, unlabeled=99)[0]
    assert "unlabeled=99 occurs nowhere" in text


def test_names_for_a_regressor_are_one_clear_error():
    with pytest.raises(ValueError, match="must hold numbers for a regressor"):
        LapRLSRegressor(**GIVEN).fit(X, np.where(FEW, "warm", None))


def test_one_class_is_shown_as_it_was_typed():
    with pytest.raises(ValueError, match="Only one class is labeled: 3\\."):
        LapRLSClassifier(**GIVEN).fit(X, np.where(FEW, 3, -1))


def test_a_column_vector_is_said_at_the_users_line():
    with pytest.warns(DataConversionWarning, match="column-vector") as caught:
        LapRLSClassifier(**GIVEN).fit(X, np.where(FEW, TRUTH, -1)[:, None])
    assert caught[0].filename == __file__


def test_a_marker_that_never_occurs_beside_missing_entries_is_said():
    y = np.where(FEW, np.where(TRUTH == 1, "a", "b"), None)
    (text,) = said(y, unlabeled="none")
    assert "occurs nowhere in y: only missing entries count" in text
    assert not said(np.where(FEW, y, "none"), unlabeled="none")


def test_minus_one_beside_strings_is_one_clear_error():
    y = np.array(["a", "b"] * 4 + [-1] * 52, dtype=object)
    y[8:] = [-1] * 52
    with (
        warnings.catch_warnings(),
        pytest.raises(ValueError, match="pass unlabeled=-1, or write None"),
    ):
        warnings.simplefilter("error")
        LapRLSClassifier(**GIVEN).fit(X, y)
    assert not said(y, unlabeled=-1)


def test_without_a_regularizer_the_fit_is_supervised():
    y = np.where(FEW, TRUTH, -1)
    none = LapRLSClassifier(**GIVEN | {"regularizer": None}).fit(X, y)
    zero = LapRLSClassifier(**GIVEN | {"gamma_I": 0.0}).fit(X, y)
    assert none.gamma_I_ == 0
    np.testing.assert_allclose(none.decision_function(X), zero.decision_function(X), atol=1e-10)
    assert LapRLSClassifier(regularizer=None).fit(X, y).gamma_I_ == 0
