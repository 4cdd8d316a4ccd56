"""New rows are answered as the graph answers its own: landmarks are farther apart than rows."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_moons, make_swiss_roll
from sklearn.metrics import r2_score
from sklearn.preprocessing import StandardScaler

from lapwing import LapRLSClassifier, LapRLSRegressor, StructuredLapSVC
from lapwing.estimators.fitting import training_readout
from lapwing.kernels import RBF, LaplacianKernel, Linear, OnColumns, Transformed
from lapwing.kernels.widths import local_distance
from lapwing.outputs import Ring
from lapwing.spaces import Landmarks
from lapwing.spaces.out_of_sample import OF_CLASSES, RIDGE, OutOfSampleRule
from lapwing.targets.coding import SURE, expected_targets


def test_unseen_rows_of_a_roll_are_answered_as_the_others():
    X, truth = make_swiss_roll(6000, noise=0.3, random_state=3)
    y = np.full(5000, np.nan)
    y[:100] = truth[:100]
    model = LapRLSRegressor().fit(X[:5000], y)
    assert r2_score(truth[100:5000], model.transduction_[100:]) > 0.99
    # with the width of all 5,000 rows between 1,000 landmarks it is 0.77
    assert r2_score(truth[5000:], model.predict(X[5000:])) > 0.98
    assert model.extension_error_ < 0.1


ROWS = np.random.default_rng(0).normal(size=(400, 3))
FEW = ROWS[:40]


@pytest.mark.parametrize("kernel", [RBF("local"), RBF(), RBF("local") * Linear()])
def test_widths_by_a_rule_are_found_among_other_rows(kernel):
    assert repr(kernel.build(ROWS).resized(FEW)) == repr(kernel.build(FEW))


def test_a_given_width_stays():
    assert RBF(0.7).build(ROWS).resized(FEW).sigma == 0.7
    assert Linear().build(ROWS).resized(FEW)(FEW).shape == (40, 40)


def test_parts_are_resized_where_they_look():
    seen = Transformed(2.0 * LaplacianKernel("local"), StandardScaler()).build(ROWS)
    expected = local_distance(seen.transformer.transform(FEW), "manhattan")
    assert seen.resized(FEW).kernel.kernel.sigma == pytest.approx(expected)
    columns = OnColumns(RBF("local"), [0, 2]).build(ROWS).resized(FEW)
    assert columns.kernel.sigma == pytest.approx(local_distance(FEW[:, [0, 2]]))


def test_classes_are_learned_as_expected_targets():
    """f = K(K + γ)⁻¹A at new rows: A = 2 P(class) − 1, and not the decisions."""
    X, truth = make_moons(160, noise=0.25, random_state=0)
    X, new = X[:120], X[120:]
    y = np.where(np.arange(120) < 12, truth[:120], -1)
    model = LapRLSClassifier(gamma_I="10*rule").fit(X, y)
    assert model.selection_.choice["space"] == "graph"
    kernel, scores = model.extension_.kernel, training_readout(model)
    odds = 2.0 * SURE * scores / np.median(2.0 * np.abs(scores))
    A = (2.0 * expit(odds) - 1.0) * np.abs(scores).mean()
    assert np.ptp(np.abs(A)) > 0.3 * np.abs(A).max()  # doubtful rows count less
    f = kernel(new, X) @ np.linalg.solve(kernel(X) + OF_CLASSES * np.eye(120), A)
    np.testing.assert_allclose(model.decision_function(new), f[:, 0], atol=1e-8)


def test_outputs_of_a_structure_are_learned_as_expected_targets():
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 90)
    X = np.c_[np.cos(angle), np.sin(angle)] + 0.05
    y = np.where(np.arange(90) < 24, (angle / (2 * np.pi) * 6).astype(int), -1)
    model = StructuredLapSVC(
        kernel=RBF("local"), output=Ring(6), regularizer="laplacian", space="graph"
    ).fit(X, y)
    scores, kernel, new = training_readout(model), model.extension_.kernel, X[:20] + 0.01
    A = expected_targets(scores) * np.abs(scores).mean()
    f = kernel(new, X) @ np.linalg.solve(kernel(X) + OF_CLASSES * np.eye(90), A)
    np.testing.assert_allclose(model.decision_function(new), f, atol=1e-6)


def test_real_values_are_followed_more_closely_than_classes():
    X = np.linspace(0, 1, 60)[:, None]
    rule, A = OutOfSampleRule(RBF(0.1), X, Landmarks()), np.sin(9 * X)
    every = np.ones(60, dtype=bool)
    rule.keeps = True
    for classes, ridge in ((False, RIDGE), (True, OF_CLASSES), (False, RIDGE)):
        f, _ = rule(A, every, classes)
        K = RBF(0.1)(X)
        np.testing.assert_allclose(f(X), K @ np.linalg.solve(K + ridge * np.eye(60), A), atol=1e-8)
