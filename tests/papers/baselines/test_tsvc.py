"""The transductive model: exact steps, falling objective, honest limits."""

import numpy as np
import pytest
from scipy.optimize import minimize

from lapwing.datasets import make_gaussian_clusters
from lapwing.kernels import RBF
from lapwing_papers.baselines import TSVC
from lapwing_papers.baselines.annealing import TransductiveProblem, anneal
from lapwing_papers.baselines.tsvc import gram_features

rng = np.random.default_rng(0)
Z = rng.normal(size=(30, 3))
TARGET = np.zeros(30)
TARGET[:4] = [1, 1, -1, -1]
PROBLEM = TransductiveProblem(Z, TARGET, gamma_A=0.05, weight=0.7, share=0.5)


def naive(w, p):
    """J written out, row by row."""
    f = Z @ w[:3] + w[3]
    h = lambda m: max(0.0, 1.0 - m) ** 2  # noqa: E731
    labeled = sum(h(TARGET[i] * f[i]) for i in range(4)) / 4
    free = sum(q * h(v) + (1 - q) * h(-v) for q, v in zip(p, f[4:], strict=True)) / 26
    return 0.05 * w[:3] @ w[:3] + labeled + 0.7 * free


def test_the_objective_is_the_formula():
    w, p = rng.normal(size=4), rng.uniform(size=26)
    assert PROBLEM.value(w, p) == pytest.approx(naive(w, p))


def test_newton_finds_the_minimum_over_f():
    p = rng.uniform(size=26)
    w = PROBLEM.minimize_w(np.zeros(4), p)
    best = minimize(naive, np.zeros(4), args=(p,), method="BFGS", options={"gtol": 1e-9})
    assert PROBLEM.value(w, p) <= best.fun + 1e-8


@pytest.mark.parametrize("temperature", [2.0, 0.6])
def test_probabilities_are_balanced_and_optimal(temperature):
    f = rng.normal(size=30)
    p = PROBLEM.minimize_p(f, temperature)
    assert p.mean() == pytest.approx(0.5, abs=1e-9)
    # stationary: gain − T log(p/(1−p)) is the same multiplier everywhere
    up, down = PROBLEM.losses(f)
    multiplier = down - up - temperature * np.log(p / (1 - p))
    np.testing.assert_allclose(multiplier, multiplier[0], atol=1e-6)


def test_hard_labels_are_the_best_balanced_ones():
    f = rng.normal(size=30)
    p = PROBLEM.minimize_p(f, 0.0)
    assert p.sum() == 13 and set(p) == {0.0, 1.0}
    w = np.append(np.linalg.lstsq(Z, f, rcond=None)[0], 0.0)
    f = Z @ w[:3]
    best = PROBLEM.minimize_p(f, 0.0)
    for _ in range(50):
        other = rng.permutation(best)
        assert PROBLEM.value(w, best) <= PROBLEM.value(w, other) + 1e-12


def test_the_end_is_a_local_optimum():
    """No exchange of two unlabeled labels, with f fixed, lowers the objective."""
    w, p = anneal(PROBLEM, np.zeros(4), np.full(26, 0.5), np.geomspace(10, 1e-3, 13))
    here = PROBLEM.value(w, p)
    for i in np.flatnonzero(p == 1):
        for j in np.flatnonzero(p == 0):
            other = p.copy()
            other[i], other[j] = 0.0, 1.0
            assert PROBLEM.value(w, other) >= here - 1e-10


def test_unlabeled_rows_help_where_the_clusters_are_apart():
    better = []
    for seed in range(5):
        X, y, truth = make_gaussian_clusters(
            200, n_features=10, error=0.02, labels_per_class=2, random_state=seed
        )
        common = {"kernel": "linear", "n_restarts": 2, "random_state": 0}
        alone = TSVC(**common, unlabeled_weight=0.0).fit(X, y)
        both = TSVC(**common).fit(X, y)
        better.append((both.transduction_ == truth).mean() - (alone.transduction_ == truth).mean())
        assert len(both.objectives_) == 1 and len(both.objectives_[0]) == 2
    assert min(better) > 0 and np.mean(better) > 0.03


def test_new_rows_and_training_rows_agree():
    X, y, _ = make_gaussian_clusters(60, n_features=4, labels_per_class=3, random_state=0)
    model = TSVC(kernel=RBF(2.0), n_restarts=1).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), model.scores_, atol=1e-6)
    np.testing.assert_array_equal(model.predict(X), model.transduction_)


def test_several_classes_and_strings():
    centers = np.array([[0, 0], [6, 0], [0, 6]])
    truth = np.repeat(["a", "b", "c"], 20)
    X = centers[np.repeat(np.arange(3), 20)] + rng.normal(size=(60, 2))
    y = np.full(60, None, dtype=object)
    y[[0, 20, 40]] = ["a", "b", "c"]
    model = TSVC(kernel="linear", n_restarts=1).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "c"] and model.scores_.shape == (60, 3)
    assert (model.transduction_ == truth).mean() > 0.9


def test_features_span_the_gram_matrix():
    K = RBF(1.0)(rng.normal(size=(20, 2)))
    F, B = gram_features(K, None)
    np.testing.assert_allclose(F @ F.T, K, atol=1e-8)
    np.testing.assert_allclose(K @ B, F, atol=1e-6)
    assert gram_features(K, 5)[0].shape == (20, 5)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"gamma_A": 0}, "gamma_A"),
        ({"n_restarts": 0}, "n_restarts"),
        ({"positive_share": 1.5}, "positive_share"),
        ({"unlabeled_weight": -1}, "unlabeled_weight"),
    ],
)
def test_wrong_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        TSVC(**parameters).fit(Z, np.array([0, 1] + [-1] * 28))


def test_one_class_is_an_error():
    with pytest.raises(ValueError, match="two classes"):
        TSVC().fit(Z, np.array([1] + [-1] * 29))
