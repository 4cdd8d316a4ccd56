"""Points in another order in memory: the same operator, the same solutions."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC
from lapwing.datasets import load_digits
from lapwing.graphs import KNN
from lapwing.linalg.sparse import in_order, local_order, narrow
from lapwing.operators import base
from lapwing.regularizers import Laplacian, LaplacianPolynomial
from problems import BY_RULE

X, Y, TRUTH = load_digits(random_state=0)


def spread(W) -> float:
    """How far apart neighbors are in memory, in the mean."""
    rows = np.repeat(np.arange(W.shape[0]), np.diff(W.indptr))
    return float(np.abs(rows - W.indices).mean())


def test_neighbors_come_near():
    W = KNN(6).build(X).W
    order = local_order(W)
    assert_array_equal(np.sort(order), np.arange(len(X)))
    found = in_order(W, order)
    assert_array_equal(found.toarray(), W.toarray()[np.ix_(order, order)])
    assert spread(found) < 0.5 * spread(W)
    assert narrow(W).indices.dtype == np.int32


@pytest.mark.parametrize(
    "regularizer",
    [Laplacian(KNN(6)), Laplacian(KNN(6), degree=2), LaplacianPolynomial(KNN(6), (0.1, 0.0, 1.0))],
)
def test_operators_are_the_same(regularizer, monkeypatch):
    expected, F = regularizer.build(X), np.random.default_rng(0).normal(size=(len(X), 3))
    values = expected.apply(F)
    assert expected.near == ()
    monkeypatch.setattr(base, "MANY_POINTS", 0)
    M = regularizer.build(X)
    order, near = M.near
    assert near.near == ()
    assert_allclose(near.apply(F[order]), values[order], atol=1e-12)
    assert_allclose(M.apply(F), values, atol=1e-12)
    assert_allclose(M.apply(F.astype(np.float32)), values, atol=1e-4)
    again = pickle.loads(pickle.dumps(M))
    assert "near" not in vars(again)
    assert_allclose(again.apply(F), values, atol=1e-12)


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC, LapLogisticClassifier])
def test_fits_are_the_same(Model, monkeypatch):
    model = Model(**BY_RULE, space="graph", tol=1e-6)
    expected = model.fit(X, Y).solution_.coef
    monkeypatch.setattr(base, "MANY_POINTS", 0)
    model.fit(X, Y)
    assert model.regularizer_.near
    assert model.solution_.optimality <= 1e-3
    assert_allclose(model.solution_.coef, expected, atol=2e-3 * np.abs(expected).max())
