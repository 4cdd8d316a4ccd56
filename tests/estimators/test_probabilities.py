"""Probabilities are calibrated on left-out labels, whatever the loss."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, softmax
from sklearn.datasets import make_blobs, make_classification

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapSVC,
    ManifoldClassifier,
)
from lapwing.confidence import Diagnostics, Temperature, typical_gap
from lapwing.confidence.calibration import CENTER
from lapwing.confidence.scores import EXACT
from lapwing.datasets import keep_labels, load_digits, make_two_moons
from lapwing.spaces import choose
from lapwing.targets import best_class
from problems import BY_RULE, VIEWS_BY_RULE

X, Y, TRUTH = make_two_moons(80, labels_per_class=4, random_state=0)
VIEWS = [("a", "rbf", [0]), ("b", "rbf", [1])]


def test_logistic_probabilities_are_not_those_of_a_penalized_model():
    """The penalty draws σ(f) towards one half, however easy the classes are."""
    points, truth = make_blobs(300, 4, centers=2, cluster_std=3.0, random_state=1)
    y = np.where(np.arange(300) < 40, truth, -1)
    model = LapLogisticClassifier(kernel="rbf", gamma_A=1e-2, gamma_I=0.0).fit(points, y)
    right = model.score(points[40:], truth[40:])
    own = expit(np.abs(model.decision_function(points[40:]))).mean()
    assert own < right - 0.1
    assert abs(model.predict_proba(points[40:]).max(axis=1).mean() - right) < 0.05


def test_many_classes_sum_to_one():
    X, y, _ = load_digits(labels_per_class=2, random_state=0)
    p = LapLogisticClassifier(**BY_RULE).fit(X[:300], y[:300]).predict_proba(X[:5])
    assert_allclose(p.sum(axis=1), 1.0)
    assert (p >= 0).all()


MODELS = [
    LapRLSClassifier(**BY_RULE),
    LapLogisticClassifier(**BY_RULE),
    ManifoldClassifier(**BY_RULE | {"loss": "logistic"}),
    CoRLSClassifier(VIEWS, loss="logistic", **VIEWS_BY_RULE),
    LapSVC(**BY_RULE),
    LapSVC(**BY_RULE | {"loss": "squared_hinge"}),
    ManifoldClassifier(**BY_RULE),
    CoRLSClassifier(VIEWS, **VIEWS_BY_RULE),
    CoMRClassifier(VIEWS, loss="hinge", **VIEWS_BY_RULE),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_all_losses_are_calibrated_on_leave_one_out_scores(model):
    p = model.fit(X, Y).predict_proba(X)
    assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    scores = model.leave_one_out_[Y >= 0]
    hidden = np.reshape(model.decision_function(X[Y < 0]), (-1, 1))
    t = Temperature(typical_gap(hidden), 1 / 4).fit(
        scores, Y[Y >= 0], 1 - 1 / 4
    )  # of 4 in each class
    assert_allclose(p, t.predict(np.reshape(model.decision_function(X), (-1, 1))), atol=1e-4)
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
    assert Temperature(0.0).fit(np.zeros((4, 3)), np.array([0, 1, 2, 0])).a == 0.0
    separated = Temperature().fit(np.array([[-1.0], [-1.0], [1.0]]), np.array([0, 0, 1]))
    assert 0 < separated.a < 100
    scores, codes = np.array([[1.0], [1.0], [-1.0]]), np.array([0, 0, 1])
    wrong = Temperature(2.0).fit(np.tile(scores, (30, 1)), np.tile(codes, 30))
    assert_allclose(wrong.predict(np.array([[3.0]])), [[0.5, 0.5]], atol=0.1)


def test_the_prior_of_the_temperature_needs_no_switch():
    """Label by label the answer moves from the prior to what the labels tell."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2000, 3))
    p = softmax(0.8 * scores, axis=1)
    codes = (p.cumsum(axis=1) < rng.random(2000)[:, None]).sum(axis=1)
    gap = typical_gap(scores)
    fits = [Temperature(gap).fit(scores[:l], codes[:l]).a for l in (0, 1, 2, 4, 8, 2000)]
    assert fits[0] == pytest.approx(np.exp(CENTER) / gap, rel=1e-3)
    one_label = Temperature(gap, few=1.0).fit(scores[:0], codes[:0])
    assert one_label.a == pytest.approx(0.5 * fits[0], rel=1e-3)
    assert np.abs(np.diff(np.log(fits[:-1]))).max() < 1.5
    assert fits[-1] == pytest.approx(0.8, rel=0.1)
    # scores in other units are the same answer
    t = Temperature(1e3 * gap).fit(1e3 * scores[:8], codes[:8])
    assert t.a == pytest.approx(fits[4] / 1e3, rel=1e-3)


def test_one_label_far_from_all_others_does_not_decide():
    """Eleven labels are right by half a typical gap, one is wrong by ten of them."""
    scores = np.r_[np.full(11, 0.25), -5.0][:, None]
    codes = np.ones(12, dtype=int)
    sure = Temperature(1.0).fit(scores, codes).a
    near = Temperature(1.0).fit(np.r_[scores[:-1], [[-1.5]]], codes).a
    assert sure == pytest.approx(near)  # three gaps: as if it were no farther
    assert sure > 1.0  # 0.1 if it counted in full


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
@pytest.mark.parametrize("per_class", [1, 2, 3, 5])
def test_few_labels_are_neither_flat_nor_certain(Model, per_class):
    apart = []
    for seed in range(8):
        points, truth = make_blobs(300, centers=3, cluster_std=1.5, random_state=seed)
        y = keep_labels(truth, per_class, np.random.RandomState(seed))
        model = Model().fit(points, y)
        p = model.predict_proba(points[y < 0])
        apart.append(p.max(axis=1).mean() - (model.transduction_ == truth)[y < 0].mean())
    assert abs(np.mean(apart)) < 0.1


def test_graph_and_new_rows_have_their_own_temperatures(monkeypatch):
    """The hundreds of rows of the test are many for a limit of 200."""
    monkeypatch.setattr(choose, "EXACT_UP_TO", 200)
    apart = {"unlabeled": [], "unseen": []}
    for seed in range(4):
        points, truth = make_classification(
            900, 10, n_informative=5, n_classes=3, n_clusters_per_class=1, class_sep=0.8,
            random_state=seed,
        )  # fmt: skip
        y = np.where(np.arange(600) < 60, truth[:600], -1)
        given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_I": "10*rule"}
        model = LapRLSClassifier(**given).fit(points[:600], y)
        assert model.extension_ is not None
        np.testing.assert_array_equal(model.predict(points[:600]), model.transduction_)
        for name, at in (("unlabeled", slice(60, 600)), ("unseen", slice(600, 900))):
            p = model.predict_proba(points[at])
            right = model.predict(points[at]) == truth[at]
            apart[name].append(p.max(axis=1).mean() - right.mean())
    assert max(abs(np.mean(gaps)) for gaps in apart.values()) < 0.06


def test_new_rows_are_answered_as_surely_as_the_graph_answers():
    """A function that differs from the graph where both are unsure is not less often right."""
    draw = np.random.default_rng(0)
    graph = draw.standard_normal((300, 3))
    learned = 0.5 * (graph + 0.5 * draw.standard_normal((300, 3)))
    found = Diagnostics(None, learned=(learned, graph))
    told = found.new_temperature(lambda s: softmax(3.0 * s, axis=1))
    sure = softmax(3.0 * graph, axis=1).max(axis=1).mean()
    assert_allclose(told.predict(learned).max(axis=1).mean(), sure, rtol=1e-6)
    flat = Diagnostics(None, learned=(np.zeros((9, 3)), graph[:9]))
    assert_allclose(flat.new_temperature(softmax).a, 0.0)


@pytest.mark.parametrize("model", [LapRLSClassifier(**BY_RULE), LapSVC(**BY_RULE)])
def test_new_rows_of_an_exact_fit_have_a_temperature_of_their_own(model):
    """Scores fall between the rows: as sure of left-out rows as the fit is, by K⁻¹."""
    model.fit(X, Y)
    b = np.reshape(model.intercept_, (1, -1))
    f, K = model.decision_function(X)[:, None], np.array(model.objective_.space.gram)
    inverse = np.linalg.inv(K + EXACT * np.eye(len(K)))
    held = f - inverse @ (f - b) / np.diagonal(inverse)[:, None]
    told = model.diagnostics()
    at = Y < 0
    known = told.temperature.predict(f)
    sure = known[at][np.arange(at.sum()), best_class(held[at])].mean()  # of what is answered there
    expected = Temperature(typical_gap(held[at])).as_sure(held[at], sure)
    new = X[:20] + 0.05
    scores = model.decision_function(new)[:, None]
    assert_allclose(model.predict_proba(new), expected.predict(scores), atol=1e-6)
    assert_allclose(model.predict_proba(X), known)
    both = model.predict_proba(np.vstack([X[:5], new]))
    assert_allclose(both, np.vstack([known[:5], expected.predict(scores)]), atol=1e-6)
    assert_allclose(pickle.loads(pickle.dumps(model)).predict_proba(new), both[5:])
    assert model.extension_error_ == 0.0


def test_a_gram_matrix_and_labels_everywhere_have_one_temperature():
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    model = LapRLSClassifier(**BY_RULE | {"kernel": "precomputed"}).fit(K, Y)
    whole = LapRLSClassifier(**BY_RULE).fit(X, TRUTH)
    for fit, rows in ((model, 0.9 * K[:9]), (whole, X[:9] + 0.05)):
        told = fit.diagnostics().temperature
        expected = told.predict(fit.decision_function(rows)[:, None])
        assert_allclose(fit.predict_proba(rows), expected)


def test_one_label_of_each_class_is_not_sure():
    """No label can be left out, so the prior alone decides: half as steep as with many labels."""
    gaps = []
    for seed in range(12):
        spread = 1.0 + seed % 3
        points, truth = make_blobs(200, centers=3, cluster_std=spread, random_state=seed)
        y = np.full(200, -1)
        for c in range(3):
            y[np.flatnonzero(truth == c)[0]] = c
        model = LapRLSClassifier().fit(points, y)
        p = model.predict_proba(points[y < 0])
        gaps.append(p.max(axis=1).mean() - model.score(points[y < 0], truth[y < 0]))
    assert -0.08 < np.mean(gaps) < 0.08  # 0.12 with the prior of many labels
