"""Many rows and a graph that does not help: the kernel alone, over the labeled rows alone."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import LapRLSClassifier, LapSVC
from lapwing.kernels import RBF

N, LABELED = 8200, 60


def uniform(seed=0):
    """Points without any structure, cut by a plane."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (N, 10))
    truth = (X @ rng.normal(size=10) > 0).astype(int)
    y = np.full(N, -1)
    y[:LABELED] = truth[:LABELED]
    return X, y, truth


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_without_graph_the_other_rows_do_not_matter(Model, fit_intercept):
    X, y, _ = uniform()
    model = Model(kernel=RBF(1.0), gamma_A=1e-3, gamma_I=0, fit_intercept=fit_intercept)
    many = model.fit(X, y).decision_function(X[:500])
    few = model.fit(X[:LABELED], y[:LABELED]).decision_function(X[:500])
    assert_allclose(many, few, atol=1e-5)


def test_the_default_leaves_a_graph_that_is_clearly_worse():
    X, y, truth = uniform()
    model = LapRLSClassifier().fit(X, y)
    assert model.gamma_I_ == 0 and "unlabeled rows play no part" in model.selection_.reason
    graph = LapRLSClassifier(
        kernel="rbf",
        regularizer="laplacian",
        gamma_A="rule",
        gamma_I="10*rule",
        fit_intercept=False,
    ).fit(X, y)
    wrong = [np.mean(m.transduction_ != truth) for m in (model, graph)]
    assert wrong[0] < 0.75 * wrong[1]


def test_columns_of_unequal_scales_are_scaled_at_any_size():
    """Above the size of exact fits too the default looks at columns in their own units."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 4200)
    X = rng.normal(size=(8400, 4)) + 6.0 * truth[:, None] * [1, 1, 0, 0]
    X *= [1e-3, 1.0, 1e3, 1e-2]
    y = np.full(8400, -1)
    y[:8400:300] = truth[::300]
    model = LapRLSClassifier().fit(X, y)
    assert np.mean(model.transduction_ != truth) < 0.02
