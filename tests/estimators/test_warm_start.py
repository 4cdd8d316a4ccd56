"""warm_start=True: labels come, go and change; the answer is that of a fresh fit."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, make_blobs, make_moons

from lapwing import (
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldClassifier,
    ManifoldRegressor,
)
from lapwing.estimators import warm
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.problem.kept_products import known_values
from lapwing.regularizers import Laplacian
from lapwing.spaces import Element

pytestmark = pytest.mark.filterwarnings("ignore::lapwing.exceptions.UnreachedWarning")

SETTINGS = {
    "kernel": RBF("local"),
    "regularizer": Laplacian(KNN(6), degree=2),
    "gamma_A": "rule",
    "gamma_I": "10*rule",
    "warm_start": True,
}


def digits(n=400):
    X, truth = load_digits(n_class=4, return_X_y=True)
    X, truth = X[:n], truth[:n]
    y = np.full(n, -1)
    y[:20] = truth[:20]
    return X, y, truth


def readout(model):
    return model.objective_.space.element(model.solution_.coef).readout


def assert_same(found, fresh):
    size = np.abs(readout(fresh)).max()
    np.testing.assert_allclose(readout(found), readout(fresh), atol=1e-5 * size)
    assert (found.transduction_ == fresh.transduction_).mean() > 0.999


def changed(y, truth):
    """Three labels more, two fewer, one wrong."""
    y = y.copy()
    y[[30, 40, 50]] = truth[[30, 40, 50]]
    y[[0, 5]] = -1
    y[7] = (truth[7] + 1) % 4
    return y


@pytest.fixture
def counted(monkeypatch):
    """How often factors were made."""
    made = []
    original = warm.kept_deformation

    def counting(*args):
        made.append(args)
        return original(*args)

    monkeypatch.setattr(warm, "kept_deformation", counting)
    return made


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("space", ["exact", "graph"])
@pytest.mark.parametrize(
    "model",
    [
        LapRLSClassifier(),
        LapSVC(),
        LapSVC(loss="squared_hinge"),
        LapLogisticClassifier(),
        ManifoldClassifier(loss="squared_hinge"),
    ],
    ids=lambda model: type(model).__name__ + getattr(model, "loss", ""),
)
def test_the_answer_is_that_of_a_fresh_fit(model, space, fit_intercept, counted):
    X, y, truth = digits()
    model = clone(model).set_params(**SETTINGS, space=space, fit_intercept=fit_intercept)
    model.set_params(tol=1e-8 if space == "graph" else None)
    model.fit(X, y)
    model.fit(X.copy(), changed(y, truth))
    assert len(counted) == 1
    assert_same(model, clone(model).fit(X, changed(y, truth)))


@pytest.mark.parametrize("model", [LapRLSRegressor(), ManifoldRegressor(loss="huber")])
def test_regression_with_targets_that_come_and_go(model):
    draw = np.random.default_rng(0)
    X = draw.uniform(0, 6, (200, 1))
    full = np.column_stack([np.sin(X[:, 0]), np.cos(X[:, 0])])
    Y = np.where(np.arange(200)[:, None] < [20, 25], full, np.nan)
    more = np.where(np.arange(200)[:, None] < [30, 22], full, np.nan)
    model = clone(model).set_params(**SETTINGS).fit(X, Y)
    model.fit(X, more)
    fresh = clone(model).set_params(warm_start=False).fit(X, more)
    size = np.abs(fresh.transduction_).max()
    np.testing.assert_allclose(model.transduction_, fresh.transduction_, atol=1e-5 * size)
    np.testing.assert_allclose(model.predict(X[:9] + 0.01), fresh.predict(X[:9] + 0.01), atol=1e-5)


def test_twenty_labels_one_by_one_do_not_drift():
    """n = 1500: sections by the float32 factor of the first labels."""
    X, truth = make_moons(1500, noise=0.2, random_state=0)
    order = np.random.default_rng(0).permutation(1500)
    y = np.full(1500, -1)
    y[order[:20]] = truth[order[:20]]
    model = LapRLSClassifier(**SETTINGS, space="exact", fit_intercept=False).fit(X, y)
    first = model.solution_.optimality
    for row in order[20:40]:
        y[row] = truth[row]
        model.fit(X, y)
        assert model.solution_.optimality <= 1e-8
    kept = model.objective_.deformation.kept
    assert len(kept.rows) == 40 and kept.worst <= 1e-6 and first <= 1e-8
    assert_same(model, clone(model).set_params(warm_start=False).fit(X, y))


def test_every_label_may_be_replaced():
    X, y, truth = digits()
    model = LapRLSClassifier(**SETTINGS).fit(X, y)
    other = np.full_like(y, -1)
    other[100:130] = truth[100:130]
    model.fit(X, other)
    assert_same(model, clone(model).fit(X, other))


def test_a_new_class_may_appear():
    X, y, _ = digits()
    few = np.where(y == 3, -1, y)
    model = LapRLSClassifier(**SETTINGS).fit(X, few)
    assert list(model.classes_) == [0, 1, 2]
    model.fit(X, y)
    assert list(model.classes_) == [0, 1, 2, 3]
    assert_same(model, clone(model).fit(X, y))


def test_other_points_are_seen_even_in_the_same_array(counted):
    X, y, _ = digits()
    model = LapRLSClassifier(**SETTINGS).fit(X, y)
    X[:, 3] += np.linspace(0, 5, len(X))
    model.fit(X, y)
    assert len(counted) == 2
    assert_same(model, clone(model).fit(X, y))


def test_other_parameters_are_seen(counted):
    X, y, _ = digits()
    model = LapRLSClassifier(**SETTINGS).fit(X, y)
    model.set_params(gamma_I="rule").fit(X, y)
    assert len(counted) == 2
    assert_same(model, clone(model).fit(X, y))


def test_settings_are_chosen_anew_when_labels_have_grown_by_half():
    X, truth = make_moons(200, noise=0.1, random_state=0)
    y = np.full(200, -1)
    y[:20] = truth[:20]
    model = LapRLSClassifier(warm_start=True).fit(X, y)
    first = model.selection_
    y[20:28] = truth[20:28]
    assert model.fit(X, y).selection_ is first
    y[28:32] = truth[28:32]
    assert model.fit(X, y).selection_ is not first
    chosen = LapRLSClassifier(**model.selection_.choice).fit(X, y)
    np.testing.assert_allclose(readout(model), readout(chosen), atol=1e-5)


def test_diagnostics_of_a_warm_fit_are_those_of_a_fresh_one():
    X, y, truth = digits()
    model = LapRLSClassifier(**SETTINGS).fit(X, y)
    model.fit(X, changed(y, truth))
    fresh = clone(model).set_params(warm_start=False).fit(X, changed(y, truth))
    np.testing.assert_allclose(model.leave_one_out_, fresh.leave_one_out_, atol=1e-5)
    np.testing.assert_allclose(model.predict_proba(X[:9]), fresh.predict_proba(X[:9]), atol=1e-5)
    np.testing.assert_allclose(model.novelty(X[:9] + 0.5), fresh.novelty(X[:9] + 0.5), atol=1e-5)


def test_a_regularizer_that_reads_labels_is_built_again(counted):
    from lapwing.regularizers import ClassWise

    X, y, truth = digits()
    model = LapRLSClassifier(**{**SETTINGS, "regularizer": ClassWise()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y).fit(X, changed(y, truth))
        assert len(counted) == 2
        assert_same(model, clone(model).fit(X, changed(y, truth)))


def test_without_a_graph_it_is_a_fresh_fit():
    X, y, truth = digits()
    model = LapRLSClassifier(**{**SETTINGS, "gamma_I": 0.0}).fit(X, y)
    model.fit(X, changed(y, truth))
    assert_same(model, clone(model).fit(X, changed(y, truth)))


def test_what_is_kept_is_not_saved_and_an_error_changes_nothing():
    X, y, truth = digits()
    model = LapRLSClassifier(**SETTINGS).fit(X, y)
    before = readout(model)
    with pytest.raises(ValueError, match="label"):
        model.fit(X, np.full_like(y, -1))
    np.testing.assert_array_equal(readout(model), before)
    loaded = pickle.loads(pickle.dumps(model))
    assert not hasattr(loaded, "_warm")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    loaded.fit(X, changed(y, truth))
    assert_same(loaded, clone(model).fit(X, changed(y, truth)))


def test_it_is_true_or_false():
    X, y, _ = digits()
    with pytest.raises(ValueError, match="warm_start='yes' must be True or False"):
        LapRLSClassifier(warm_start="yes").fit(X, y)


def clusters(n, labels):
    X, truth = make_blobs(n, 12, centers=10, cluster_std=5.0, random_state=0)
    order = np.random.default_rng(0).permutation(n)
    y = np.full(n, -1)
    y[order[:labels]] = truth[order[:labels]]
    return X, y, truth, order[labels:]


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_certificate_of_kept_sections_needs_no_product_with_the_kernel(fit_intercept):
    X, y, truth, others = clusters(1100, 40)
    model = LapRLSClassifier(**SETTINGS, fit_intercept=fit_intercept, space="exact").fit(X, y)
    y[others[0]] = truth[others[0]]
    problem, found = model.fit(X, y).objective_, model.solution_
    e, kept = Element(problem.space, found.coef, found.base), problem.deformation.kept
    G, K = problem.gradient(e).coef, problem.space.gram
    values = known_values(kept, K, G)
    own = G[: len(K)]
    size = np.sqrt((own * (K @ own)).sum(axis=0))
    np.testing.assert_allclose(np.sqrt((own * values).sum(axis=0)), size, rtol=1e-3)
    assert found.optimality == pytest.approx(problem.optimality(e), rel=1e-3)
    # of any other function nothing is known
    G[others[1:]] += 1e-6
    assert known_values(kept, K, G) is None


def test_what_iterations_leave_of_sections_does_not_add_up():
    """The smooth part of the residuals is common to all, and K sees little else."""
    X, y, _, _ = clusters(1100, 40)
    problem = LapRLSClassifier(**SETTINGS, fit_intercept=False, space="exact").fit(X, y).objective_
    kept, K = problem.deformation.kept, problem.space.gram
    rest = np.eye(len(K))[:, kept.rows] - kept.engine.apply(kept.C, kept.F)
    seen = np.linalg.norm(K[kept.rows] @ rest, axis=0)
    assert (seen <= 1e-3 * np.linalg.norm(K[kept.rows]) * np.linalg.norm(rest, axis=0)).all()
