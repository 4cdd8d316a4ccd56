"""What can be misread in y is said once, with the reading taken and the way to the other one."""

import warnings

import numpy as np
import pytest

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
    ],
)
def test_a_class_that_looks_like_a_marker_is_named(y, hint):
    assert any(hint in text for text in said(y))


def test_rows_that_are_all_labeled_are_said_unless_asked_for():
    (text,) = said(TRUTH)
    assert "All 60 rows of y are labeled" in text
    assert said(X[:, 0], LapRLSRegressor) == [text]
    for asked in ({"gamma_I": 0.0}, {"regularizer": None}, {"unlabeled": None}):
        assert not said(TRUTH, **asked)


def test_a_marker_that_never_occurs_is_said():
    (text,) = said(TRUTH, unlabeled=99)
    assert "unlabeled=99 occurs nowhere" in text


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
