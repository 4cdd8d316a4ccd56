"""A gradient that is small beside a huge ∇(0) is no certificate: J is at most twice its minimum."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning

from lapwing import LapLogisticClassifier, LapSVC
from lapwing.kernels import Polynomial
from lapwing.problem import Status

X, truth = load_breast_cancer(return_X_y=True)  # columns of very unequal size
GIVEN = {
    "kernel": Polynomial(2),
    "regularizer": "laplacian",
    "gamma_I": 0.0,
    "space": "exact",
    "fit_intercept": False,
}


def labels(n: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    y = np.full(len(truth), -1)
    for c in (0, 1):
        rows = rng.choice(np.flatnonzero(truth == c), n, replace=False)
        y[rows] = c
    return y


def bound(model) -> tuple[float, float]:
    e = model.objective_.space.element(model.solution_.coef)
    g = model.objective_.gradient(e).norm[0]
    return g**2 / (4 * model.objective_.gamma_A), float(model.objective_.value(e)[0])


@pytest.mark.parametrize("gamma_A", [1e-2, 1e-3])
def test_logistic_fits_of_raw_columns_are_within_the_bound(gamma_A):
    model = LapLogisticClassifier(gamma_A=gamma_A, **GIVEN).fit(X, labels(20))
    gap, value = bound(model)
    assert model.solution_.status is Status.CONVERGED
    assert gap < 1e-3 * value


def test_a_fit_three_times_above_its_minimum_is_not_called_converged():
    with pytest.warns(ConvergenceWarning):
        model = LapSVC(loss="squared_hinge", gamma_A=1e-2, **GIVEN).fit(X, labels(20))
    gap, value = bound(model)
    assert gap > value  # the minimum is a third of it: what the gradient says excludes nothing
    assert model.solution_.status is not Status.CONVERGED
    assert model.solution_.optimality >= 0.5


def test_ordinary_fits_stay_converged():
    rows = (X - X.mean(axis=0)) / X.std(axis=0)
    ways = {**GIVEN, "kernel": "rbf", "gamma_I": "rule", "fit_intercept": True}
    for made in (LapLogisticClassifier(gamma_A="rule", **ways),
                 LapSVC(loss="squared_hinge", gamma_A="rule", **ways)):  # fmt: skip
        model = made.fit(rows, labels(20))
        assert model.solution_.status is Status.CONVERGED
        assert model.solution_.optimality < 1e-8
