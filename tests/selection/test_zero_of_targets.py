"""Targets in °C or in K: answers are the same but for the shift, at new rows too."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1

from lapwing import (
    CoMRRegressor,
    CoRLSRegressor,
    LapRLSRegressor,
    ManifoldRegressor,
    VectorValuedRegressor,
)
from lapwing.kernels import RBF

VIEWS = [("a", "rbf", list(range(5))), ("b", "rbf", list(range(5, 10)))]
MODELS = [
    CoRLSRegressor(VIEWS),
    CoMRRegressor(VIEWS),
    VectorValuedRegressor(kernel=[RBF(), RBF(1.0)], output_kernel=[np.eye(2), np.ones((2, 2))]),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("seed", [0, 42])
def test_the_zero_of_the_targets_decides_nothing(model, seed):
    X, y = make_friedman1(150, noise=0.5, random_state=seed)
    y = np.where(np.arange(150) < 40, y, np.nan)
    y = np.column_stack([y, y**2 / 10]) if type(model) is VectorValuedRegressor else y
    found = [np.asarray(model.fit(X, y + zero).transduction_) - zero for zero in (0.0, 273.15)]
    np.testing.assert_allclose(*found, atol=1e-3)


def spiral(n, seed=0):
    """Rows along a curve, with the place on the curve as the target."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 3 * np.pi, n)
    return np.c_[np.cos(t) * t, np.sin(t) * t] + 0.05 * rng.standard_normal((n, 2)), t


@pytest.mark.parametrize("kind", [LapRLSRegressor, ManifoldRegressor, VectorValuedRegressor])
def test_new_rows_of_a_graph_do_not_know_the_zero(kind):
    (X, t), (new, truth) = spiral(100), spiral(50, 1)
    y = np.where(np.arange(100) < 10, t, np.nan)
    y = np.column_stack([y, -y]) if kind is VectorValuedRegressor else y
    found = []
    for zero in (0.0, 1e4):
        model = kind().fit(X, y + zero)
        assert model.selection_.choice["space"] == "graph"
        found.append(np.reshape(model.predict(new) - zero, (50, -1)))
    np.testing.assert_allclose(*found, atol=1e-3)
    assert np.sqrt(np.mean((found[1][:, 0] - truth) ** 2)) < 0.3


@pytest.mark.filterwarnings("ignore")
def test_rows_that_no_label_reaches_have_the_intercept_and_not_zero():
    X, t = spiral(40)
    far = 100.0 + np.random.default_rng(2).standard_normal((20, 2))
    y = np.where(np.arange(60) < 12, 20.0 + np.r_[t, np.zeros(20)], np.nan)
    model = LapRLSRegressor(gamma_I="10*rule").fit(np.vstack([X, far]), y)
    assert model.unreached_.sum() == 20 and model.extension_ is not None
    inside = np.nanmin(y), np.nanmax(y)
    for answers in (model.transduction_[40:], model.predict([[1000.0, 1000.0]])):
        assert inside[0] < answers.min() and answers.max() < inside[1]
        np.testing.assert_allclose(answers, model.intercept_[0], rtol=1e-3)


@pytest.mark.parametrize("unit", [1e-4, 1e4, 1e9])
@pytest.mark.parametrize("loss", ["squared", "huber", "epsilon_insensitive"])
def test_the_unit_of_the_targets_decides_nothing(loss, unit):
    points, truth = make_friedman1(60, random_state=0)
    y = np.where(np.arange(60) < 25, truth, np.nan)
    one, other = (ManifoldRegressor(loss=loss).fit(points, c * y).transduction_ for c in (1, unit))
    np.testing.assert_allclose(other / unit, one, rtol=1e-5)
