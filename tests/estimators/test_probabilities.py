"""Probabilities: the loss's own where it is logistic, calibrated ones elsewhere."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, softmax

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapSVC,
    ManifoldClassifier,
)
from lapwing.confidence import Temperature
from lapwing.datasets import load_digits, make_two_moons
from problems import BY_RULE

X, Y, TRUTH = make_two_moons(80, labels_per_class=4, random_state=0)
VIEWS = [("a", "rbf", [0]), ("b", "rbf", [1])]
LOGISTIC = [
    LapLogisticClassifier(**BY_RULE),
    ManifoldClassifier(**BY_RULE | {"loss": "logistic"}),
    CoRLSClassifier(VIEWS, loss="logistic"),
    CoMRClassifier(VIEWS, loss="logistic"),
]


@pytest.mark.parametrize("model", LOGISTIC, ids=lambda m: type(m).__name__)
def test_two_classes_are_the_sigmoid_of_the_decision(model):
    p = model.fit(X, Y).predict_proba(X)
    assert_allclose(p[:, 1], expit(model.decision_function(X)))
    assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))


def test_many_classes_sum_to_one():
    X, y, _ = load_digits(labels_per_class=2, random_state=0)
    p = LapLogisticClassifier(**BY_RULE).fit(X[:300], y[:300]).predict_proba(X[:5])
    assert_allclose(p.sum(axis=1), 1.0)
    assert (p >= 0).all()


OTHERS = [
    LapRLSClassifier(**BY_RULE),
    LapSVC(**BY_RULE),
    LapSVC(**BY_RULE | {"loss": "squared_hinge"}),
    ManifoldClassifier(**BY_RULE),
    CoRLSClassifier(VIEWS),
    CoMRClassifier(VIEWS, loss="hinge"),
]


@pytest.mark.parametrize("model", OTHERS, ids=repr)
def test_other_losses_are_calibrated_on_leave_one_out_scores(model):
    p = model.fit(X, Y).predict_proba(X)
    assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    scores = model.leave_one_out_[Y >= 0]
    t = Temperature().fit(scores, Y[Y >= 0])
    assert_allclose(p, t.predict(np.reshape(model.decision_function(X), (-1, 1))))
    again = pickle.loads(pickle.dumps(model)).predict_proba(X)
    assert_allclose(again, p)


def test_one_label_per_class_still_gives_probabilities():
    y = np.full(80, -1)
    y[np.flatnonzero(TRUTH == 0)[0]], y[np.flatnonzero(TRUTH == 1)[0]] = 0, 1
    p = LapRLSClassifier().fit(X, y).predict_proba(X)
    assert 0.5 < p.max() < 1.0


@pytest.mark.parametrize("q", [2, 4])
def test_the_temperature_is_the_most_likely_one(q):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(4000, q if q > 2 else 1))
    both = np.hstack([-scores, scores]) if q == 2 else scores
    p = softmax(1.7 * both, axis=1)
    codes = (p.cumsum(axis=1) < rng.random(4000)[:, None]).sum(axis=1)
    t = Temperature().fit(scores, codes)
    assert t.a == pytest.approx(1.7, rel=0.1)
    assert_allclose(t.predict(scores).sum(axis=1), 1.0)


def test_temperatures_of_degenerate_scores():
    assert Temperature().fit(np.zeros((4, 3)), np.array([0, 1, 2, 0])).a == 0.0
    separated = Temperature().fit(np.array([[-1.0], [-1.0], [1.0]]), np.array([0, 0, 1]))
    assert 0 < separated.a < 100
    wrong = Temperature().fit(np.array([[1.0], [1.0], [-1.0]]), np.array([0, 0, 1]))
    assert_allclose(wrong.predict(np.array([[3.0]])), [[0.5, 0.5]], atol=1e-3)
