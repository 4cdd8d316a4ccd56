"""Multipliers between their bounds are found where K̃ is of very unequal size."""

import numpy as np
import pytest

from lapwing import LapSVC, ManifoldRegressor
from lapwing.graphs import KNN
from lapwing.losses import EpsilonInsensitive
from lapwing.regularizers import Laplacian
from lapwing.solvers import Dual, Status


def components(seed, sizes=(400, 25, 12)):
    """A large cloud with noisy labels, and small ones far away. Each has labels."""
    rng = np.random.default_rng(seed)
    n, part = sum(sizes), np.repeat(np.arange(len(sizes)), sizes)
    X = rng.standard_normal((n, 3)) + 100.0 * part[:, None]
    first = np.r_[0, np.cumsum(sizes)[:-1]]
    labeled = np.zeros(n, dtype=bool)
    labeled[:60] = labeled[first] = True
    t = np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 100.0 * part, 1.0, -1.0)
    return X, t, labeled


def fitted(model, X, t, labeled, marker):
    return model.set_params(
        kernel="rbf", regularizer=Laplacian(KNN(6), degree=2), gamma_A="rule", gamma_I="10*rule",
        space="graph", fit_intercept=False,
    ).fit(X, np.where(labeled, t, marker))  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_classes_in_small_components_have_all_digits(seed):
    """There β is a millionth of its bound, and f would be off by any amount if β counted as 0."""
    X, t, labeled = components(seed)
    models = [
        fitted(LapSVC(solver=Dual(tol), unlabeled=-9), X, t.astype(int), labeled, -9)
        for tol in (1e-3, 1e-12)
    ]
    rough, exact = (model.decision_function(X) for model in models)
    assert models[0].solution_.status is Status.CONVERGED
    np.testing.assert_allclose(rough, exact, atol=1e-5 * np.abs(exact).max())


@pytest.mark.parametrize("seed", range(3))
def test_tubes_in_small_components_have_all_digits(seed):
    X, t, labeled = components(seed)
    models = [
        fitted(
            ManifoldRegressor(loss=EpsilonInsensitive(0.1), solver=Dual(tol)), X, 3 * t, labeled,
            np.nan,
        )
        for tol in (1e-3, 1e-12)
    ]  # fmt: skip
    rough, exact = (model.transduction_ for model in models)
    np.testing.assert_allclose(rough, exact, atol=1e-5 * np.abs(exact).max())
