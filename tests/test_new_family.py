"""A new family of estimators from one recipe file works with everything else."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, PredefinedSplit

import lapwing
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.problem import Status
from lapwing.regularizers import Laplacian
from lapwing.spaces import GraphValues
from ordinal import OrdinalClassifier

rng = np.random.default_rng(0)
N = 90
ANGLE = np.sort(rng.uniform(0, 3, N))
X = np.column_stack([np.cos(ANGLE), np.sin(ANGLE)]) + 0.03 * rng.standard_normal((N, 2))
SIZES = np.array([10, 20, 30, 40])
TRUTH = SIZES[np.minimum(ANGLE.astype(int) + (ANGLE > 2.5), 3)]
SEEN = rng.permutation(N)[:24]
Y = np.full(N, -1)
Y[SEEN] = TRUTH[SEEN]
GIVEN = {
    "kernel": RBF(0.7), "regularizer": Laplacian(KNN(6)), "gamma_A": 1e-3, "gamma_I": 5.0,
}  # fmt: skip


def dense(gamma_A=1e-3, gamma_I=5.0):
    """f and b by the normal equations over (α, b): f = Kα at all rows, one b per threshold."""
    K, M = RBF(0.7)(X), Laplacian(KNN(6)).build(X).toarray()
    above = np.where(Y[SEEN, None] > SIZES[:-1], 1.0, -1.0)
    l, q = above.shape
    rows = np.vstack([np.hstack([K[SEEN], np.tile(np.eye(q)[k], (l, 1))]) for k in range(q)])
    penalty = np.zeros((N + q, N + q))
    penalty[:N, :N] = gamma_A * K + q * gamma_I / N**2 * K @ M @ K
    left = rows.T @ rows / l + penalty
    found = np.linalg.lstsq(left, rows.T @ above.T.ravel() / l, rcond=1e-14)[0]
    return (K @ found[:N])[:, None] + found[N:]


def test_it_solves_its_equation():
    model = OrdinalClassifier(**GIVEN).fit(X, Y)
    assert model.solution_.status is Status.CONVERGED
    assert_allclose(model.decision_function(X), dense(), atol=1e-6)
    assert_array_equal(model.classes_, SIZES)
    f = model.decision_function(X)
    assert_allclose(np.ptp(f - f[:, :1], axis=0), 0.0, atol=1e-9)  # one function, thresholds apart
    assert model.score(X, TRUTH) > -0.2
    assert_array_equal(model.predict(X), model.transduction_)


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared_hinge"])
def test_any_loss(loss):
    model = OrdinalClassifier(loss=loss, **GIVEN).fit(X, Y)
    assert model.solution_.status is Status.CONVERGED
    assert model.score(X, TRUTH) > -0.2


def test_paths():
    points = list(lapwing.path(OrdinalClassifier(**GIVEN), X, Y, gamma_I=[0.5, 5.0], X_new=X[:7]))
    assert [p.gamma_I for p in points] == [0.5, 5.0]
    for p in points:
        assert_allclose(p.readout, dense(gamma_I=p.gamma_I), atol=1e-6)
        assert_allclose(p.readout_new, p.readout[:7], atol=1e-8)


def test_a_saved_model():
    model = OrdinalClassifier(**GIVEN).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict(X), model.predict(X))
    assert_allclose(again.leave_one_out_, model.leave_one_out_)


def test_a_warm_start():
    model = OrdinalClassifier(**GIVEN, warm_start=True).fit(X, Y)
    more = Y.copy()
    more[:3] = TRUTH[:3]
    space = model.objective_.space
    warm, fresh = model.fit(X, more), OrdinalClassifier(**GIVEN).fit(X, more)
    assert warm.objective_.space is space
    assert_allclose(warm.decision_function(X), fresh.decision_function(X), atol=1e-7)


def test_choosing_and_grid_search():
    found = OrdinalClassifier(kernel=RBF(0.7), regularizer=Laplacian(KNN(6))).fit(X, Y)
    assert set(found.selection_.choice) == {"gamma_A", "gamma_I"}
    assert found.score(X, TRUTH) > -0.2
    split = PredefinedSplit(np.where(np.isin(np.arange(N), SEEN[:8]), 0, -1))
    search = GridSearchCV(OrdinalClassifier(**GIVEN), {"gamma_I": [0.1, 10.0]}, cv=split)
    assert search.fit(X, TRUTH).best_score_ > -0.5
    assert clone(found).gamma_I == "auto"


def test_dask_arrays():
    da = pytest.importorskip("dask.array")
    from lapwing import distributed

    model = OrdinalClassifier(**GIVEN, space=GraphValues())
    found, expected = distributed.fit(model, da.from_array(X, chunks=(31, -1)), Y), model.fit(X, Y)
    assert_array_equal(found.transduction_, expected.transduction_)
    assert_allclose(found.solution_.coef, expected.solution_.coef, atol=1e-6)
