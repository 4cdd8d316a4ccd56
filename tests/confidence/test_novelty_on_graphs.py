"""Novelty and abstention where functions live on the points of a graph."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import roc_auc_score

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.confidence import local_novelty
from lapwing.datasets import load_digits
from lapwing.kernels import RBF, Linear
from lapwing.spaces import choose

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3))
NEW = RNG.standard_normal((20, 3))


def test_with_all_rows_near_it_is_the_gaussian_process():
    few, kernel = X[:10], RBF(1.3).build(X[:10])
    K, k = kernel(few) + 1e-3 * np.eye(10), kernel(NEW, few)
    expected = 1.0 - np.einsum("ij,ij->i", k, np.linalg.solve(K, k.T).T)
    assert_allclose(local_novelty(kernel, few, NEW), expected, atol=1e-10)


def test_training_rows_are_known_and_far_rows_are_not():
    kernel = RBF(0.5).build(X)
    assert local_novelty(kernel, X, X).max() < 2e-3
    assert local_novelty(kernel, X, X + 1e3).min() == 1.0
    sparse = local_novelty(kernel, sp.csr_array(X), sp.csr_array(NEW))
    assert_allclose(sparse, local_novelty(kernel, X, NEW), atol=1e-9)
    assert local_novelty(Linear().build(X), X, np.zeros((1, 3)))[0] == 0.0  # no prior, no doubt


@pytest.mark.parametrize("space", ["auto", "graph"])
def test_a_class_that_was_never_seen_is_novel(space, monkeypatch):
    """On both sides of the limit, which is 300 here."""
    monkeypatch.setattr(choose, "EXACT_UP_TO", 300)
    points, _, truth = load_digits(random_state=0)
    inside = (np.arange(len(truth)) < 900) & (truth != 4)
    seen = np.where(np.cumsum(inside) <= 100, truth, -1)[inside]
    model = LapRLSClassifier(space=space).fit(points[inside], seen)
    new, unknown = points[900:], truth[900:] == 4
    novelty = model.novelty(new)
    assert roc_auc_score(unknown, novelty) > 0.9
    withheld = model.predict(new, abstain=0.5) == -1
    np.testing.assert_array_equal(withheld, novelty > 0.5)
    assert withheld[unknown].mean() > 0.5 > 0.15 > withheld[~unknown].mean()
    assert (model.predict(points[inside], abstain=0.5) == model.transduction_).all()


def test_regressors_withhold_too():
    y = np.where(np.arange(60) < 30, X[:, 0], np.nan)
    model = LapRLSRegressor(space="graph", kernel="rbf", regularizer="laplacian").fit(X, y)
    found = model.predict(np.vstack([NEW, NEW + 100.0]), abstain=0.9)
    assert np.isnan(found[20:]).all() and not np.isnan(found[:20]).all()
