"""Probabilities wherever the loss is logistic, and nowhere else."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapSVC,
    ManifoldClassifier,
)
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


@pytest.mark.parametrize(
    "model", [LapRLSClassifier(**BY_RULE), LapSVC(**BY_RULE), ManifoldClassifier(**BY_RULE)]
)
def test_other_losses_have_none_and_say_so(model):
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'"):
        model.predict_proba(X)
