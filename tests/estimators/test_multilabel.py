"""How labels are written: indicators in two codings, missing entries, sets; probabilities."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification

from lapwing import LapRLSClassifier, LapSVC, VectorValuedClassifier
from lapwing.confidence import Columns, Isotonic, Sigmoid
from lapwing.outputs import OutputGraph

X, truth = make_multilabel_classification(120, n_features=6, n_classes=4, random_state=0)
X = X / X.std()
Y = truth.astype(float)
Y[50:] = np.nan
model = VectorValuedClassifier(output_kernel=OutputGraph(0.5, 2), gamma_A=1e-3)


def test_predictions_come_in_the_coding_of_y():
    zero_one = model.fit(X, Y).predict(X)
    assert set(np.unique(zero_one)) == {0, 1}
    readout = model.decision_function(X)
    np.testing.assert_array_equal(zero_one, readout > 0)
    signs = model.fit(X, 2 * Y - 1).predict(X)
    np.testing.assert_array_equal(signs, 2 * zero_one - 1)
    np.testing.assert_allclose(model.decision_function(X), readout)
    assert model.classes_.tolist() == [0, 1, 2, 3]


def test_label_sets_go_through_the_binarizer():
    names = np.array(["beach", "field", "sunset", "urban"])
    sets = [set(names[row == 1]) for row in truth[:50]] + [None] * 70
    model.fit(X, Y)
    readout, expected = model.decision_function(X), model.predict(X)
    model.fit(X, sets)
    np.testing.assert_allclose(model.decision_function(X), readout)
    assert model.classes_.tolist() == names.tolist()
    assert model.predict(X)[3] == tuple(names[expected[3] == 1])
    complete = [set(names[row == 1]) for row in truth]
    rows_right = np.mean([set(p) == c for p, c in zip(model.predict(X), complete, strict=True)])
    np.testing.assert_allclose(model.score(X, complete), rows_right)


def test_sparse_and_object_indicators():
    expected = model.fit(X, truth).decision_function(X)
    np.testing.assert_allclose(model.fit(X, sp.csr_matrix(truth)).decision_function(X), expected)
    entries = truth.astype(object)
    entries[60:, 1] = None
    floats = truth.astype(float)
    floats[60:, 1] = np.nan
    a = model.fit(X, entries).decision_function(X)
    np.testing.assert_allclose(a, model.fit(X, floats).decision_function(X))


def test_score_is_the_share_of_rows_with_every_label_right():
    model.fit(X, Y)
    right = (model.predict(X) == truth).all(axis=1)
    np.testing.assert_allclose(model.score(X, truth), right.mean())
    np.testing.assert_allclose(model.score(X, Y), right[:50].mean())
    with pytest.raises(ValueError, match="labeled"):
        model.score(X, np.full_like(Y, np.nan))


def test_one_dimensional_labels_are_classes():
    y = np.where(np.arange(120) < 50, truth[:, 0] + truth[:, 1], -1)
    a = VectorValuedClassifier().fit(X, y)
    b = LapRLSClassifier().fit(X, y)  # both choose, and choose the same
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-6)
    np.testing.assert_array_equal(a.predict(X), b.predict(X))


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (truth + 1, "0 and 1"),
        (np.where(truth > 0, 1, np.where(np.arange(120)[:, None] < 60, 0, -1)), "0 and 1"),
        (np.full_like(Y, np.nan), "No row of y is labeled"),
        (np.column_stack([truth[:, 0], np.full(120, np.nan)]), "no observed entry"),
        (np.zeros_like(truth), "Only one class"),
        ([None] * 119 + [set()], "holds a label"),
    ],
)
def test_bad_labels_are_named(labels, text):
    with pytest.raises(ValueError, match=text):
        model.fit(X, labels)


@pytest.mark.parametrize("method", [True, "sigmoid", "isotonic"])
def test_probabilities_are_calibrated(method):
    asked = VectorValuedClassifier(probability=method, gamma_A=1e-2).fit(X, Y)
    p = asked.predict_proba(X[50:])
    assert p.shape == (70, 4) and (p > 0).all() and (p < 1).all()
    constant = truth[:50].mean(axis=0)
    brier = np.mean((p - truth[50:]) ** 2)
    assert brier < np.mean((constant - truth[50:]) ** 2)
    # higher scores never get lower probabilities
    scores = asked.decision_function(X[50:])
    for j in range(4):
        assert (np.diff(p[np.argsort(scores[:, j]), j]) >= -1e-12).all()


def test_probabilities_can_be_declined():
    assert not hasattr(VectorValuedClassifier(probability=False), "predict_proba")
    with pytest.raises(ValueError, match="isotonic"):
        VectorValuedClassifier(probability="platt").fit(X, Y)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_of_classes_sum_to_one(n_classes):
    y = np.minimum(truth[:, 0] + truth[:, 1], n_classes - 1)
    p = VectorValuedClassifier(probability=True).fit(X, y).predict_proba(X)
    assert p.shape == (120, n_classes)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_sigmoid_recovers_a_logistic_model():
    rng = np.random.default_rng(0)
    score = rng.normal(2.0, 3.0, 20_000)
    positive = rng.random(20_000) < 1 / (1 + np.exp(-(0.8 * score - 1.0)))
    fitted = Sigmoid().fit(score, positive)
    np.testing.assert_allclose([fitted.a, fitted.c], [0.8, -1.0], atol=0.08)


@pytest.mark.parametrize("kind", [Sigmoid, Isotonic])
def test_calibration_of_degenerate_scores(kind):
    score = np.array([0.0, 1.0, 2.0, 3.0])
    never = kind().fit(score, np.zeros(4)).predict(score)
    assert (never > 0).all() and (never < 0.5).all()
    flat = kind().fit(np.ones(4), np.array([0, 1, 0, 1])).predict(np.ones(2))
    np.testing.assert_allclose(flat, 0.5)
    backwards = kind().fit(score, np.array([1, 1, 0, 0])).predict(score)
    np.testing.assert_allclose(backwards, 0.5, atol=1e-12)


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
def test_classifiers_of_one_label_point_to_the_one_of_several(Model):
    X, labels = np.random.default_rng(0).standard_normal((10, 2)), np.eye(10, 3)
    with pytest.raises(ValueError, match=r"shape \(10, 3\).*VectorValuedClassifier"):
        Model().fit(X, labels)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_probabilities_agree_with_what_is_predicted(method):
    """Positives all above 1: a fitted curve alone would be below ½ for scores between 0 and 1."""
    scores = np.linspace(-2.0, 2.0, 41)[:, None]
    P = Columns(method).fit(scores, np.where(scores > 1.0, 1.0, -1.0)).predict(scores)
    np.testing.assert_array_equal(P > 0.5, scores > 0)
    assert (np.diff(P[:, 0]) >= 0).all()
