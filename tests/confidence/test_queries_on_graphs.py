"""Queries on the values of a graph: the covariance they rest on, beside a dense inverse."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier, VectorValuedRegressor
from lapwing.confidence import keep_factor
from lapwing.confidence.queries import ActiveLearning
from lapwing.datasets import load_digits, make_two_moons
from lapwing.graphs import KNN
from lapwing.regularizers import Laplacian

X, _, TRUTH = load_digits(random_state=0)
ROWS = {
    "few rows": (X[:600], TRUTH[:600]),
    "eigenvectors": (np.vstack([X, X[:400] + 0.3]), np.concatenate([TRUTH, TRUTH[:400]])),
}


@pytest.mark.parametrize("name", ROWS)
def test_rough_sections_tell_the_covariance_to_a_few_per_cent(name):
    """S = (γ_A/n + λM + W)⁻¹ is far smaller than K̃ = (γ_A/n + λM)⁻¹, of which it is made."""
    X, truth = ROWS[name]
    n, y = len(X), np.full(len(X), -1)
    for c in range(10):
        y[np.flatnonzero(truth == c)[:2]] = c
    settings = {"regularizer": Laplacian(KNN(6), degree=2), "gamma_A": "rule", "gamma_I": "10*rule"}
    model = LapRLSClassifier(kernel="rbf", space="graph", fit_intercept=False, **settings)
    problem = model.fit(X, y).objective_
    keep_factor(problem)
    queries = ActiveLearning(problem, seed=0)

    penalty = problem.gamma_A / n * np.eye(n) + problem.lam * problem.operator.apply(np.eye(n))
    weight = np.zeros(n)
    weight[problem.rows] = problem.w.max(axis=1)
    S = np.linalg.inv(penalty + np.diag(weight))[np.ix_(queries.points, queries.rows)]
    assert np.linalg.norm(np.linalg.inv(penalty)) > 20 * np.linalg.norm(S)
    wrong = np.linalg.norm(queries.S - S, axis=0) / np.linalg.norm(S, axis=0)
    assert np.median(wrong) < 0.05
    assert wrong.max() < 0.5
    own = np.arange(len(queries.rows))
    np.testing.assert_allclose(queries.S[own, own], S[own, own], rtol=0.05)


def test_queries_beat_random_labels():
    """Twenty labels more than one for each class, in four batches, on 600 rows."""
    X, truth = ROWS["few rows"]
    settings = {"regularizer": Laplacian(KNN(6), degree=2), "gamma_A": "rule", "gamma_I": "10*rule"}
    model = LapRLSClassifier(kernel="rbf", space="graph", fit_intercept=False, **settings)

    def errors(first, choose):
        y = np.full(len(X), -1)
        y[first] = truth[first]
        for _ in range(4):
            rows = choose(model.fit(X, y), y)
            y[rows] = truth[rows]
        return np.mean((model.fit(X, y).transduction_ != truth)[y < 0])

    asked, drawn = [], []
    for seed in range(2):
        draw = np.random.default_rng(seed)
        first = [int(draw.choice(np.flatnonzero(truth == c))) for c in range(10)]
        asked.append(errors(first, lambda model, y: model.next_to_label(5)))
        drawn.append(errors(first, lambda _, y, d=draw: d.permutation(np.flatnonzero(y < 0))[:5]))
    assert np.mean(asked) < 0.7 * np.mean(drawn), (asked, drawn)


@pytest.mark.parametrize("relation", [None, np.array([[1.0, 0.5], [0.5, 2.0]])])
@pytest.mark.parametrize("outputs", [(), (1,)])
def test_several_outputs_need_a_section_for_each_candidate_alone(monkeypatch, relation, outputs):
    """K̃ is not computed among all rows at which a label is judged."""
    points, y, _ = make_two_moons(420, labels_per_class=6, random_state=0)
    targets = np.where(y[:, None] >= 0, np.c_[points[:, 0], points[:, 1]], np.nan)
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": 1e-3, "gamma_I": 1.0}
    model = VectorValuedRegressor(output_kernel=relation, fit_intercept=False, **given)
    objective = model.fit(points, targets).objective_
    with monkeypatch.context() as patched:
        patched.setattr("lapwing.confidence.queries.kept_deformation", lambda *a: None)
        whole = ActiveLearning(objective, outputs=outputs)
    monkeypatch.setattr(type(objective.deformation), "gram", None)
    found = ActiveLearning(objective, outputs=outputs)
    np.testing.assert_array_equal(found.rows, whole.rows)
    np.testing.assert_allclose(found.S, whole.S, rtol=1e-4, atol=1e-6 * np.abs(whole.S).max())
