"""Which label to ask for next, and which to doubt."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax
from sklearn.datasets import load_breast_cancer

from lapwing import (
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldClassifier,
    VectorValuedClassifier,
)
from lapwing.confidence import ActiveLearning, Posterior, in_folds, typical_gap, unseen_scores
from lapwing.confidence.queries import expected_error
from lapwing.confidence.suspicion import wrong_labels
from lapwing.datasets import load_digits, make_two_moons
from lapwing.kernels import RBF
from lapwing.selection import held_out
from lapwing.solvers import choose_solver
from problems import Problem

X, Y, TRUTH = make_two_moons(120, labels_per_class=5, random_state=0)


@pytest.mark.parametrize("intercept", [False, True])
def test_the_covariance_after_a_label_is_that_of_more_labels(intercept):
    """Rank-one updates against the covariance with the row among the labeled ones."""
    p = Problem(1)
    model = LapRLSRegressor(gamma_A=0.01, gamma_I=1.0, fit_intercept=intercept)
    model.fit(p.X, p.target)
    queries = ActiveLearning(model.objective_)
    before = queries.S.copy()
    row = queries.rows[3]
    step = queries.step(3)
    queries.take(3)
    o = model.objective_
    weights = np.zeros((p.n, 1))
    weights[o.rows] = o.w
    weights[row] = 1.0 / queries.noise
    more = o.relabeled(np.nan_to_num(p.target)[:, None], weights)
    posterior = Posterior(more)
    expected = posterior.variance(p.X[queries.rows])[:, 0] / posterior.tau2
    assert_allclose(np.diagonal(queries.S), expected, rtol=1e-5, atol=1e-8)
    assert_allclose(step, before[:, 3] / (before[3, 3] + queries.noise))


def test_the_first_choice_by_variance_is_the_best_of_all():
    p = Problem(1)
    model = LapRLSRegressor(gamma_A=0.01, gamma_I=1.0).fit(p.X, p.target)
    queries = ActiveLearning(model.objective_)
    totals = []
    for i in range(len(queries.rows)):
        tried = ActiveLearning(model.objective_)
        tried.take(i)
        totals.append(np.trace(tried.S))
    chosen = model.next_to_label(1)
    assert chosen.tolist() == [queries.rows[int(np.argmin(totals))]]


def test_a_label_moves_the_scores_as_a_refit_with_its_weight_does():
    p = Problem(4)
    model = LapRLSClassifier(gamma_A=0.01, gamma_I=1.0).fit(p.X, p.y)
    o, queries = model.objective_, ActiveLearning(model.objective_)
    i, target = 2, 1.0
    f = o.space.element(model.solution_.coef).readout[queries.rows, 0]
    weights, targets = np.zeros((p.n, 1)), np.zeros((p.n, 1))
    weights[o.rows], targets[o.rows] = o.w, o.y
    weights[queries.rows[i]], targets[queries.rows[i]] = 1.0 / queries.noise, target
    more = o.relabeled(targets, weights)
    coef = choose_solver("auto", more).solve(more).coef
    refit = more.space.element(coef).readout[queries.rows, 0]
    assert_allclose(f + queries.step(i) * (target - f[i]), refit, atol=1e-6)


@pytest.mark.parametrize("criterion", ["error", "variance"])
@pytest.mark.parametrize("model", [LapRLSClassifier(), LapSVC(), ManifoldClassifier()], ids=repr)
def test_rows_asked_for_are_unlabeled_and_different(model, criterion):
    rows = model.fit(X, Y).next_to_label(6, criterion=criterion)
    assert len(set(rows.tolist())) == 6 and (Y[rows] == -1).all()
    np.testing.assert_array_equal(rows, model.next_to_label(6, criterion=criterion))


def test_the_unlabeled_cluster_is_asked_for_first():
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(c, 0.3, size=(40, 2)) for c in (0.0, 4.0, 8.0)])
    y = np.full(120, -1)
    y[0], y[40] = 0, 1
    with pytest.warns(UserWarning):  # no label reaches the third cluster
        model = LapRLSClassifier(kernel=RBF(1.0)).fit(points, y)
    assert model.next_to_label(1, criterion="variance")[0] >= 80


def test_more_rows_than_there_are_and_bad_requests():
    few = np.where(np.arange(120) < 117, TRUTH, -1)
    model = LapRLSClassifier().fit(X, few)
    assert sorted(model.next_to_label(50)) == [117, 118, 119]
    with pytest.raises(ValueError, match="positive integer"):
        model.next_to_label(0)
    with pytest.raises(ValueError, match="criterion"):
        model.next_to_label(1, criterion="entropy")
    with pytest.raises(ValueError, match="none left"):
        LapRLSClassifier().fit(X, TRUTH).next_to_label(1)


def test_expected_error_prefers_what_changes_the_answer():
    """One row that says nothing of the others and one that says all: the second is chosen."""

    class Given:
        rows = np.arange(4)
        open = np.ones(4, dtype=bool)
        costs = np.ones(4)
        S = np.array([[9.0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 1.1, 1], [0, 1, 1, 1.1]])
        noise = 0.01

        def gain(self):
            return np.where(self.open, np.ones(4), -np.inf)

        def step(self, i):
            return self.S[:, i] / (self.S[i, i] + self.noise)

        def take(self, i):
            self.open[i] = False

    def sigmoid(f):
        p = 1 / (1 + np.exp(-3 * f[:, 0]))
        return np.column_stack([1 - p, p])

    chosen = expected_error(Given(), np.zeros((4, 1)), np.array([[-1.0], [1.0]]), sigmoid, 1)
    assert chosen[0] in (1, 2, 3)


def test_flipped_labels_are_found():
    points, y, truth = load_digits(labels_per_class=8, random_state=0)
    points, y, truth = points[:600], y[:600].copy(), truth[:600]
    labeled = np.flatnonzero(y >= 0)
    flipped = np.random.default_rng(0).permutation(labeled)[:3]
    y[flipped] = (truth[flipped] + 5) % 10
    model = LapRLSClassifier().fit(points, y)
    found, suspicion = model.suspicious_labels_, model.label_suspicion_
    assert set(flipped) <= set(np.argsort(-np.nan_to_num(suspicion))[:6])
    assert flipped[np.argmax(suspicion[flipped])] == found[0]
    scores = model.leave_one_out_
    assert np.isnan(scores[y < 0]).all()
    assert (model.classes_[scores[found].argmax(axis=1)] != y[found]).all()
    assert np.isnan(suspicion[y < 0]).all()
    assert set(found) == set(labeled[suspicion[labeled] > 0.5])
    assert (np.diff(suspicion[found]) <= 0).all()


@pytest.mark.parametrize(("flips", "least", "most"), [(0, 0, 3), (20, 15, 24)])
def test_about_as_many_labels_are_listed_as_are_wrong(flips, least, most):
    points, truth = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(1)
    labeled = rng.permutation(len(truth))[:200]
    y = np.full(len(truth), -1)
    y[labeled] = truth[labeled]
    y[labeled[:flips]] = 1 - truth[labeled[:flips]]
    found = LapRLSClassifier().fit(points, y).suspicious_labels_
    assert least <= len(found) <= most
    assert np.isin(found, labeled[:flips]).sum() >= 0.75 * flips


def test_wrong_and_right_labels_are_told_as_often_as_they_are_there():
    """Labels drawn from the model itself: the probabilities add up to the number of wrong ones."""
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((3000, 3))
    p = softmax(4.0 * scores, axis=1)
    codes = (p.cumsum(axis=1) < rng.random(3000)[:, None]).sum(axis=1)
    wrong = rng.random(3000) < 0.1
    codes[wrong] = (codes[wrong] + rng.integers(1, 3, wrong.sum())) % 3
    found = wrong_labels(scores, codes, typical_gap(scores))
    assert found.sum() == pytest.approx(wrong.sum(), rel=0.2)
    for low, high in ((0.0, 0.2), (0.2, 0.8), (0.8, 1.0)):
        at = (found >= low) & (found <= high)
        assert found[at].mean() == pytest.approx(wrong[at].mean(), abs=0.06)


@pytest.mark.parametrize("model", [LapRLSClassifier(), LapSVC()])
def test_two_classes_and_any_loss(model):
    y = Y.copy()
    wrong = np.flatnonzero(Y == 0)[0]
    y[wrong] = 1
    assert wrong in model.fit(X, y).suspicious_labels_[:2]


def test_a_wrong_measurement_is_found():
    points = np.linspace(0, 6, 80)[:, None]
    y = np.where(np.arange(80) % 2 == 0, np.sin(points[:, 0]), np.nan)
    y += 0.05 * np.random.default_rng(0).normal(size=80)
    y[40] += 3.0
    assert LapRLSRegressor(gamma_A=1e-3).fit(points, y).suspicious_labels_[0] == 40


def test_labels_that_do_not_exclude_each_other():
    truth = np.column_stack([TRUTH, X[:, 0] > 0.5]).astype(float)
    y = truth.copy()
    y[40:] = np.nan
    y[3, 0] = 1 - y[3, 0]
    model = VectorValuedClassifier().fit(X, y)
    assert 3 in model.suspicious_labels_
    assert (model.next_to_label(3) >= 40).all()


def test_folds_agree_with_leave_one_out_where_they_are_single_rows():
    model = LapSVC(loss="squared_hinge", gamma_A=1e-3).fit(X, Y)
    o = model.objective_
    assert_allclose(in_folds(o, np.arange(len(o.rows))[:, None]), unseen_scores(o), atol=1e-5)
    squares = LapRLSClassifier(gamma_A=1e-3).fit(X, Y).objective_
    assert_allclose(in_folds(squares, np.arange(10)[:, None]), held_out(squares), atol=1e-6)


def test_one_factor_serves_queries_of_many_rows(monkeypatch):
    """Beyond EVERY rows a factor is kept with the problem; what is asked for stays the same."""
    X = np.linspace(0, 6, 120)[:, None]
    y = np.where(np.arange(120) % 12 == 0, np.sin(X[:, 0]), np.nan)
    model = LapRLSRegressor(kernel="rbf", gamma_A=1e-3, gamma_I=0.1).fit(X, y)
    few = model.next_to_label(2)
    monkeypatch.setattr("lapwing.confidence.queries.EVERY", 50)
    again = LapRLSRegressor(kernel="rbf", gamma_A=1e-3, gamma_I=0.1).fit(X, y)
    assert set(again.next_to_label(2)) <= set(np.flatnonzero(np.isnan(y))) and len(few) == 2
    np.testing.assert_allclose(again.predict(X), model.predict(X), atol=1e-9)
