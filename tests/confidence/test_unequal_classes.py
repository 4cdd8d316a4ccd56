"""Class weights, priors and masses."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax
from sklearn.metrics import recall_score

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapSVC,
    ManifoldClassifier,
    VectorValuedClassifier,
)
from lapwing.estimators.classes import STEEPNESS, class_shares, mass_offsets
from problems import BY_RULE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
TRUTH = (np.arange(300) < 15).astype(int)
X[:15] += 1.3
Y = np.full(300, -1)
Y[[0, 1]] = 1
Y[np.arange(20, 28)] = 0
RULE = {
    "kernel": "rbf",
    "regularizer": "laplacian",
    "gamma_A": "rule",
    "gamma_I": "rule",
    "fit_intercept": True,
}
MODELS = [LapRLSClassifier, LapSVC, LapLogisticClassifier, ManifoldClassifier]


@pytest.mark.parametrize("kind", MODELS)
def test_class_weights_are_sample_weights(kind):
    weight = np.where(Y == 1, 10 / 4, 10 / 16)
    ours = kind(class_weight="balanced", gamma_A=0.1).fit(X, Y)
    theirs = kind(gamma_A=0.1).fit(X, Y, sample_weight=weight)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
    given = kind(class_weight={1: 3.0}, gamma_A=0.1).fit(X, Y, sample_weight=np.full(300, 2.0))
    by_hand = kind(gamma_A=0.1).fit(X, Y, sample_weight=np.where(Y == 1, 3.0, 1.0))
    assert_allclose(given.decision_function(X), by_hand.decision_function(X), atol=1e-6)


def test_weights_find_rare_positives_where_the_loss_is_not_zero():
    plain = LapRLSClassifier(**BY_RULE | {"gamma_A": 0.3, "gamma_I": 0.0}).fit(X, Y)
    balanced = LapRLSClassifier(
        **BY_RULE | {"gamma_A": 0.3, "gamma_I": 0.0, "class_weight": "balanced"}
    ).fit(X, Y)
    hidden = Y < 0
    recall = [recall_score(TRUTH[hidden], m.predict(X)[hidden]) for m in (plain, balanced)]
    assert recall[1] > recall[0] + 0.2


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_as_many_rows_fall_to_a_class_as_its_prior_says(share):
    model = LapRLSClassifier(**RULE, class_prior={0: 1 - share, 1: share}).fit(X, Y)
    assert np.mean(model.transduction_) == pytest.approx(share, abs=0.04)
    np.testing.assert_array_equal(model.predict(X), model.transduction_)
    p = model.predict_proba(X)
    np.testing.assert_array_equal(p.argmax(axis=1), model.transduction_)


def test_a_known_prior_finds_more_of_the_positives():
    hidden = Y < 0
    plain = LapRLSClassifier(**BY_RULE).fit(X, Y).predict(X)[hidden]
    known = LapRLSClassifier(**BY_RULE, class_prior=[0.95, 0.05]).fit(X, Y).predict(X)[hidden]
    assert recall_score(TRUTH[hidden], known) >= recall_score(TRUTH[hidden], plain)


@pytest.mark.parametrize("q", [2, 5])
def test_offsets_are_a_fixed_point(q):
    scores = RNG.normal(size=(500, q if q > 2 else 1))
    prior = RNG.dirichlet(np.ones(q) * 3)
    shifted = scores + mass_offsets(scores, prior)
    both = np.hstack([-shifted, shifted]) if q == 2 else shifted
    before = np.hstack([-scores, scores]) if q == 2 else scores
    a = STEEPNESS / np.std(before - before.mean(axis=1, keepdims=True))
    assert_allclose(softmax(a * both, axis=1).mean(axis=0), prior, atol=1e-3)
    assert_allclose(mass_offsets(np.zeros((4, 3)), np.ones(3) / 3), 0.0)


def test_several_classes():
    y = np.array([0, 1, 2, -1])[np.minimum(np.arange(300) // 5, 3)]
    y[[20, 21]] = [0, 1]
    model = VectorValuedClassifier(class_prior="labeled").fit(X, y)
    assert model.transduction_.shape == (300,)
    assert_allclose(class_shares("labeled", model.classes_, y[y >= 0]), [6 / 17, 6 / 17, 5 / 17])


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"class_weight": "heavy"}, "class_weight"),
        ({"class_weight": {7: 1.0}}, "no labeled row"),
        ({"class_weight": {0: -1.0}}, "numbers >= 0"),
        ({"class_prior": [0.5, 0.6]}, "sum to 1"),
        ({"class_prior": [1.0]}, "positive share"),
        ({"class_prior": {0: 1.0}}, "positive share"),
        ({"class_prior": "equal"}, "class_prior"),
    ],
)
def test_errors(parameters, message):
    with pytest.raises(ValueError, match=message):
        LapRLSClassifier(**parameters).fit(X, Y)
    labels = np.column_stack([TRUTH, 1 - TRUTH]).astype(float)
    with pytest.raises(ValueError, match="exclude each other"):
        VectorValuedClassifier(class_weight="balanced").fit(X, labels)


@pytest.mark.parametrize("kind", [CoRLSClassifier, CoMRClassifier])
def test_views_take_weights_and_priors(kind):
    views = [("left", "rbf", [0, 1]), ("right", "rbf", [2, 3])]
    rule = {"gamma_A": 0.1, "gamma_C": "rule", "gamma_I": "rule", "fit_intercept": True}
    ours = kind(views, class_weight="balanced", **rule).fit(X, Y)
    theirs = kind(views, **rule).fit(X, Y, sample_weight=np.where(Y == 1, 10 / 4, 10 / 16))
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
    shared = kind(views, class_prior=[0.7, 0.3], **rule).fit(X, Y)
    assert abs(np.mean(shared.transduction_ == 1) - 0.3) < 0.03
    np.testing.assert_array_equal(shared.predict(X), shared.transduction_)
