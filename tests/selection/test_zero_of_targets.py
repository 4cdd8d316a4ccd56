"""Targets in °C or in K: families with several kernels answer the same, but for the shift."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1

from lapwing import CoMRRegressor, CoRLSRegressor, VectorValuedRegressor
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
