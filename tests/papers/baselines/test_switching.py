"""TSVC(method="switching") against brute force over all balanced labelings of tiny data."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.svm import SVC

from lapwing.datasets import make_gaussian_clusters
from lapwing.kernels import RBF, Linear
from lapwing_papers.baselines import TSVC
from lapwing_papers.baselines.switching import SwitchingProblem, switch


def tiny(seed, u=8, gap=2.0):
    rng = np.random.default_rng(seed)
    truth = np.tile([1.0, -1.0], (u + 4) // 2)
    X = rng.standard_normal((u + 4, 2)) + gap * truth[:, None]
    target = np.where(np.arange(u + 4) < 4, truth, 0.0)
    return X, target, truth


def best_of_all(problem):
    """The least J over every labeling with as many positives."""
    u, each = int(problem.free.sum()), problem.weight / problem.free.sum()
    found = []
    for chosen in combinations(range(u), problem.n_positive):
        z = np.full(u, -1.0)
        z[list(chosen)] = 1.0
        found.append(problem.value(*problem.solve(z, each, each), z))
    return min(found)


@pytest.mark.parametrize("n_switches", [1, None])
@pytest.mark.parametrize("seed", range(6))
def test_no_labeling_is_better_on_clusters_and_no_pair_anywhere(seed, n_switches):
    for gap, kernel in ((2.0, Linear()), (0.6, RBF(1.5))):
        X, target, truth = tiny(seed, gap=gap)
        problem = SwitchingProblem(kernel(X), target, 0.05, 1.0, 0.5, tol=1e-8)
        a, b, z = switch(problem, n_switches)
        assert (z > 0).sum() == problem.n_positive == 4
        found, best = problem.value(a, b, z), best_of_all(problem)
        assert found >= best - 1e-6
        slack = np.maximum(0.0, 1.0 - z * problem.values(a, b)[problem.free])
        up, down = slack[(z > 0) & (slack > 0)], slack[(z < 0) & (slack > 0)]
        assert (up[:, None] + down).max(initial=0.0) <= 2.0 + 1e-6  # Joachims' condition
        if gap == 2.0:
            assert found == pytest.approx(best, abs=1e-6)
            assert (z == truth[problem.free]).all()


def test_how_often_the_global_optimum_is_found():
    """Overlapping clusters: a local method; the count would fall if switching stopped early."""
    hits = 0
    for seed in range(12):
        X, target, _ = tiny(seed, gap=0.6)
        problem = SwitchingProblem(RBF(1.5)(X), target, 0.05, 1.0, 0.5, tol=1e-8)
        hits += problem.value(*switch(problem, 1)) <= best_of_all(problem) + 1e-6
    assert hits >= 8


def test_each_switch_lowers_the_objective():
    X, target, _ = tiny(3, u=12, gap=0.5)
    problem = SwitchingProblem(RBF(1.0)(X), target, 0.02, 1.0, 0.5, tol=1e-8)
    each = problem.weight / problem.free.sum()
    z = np.where(np.arange(12) % 2 == 0, -1.0, 1.0)  # the wrong way round
    a, b = problem.solve(z, each, each)
    before = problem.value(a, b, z)
    slack = np.maximum(0.0, 1.0 - z * problem.values(a, b)[problem.free])
    up, down = (np.flatnonzero(side) for side in (z > 0, z < 0))
    p, m = up[slack[up].argmax()], down[slack[down].argmax()]
    assert slack[p] + slack[m] > 2.0
    z[[p, m]] *= -1.0
    assert problem.value(a, b, z) < before
    assert problem.value(*problem.solve(z, each, each), z) < before


def test_the_estimator_switches_too():
    X, y, truth = make_gaussian_clusters(100, n_features=5, labels_per_class=2, random_state=0)
    model = TSVC(kernel="linear", method="switching").fit(X, y)
    assert (model.transduction_ == truth).mean() > 0.95
    assert (model.predict(X) == model.transduction_).all()
    alone = TSVC(kernel="linear", method="switching", unlabeled_weight=0.0).fit(X, y)
    svc = SVC(kernel="linear", C=1 / (2 * 0.1 * 4)).fit(X[y >= 0], y[y >= 0])
    np.testing.assert_allclose(alone.scores_, svc.decision_function(X), atol=1e-2)
    three = np.where(np.arange(100) < 9, np.arange(100) % 3, -1)
    assert set(TSVC(kernel="linear", method="switching").fit(X, three).transduction_) <= {0, 1, 2}
    with pytest.raises(ValueError, match="method"):
        TSVC(method="swap").fit(X, y)
