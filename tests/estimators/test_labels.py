"""y as people write it: markers, strings, pandas, warnings where it can be read in two ways."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.exceptions import LabelWarning
from problems import BY_RULE

pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
N = 30
X = RNG.normal(size=(N, 2))
CODES = np.where(np.arange(N) < 12, np.arange(N) % 3, -1)
NAMES = np.array(["ant", "bee", "cat"])
REFERENCE = LapRLSClassifier(**BY_RULE).fit(X, CODES)


def named(marker):
    return np.array([NAMES[c] if c >= 0 else marker for c in CODES], dtype=object)


def floats():
    return np.where(CODES >= 0, CODES.astype(float), np.nan)


FORMS = {
    "integers": CODES,
    "list": CODES.tolist(),
    "int8": CODES.astype(np.int8),
    "objects": CODES.astype(object),
    "floats": floats(),
    "strings-none": named(None),
    "strings-nan": named(float("nan")),
    "strings-NA": named(pd.NA),
    "series-object": pd.Series(named(None)),
    "series-string": pd.Series(named(pd.NA), dtype="string"),
    "series-Int64": pd.Series([c if c >= 0 else pd.NA for c in CODES], dtype="Int64"),
    "series-float": pd.Series(floats()),
    "categorical": pd.Series(named(None), dtype="category"),
    "integers-none": np.array([c if c >= 0 else None for c in CODES], dtype=object),
    "odd-index": pd.Series(CODES, index=np.arange(N)[::-1] * 7),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_means_the_same(form):
    model = LapRLSClassifier(**BY_RULE).fit(X, FORMS[form])
    assert_array_equal(model.labeled_, CODES >= 0)
    assert_allclose(model.decision_function(X), REFERENCE.decision_function(X), atol=1e-9)
    assert len(model.classes_) == 3
    codes = np.searchsorted(model.classes_, model.predict(X))
    assert_array_equal(codes, REFERENCE.predict(X))


def test_predictions_are_of_the_kind_of_the_labels():
    assert LapRLSClassifier(**BY_RULE).fit(X, named(None)).predict(X).dtype.kind in "OU"
    assert LapRLSClassifier(**BY_RULE).fit(X, CODES).predict(X).dtype.kind == "i"
    booleans = np.array([None if c < 0 else bool(c % 2) for c in CODES], dtype=object)
    assert_array_equal(LapRLSClassifier(**BY_RULE).fit(X, booleans).classes_, [False, True])


def test_minus_one_and_one_alone_are_two_classes():
    y = np.where(X[:, 0] > 0, 1, -1)
    with pytest.warns(LabelWarning, match="None or NaN"):
        model = LapSVC(**BY_RULE).fit(X, y)
    assert_array_equal(model.classes_, [-1, 1])
    assert model.labeled_.all()
    assert 0.9 < model.score(X, y) <= 1.0


def test_minus_one_as_a_float_is_a_class():
    with pytest.warns(LabelWarning, match="-1.0"):
        model = LapRLSClassifier(**BY_RULE).fit(X, CODES.astype(float))
    assert_array_equal(model.classes_, [-1.0, 0.0, 1.0, 2.0])


def test_text_that_was_a_marker():
    with pytest.warns(LabelWarning, match="dtype=object"):
        LapRLSClassifier(**BY_RULE).fit(X, named(None).astype(str))


def test_minus_one_beside_missing_integers_is_a_class():
    y = np.where(np.arange(len(CODES)) < len(CODES) // 2, CODES, None).astype(object)
    with pytest.warns(LabelWarning, match="one of the two markers"):
        model = LapRLSClassifier(**BY_RULE).fit(X, y)
    assert -1 in model.classes_


def test_a_time_that_is_none_is_unlabeled():
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-03", "NaT"], dtype="datetime64[D]")
    model = LapRLSClassifier(**BY_RULE).fit(X, days[CODES])
    assert_array_equal(model.classes_, days[:3])
    assert_array_equal(model.predict(X), days[REFERENCE.predict(X)])


def test_masked_entries_are_unlabeled():
    masked = np.ma.masked_array(np.maximum(CODES, 0), mask=CODES < 0)
    model = LapRLSClassifier(**BY_RULE).fit(X, masked)
    assert_array_equal(model.labeled_, CODES >= 0)
    assert_array_equal(model.predict(X), REFERENCE.predict(X))
    for y in (masked.astype(float), masked):
        assert_array_equal(LapRLSRegressor(**BY_RULE).fit(X, y).labeled_, CODES >= 0)


def test_arrays_of_nullable_integers():
    y = pd.array(np.where(CODES >= 0, CODES, None), dtype="Int64")
    model = LapRLSClassifier(**BY_RULE).fit(X, y)
    assert_array_equal(model.predict(X), REFERENCE.predict(X))


def test_times_are_no_real_targets():
    with pytest.raises(ValueError, match="y holds times"):
        LapRLSRegressor(**BY_RULE).fit(X, np.full(len(X), np.datetime64("2020-01-01")))


@pytest.mark.parametrize(("y", "marker"), [(CODES, "-1"), (CODES.astype(str), -1)])
def test_a_marker_of_another_kind_is_refused(y, marker):
    with pytest.raises(ValueError, match="marks no row"):
        LapRLSClassifier(**BY_RULE, unlabeled=marker).fit(X, y)


def test_unambiguous_labels_do_not_warn(recwarn):
    for y in (CODES, floats(), named(None)):
        LapRLSClassifier(**BY_RULE).fit(X, y)
    assert not [w for w in recwarn if issubclass(w.category, LabelWarning)]


def test_two_classes_point_to_the_second():
    y = np.where(np.arange(N) < 20, np.where(X[:, 0] > 0, "up", "down"), None)
    f = LapRLSClassifier(**BY_RULE).fit(X, y).decision_function(X)
    assert f.shape == (N,)
    assert np.corrcoef(f, X[:, 0])[0, 1] > 0.3  # "up" is classes_[1]


def test_score_counts_labeled_rows_only():
    truth = REFERENCE.predict(X)
    marked = np.where(np.arange(N) % 2 == 0, truth, -1)
    assert REFERENCE.score(X, marked) == 1.0
    wrong = np.where(np.arange(N) % 4 == 0, (truth + 1) % 3, marked)
    assert_allclose(REFERENCE.score(X, wrong), 1 - (np.arange(N) % 4 == 0).sum() / 15)
    with pytest.raises(ValueError, match="score"):
        REFERENCE.score(X, np.full(N, -1))


@pytest.mark.parametrize("points", [sp.csr_matrix, sp.csr_array, sp.csc_array, pd.DataFrame])
def test_forms_of_points(points):
    model = LapRLSClassifier(**BY_RULE).fit(points(X), CODES)
    assert_allclose(model.decision_function(points(X)), REFERENCE.decision_function(X), atol=1e-7)


def test_real_targets():
    y = np.where(CODES >= 0, X[:, 0], np.nan)
    a = LapRLSRegressor(**BY_RULE).fit(X, y)
    for form in (
        pd.Series(y),
        pd.Series(y, dtype="Float64").mask(np.isnan(y)),
        np.array([None if np.isnan(v) else v for v in y], dtype=object),
        y.tolist(),
    ):
        b = LapRLSRegressor(**BY_RULE).fit(X, form)
        assert_allclose(b.predict(X), a.predict(X), atol=1e-12)
        assert b.predict(X).shape == (N,)
    column = LapRLSRegressor(**BY_RULE).fit(X, y[:, None])
    assert column.predict(X).shape == (N, 1)
    frame = LapRLSRegressor(**BY_RULE).fit(X, pd.DataFrame({"a": y, "b": -y}))
    assert_allclose(frame.predict(X), np.column_stack([a.predict(X), -a.predict(X)]), atol=1e-9)
