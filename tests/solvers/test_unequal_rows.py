"""Rows of very unequal size: ∇J(0) is huge, and a gradient that is small beside it says little."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from lapwing import LapLogisticClassifier
from lapwing.kernels import Polynomial
from lapwing.problem import Status


@pytest.mark.parametrize("l", [20, 60])
def test_converged_is_near_the_minimum_of_the_objective(l):
    X, truth = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(truth))[:l]
    y = np.full(len(truth), -1)
    y[rows] = truth[rows]
    given = {"kernel": Polynomial(2), "gamma_A": 1e-3, "gamma_I": 0.0, "fit_intercept": True}
    usual = LapLogisticClassifier(**given, regularizer="laplacian").fit(X, y)
    exact = usual.objective_
    fine = LapLogisticClassifier(**given, regularizer="laplacian", tol=1e-12, max_iter=500)
    least = fine.fit(X, y).objective_
    J, lowest = (
        float(o.value(o.space.element(m.solution_.coef)).sum())
        for o, m in ((exact, usual), (least, fine))
    )
    assert usual.solution_.status is Status.CONVERGED
    assert lowest <= J <= 1.2 * lowest
    assert (usual.transduction_ == fine.transduction_).mean() > 0.98
