"""Views in spaces of different kinds, and of very unequal size."""

import numpy as np

from lapwing import CoRLSClassifier, CoRLSRegressor
from lapwing.kernels import RBF, Polynomial
from lapwing.spaces import choose

X = np.random.default_rng(0).standard_normal((150, 5))


def test_a_linear_view_beside_an_exact_one_is_the_same_function(monkeypatch):
    y = np.where(np.arange(150) < 40, X[:, 0] + X[:, 3] > 0, -1)
    views = [("a", "rbf", slice(0, 2)), ("b", "linear", slice(2, 5))]
    model = CoRLSClassifier(views, gamma_A=1e-3, gamma_C=1.0)
    exact = model.fit(X, y).decision_function(X)
    monkeypatch.setattr(choose, "EXACT_UP_TO", 200)
    found = model.fit(X, y).decision_function(X)
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


def test_normal_equations_that_rounding_leaves_indefinite_are_solved(monkeypatch):
    monkeypatch.setattr(choose, "EXACT_UP_TO", 100)
    points = np.random.default_rng(0).standard_normal((150, 5))
    points[0] *= 100.0
    y = np.where(np.arange(150) < 60, points[:, 1], np.nan)
    views = [("a", "linear", slice(0, 2)), ("b", RBF() * Polynomial(3), slice(2, 5))]
    model = CoRLSRegressor(views, gamma_A=1e-7, gamma_C=1e4).fit(points, y)
    assert np.isfinite(model.transduction_).all()
