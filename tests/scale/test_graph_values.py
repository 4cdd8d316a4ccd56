"""Values on the points: the graph's own problem, solved; and an ambient view that learns it."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_swiss_roll

from lapwing import (
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldClassifier,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.datasets import keep_labels, load_digits, make_two_moons
from lapwing.exceptions import ScaleWarning, UnreachedWarning
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.operators import ZeroOperator
from lapwing.regularizers import Laplacian
from lapwing.spaces import GraphValues, GraphValuesSpace, Landmarks, WithFreeFunctions, choose_space
from lapwing.spaces.landmarks import CHOICES
from lapwing.testing import check_deformation, check_space
from problems import BY_RULE

POINTS = np.random.default_rng(0).normal(size=(40, 3))
M = Laplacian(KNN(n_neighbors=5), degree=2).build(POINTS)


@pytest.fixture(scope="module")
def digits():
    X, y, truth = load_digits(random_state=0)
    return X, y, truth


@pytest.mark.parametrize("intercept", [False, True])
def test_contracts(intercept):
    space = WithFreeFunctions(GraphValuesSpace(40)) if intercept else GraphValuesSpace(40)
    check_space(space)
    for lam in (1e-3, 1.0):
        check_deformation(space, M, gamma_A=0.1, lam=lam, rtol=1e-7)


def test_kernel_of_nearly_free_constants():
    """K̃ is right where γ_A leaves the constants almost free, and its lift is K̃ at the rows."""
    gamma_A, lam, rows = 1e-6, 1e-3, np.array([3, 11, 29])
    K = np.linalg.inv(gamma_A / 40 * np.eye(40) + lam * M.toarray())
    found = GraphValuesSpace(40).deformed(M, gamma_A, lam)
    kernel = found.gram(rows)
    assert_allclose(kernel.shared, K[np.ix_(rows, rows)], rtol=1e-3)
    beta = np.array([[1.0], [-1.0], [0.0]])  # sees none of the constants: no digits are lost
    readout = kernel.lift(beta)
    assert_allclose(readout, K[:, rows] @ beta, atol=1e-4 * np.abs(K[:, rows] @ beta).max())


@pytest.mark.parametrize("solver", ["direct", "cg", "newton"])
def test_solvers_by_name_know_the_graph(solver):
    """Plain ones would call 1e-3 of the gradient at zero converged, far from what it is here."""
    X, _, truth = make_two_moons(3_000, noise=0.05, random_state=0)
    y = keep_labels(truth, 10, random_state=0)  # of two the minimizer itself knows too little
    given = {"regularizer": Laplacian(KNN(6), degree=2), "gamma_A": "rule", "gamma_I": "rule"}
    model = LapRLSClassifier(kernel=RBF("local"), **given, space="graph", fit_intercept=False)
    exact = model.fit(X, y).transduction_.copy()
    assert np.mean(exact != truth) < 0.02
    named = model.set_params(solver=solver).fit(X, y)
    assert np.mean(named.transduction_ != exact) < 0.005


@pytest.mark.parametrize("space", ["graph", GraphValues(Landmarks(30))])
def test_without_a_graph_functions_of_the_kernel_answer(space):
    """Values on the points would stay 0 where there is no label, and be called the first class."""
    X, _, truth = make_two_moons(200, random_state=0)
    y = keep_labels(truth, 20, random_state=0)
    given = {"kernel": RBF(0.5), "gamma_A": 1e-4, "gamma_I": 0.0, "fit_intercept": False}
    found, expected = (
        LapRLSClassifier(**given, space=s).fit(X, y).transduction_ for s in (space, "exact")
    )
    assert_array_equal(found, expected)
    assert np.mean(found != truth) < 0.2


def test_kernels_of_huge_values_are_learned_from():
    """Squares of 1e20 beside a ridge of 1e-2 are not positive after rounding."""
    X, y, _ = make_two_moons(200, random_state=0)
    given = {"gamma_A": 1e-3, "gamma_I": 10.0, "regularizer": Laplacian(KNN(6))}
    model = LapRLSClassifier(kernel=1e20 * RBF(1.0), **given, space="graph").fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


def test_stopping_early_needs_a_kernel():
    X, y, _ = make_two_moons(200, random_state=0)
    with pytest.raises(ValueError, match="every fit stops early: use solver='auto'"):
        LapRLSClassifier(space="graph", solver="early_stopping", gamma_A=1e-3).fit(X, y)


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_closed_form(fit_intercept):
    """(W + λM + γ_A/n) g = W(y − b), the harmonic-like solution of the graph."""
    rng = np.random.default_rng(1)
    y = np.full(40, np.nan)
    y[:8] = rng.normal(size=8)
    model = LapRLSRegressor(
        space="graph",
        regularizer=Laplacian(KNN(n_neighbors=5), degree=2),
        gamma_A=1e-3,
        gamma_I=1.6,
        fit_intercept=fit_intercept,
        tol=1e-10,
    ).fit(POINTS, y)
    w = np.where(np.isnan(y), 0.0, 1 / 8)
    A = np.diag(w) + 1.6 / 1600 * M.toarray() + 1e-3 / 40 * np.eye(40)
    A, r = np.pad(A, (0, 1)), np.append(w * np.nan_to_num(y), 0.0)
    A[:40, 40] = A[40, :40] = w
    A[40, 40], r[40] = (1.0, w @ np.nan_to_num(y)) if fit_intercept else (1.0, 0.0)
    if not fit_intercept:
        A[:40, 40] = A[40, :40] = 0.0
    g = np.linalg.solve(A, r)
    assert_allclose(model.transduction_, g[:40] + g[40], atol=1e-7)


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC, LapLogisticClassifier])
def test_every_loss_is_certified_and_predicts(Model, digits):
    X, y, truth = digits
    seen = np.arange(len(X)) % 5 > 0
    model = Model(**BY_RULE, space="graph").fit(X[seen], y[seen])
    assert model.solution_.status.name == "CONVERGED"
    graph = np.mean(model.transduction_ != truth[seen])
    assert graph < 0.08
    assert np.mean(model.predict(X[~seen]) != truth[~seen]) < graph + 0.03
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X[~seen]) == model.predict(X[~seen])).all()


def test_sparse_rows(digits):
    X, y, _ = digits
    dense = LapRLSClassifier(**BY_RULE, space="graph").fit(X, y)
    sparse = LapRLSClassifier(**BY_RULE, space="graph").fit(sp.csr_array(X), y)
    assert (sparse.transduction_ == dense.transduction_).mean() > 0.999
    assert_allclose(
        sparse.decision_function(sp.csr_array(X[:9])), dense.decision_function(X[:9]), atol=1e-3
    )


def test_ambient_view_learns_in_blocks(monkeypatch, digits):
    """Statistics of blocks are those of all rows: the ridge solution of the dense features."""
    from lapwing.linalg import blocks
    from lapwing.spaces.out_of_sample import RIDGE, Learner

    X, _, truth = digits
    answers = np.where(truth[:, None] == np.arange(10), 1.0, -1.0)
    kernel, landmarks = RBF(30.0), Landmarks(50)
    Z = landmarks.features(kernel, X)(X)
    expected = Z @ np.linalg.solve(Z.T @ Z + RIDGE * np.eye(50), Z.T @ answers)
    monkeypatch.setattr(blocks, "BUFFER_BYTES", 8 * 50 * 100)
    view = Learner(landmarks.features(kernel, X), X, np.arange(len(X)))(answers)
    assert_allclose(view(X), expected, atol=1e-8)
    assert view.rank == 50


@pytest.mark.parametrize("choice", CHOICES)
def test_landmarks_explain_the_kernel(choice):
    """As many landmarks as rows: Nyström is exact; repeated rows are left out of the rank."""
    X = np.random.default_rng(2).normal(size=(60, 2))
    X = np.vstack([X, X[:20]])
    kernel = RBF(0.5)
    space = Landmarks(80, choice=choice).build(kernel, X)
    assert 40 < space.n_coef <= 60
    assert_allclose(space.Z @ space.Z.T, kernel(X), atol=1e-8)
    few = Landmarks(15, choice=choice, random_state=1)
    assert few.build(kernel, X).n_coef in (14, 15)  # a repeated row may be drawn


def test_greedy_is_no_worse_than_uniform():
    X = np.random.default_rng(3).normal(size=(300, 3))
    left = {}
    for choice in ("uniform", "greedy"):
        Z = Landmarks(40, choice=choice).build(RBF(1.0), X).Z
        left[choice] = 300 - np.sum(Z * Z)
    assert left["greedy"] < left["uniform"]


def test_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="choice"):
        Landmarks(5, choice="best").build(RBF(1.0), POINTS)


def test_auto_climbs(monkeypatch):
    """Exact as long as it may be, the graph beyond it, said once; linear features stay linear."""
    from lapwing.spaces import choose

    monkeypatch.setattr(choose, "EXACT_UP_TO", 30)
    S = sp.csr_array(POINTS)

    def chosen(kernel, X, smooth=True):
        return type(choose_space("auto", kernel, X, smooth)).__name__

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen(RBF(1.0), POINTS[:30]) == "Exact"
        assert chosen(RBF(1.0), POINTS, smooth=False) == "Exact"
        assert chosen(Linear(), POINTS) == "Features"
        assert chosen(Linear(), S, smooth=False) == "Features"
        assert chosen(Linear(), S) == "Features"
    assert chosen(RBF(1.0), POINTS) == "GraphValuesSpace"


def test_without_memory_the_graph_serves(monkeypatch):
    from lapwing.spaces import choose

    monkeypatch.setattr(choose, "available_bytes", lambda: 1000)
    space = choose_space("auto", RBF(1.0), POINTS, smooth=True)
    assert space.n_coef == 40


def test_values_have_no_place_elsewhere():
    space = GraphValues().build(RBF(1.0), POINTS)
    with pytest.raises(TypeError, match="ambient"):
        space.evaluate_at(POINTS, np.zeros((40, 1)))
    with pytest.raises(ValueError, match="precomputed"):
        LapRLSClassifier(kernel="precomputed", space="graph").fit(np.eye(4), [0, 1, -1, -1])


def test_without_smoothness_nothing_reaches():
    """K̃ = (n/γ_A) I where M = 0: every point is alone."""
    kernel = GraphValuesSpace(5).deformed(ZeroOperator(5), 0.5, 0.0).gram(np.array([1, 3]))
    assert_allclose(kernel.shared, 10.0 * np.eye(2), rtol=1e-6)


def test_much_data_is_compared_on_the_graph_of_all_rows(monkeypatch, digits):
    """The graph that the search has built is the one of the fit, and covers all rows."""
    from lapwing.spaces import choose

    monkeypatch.setattr(choose, "EXACT_UP_TO", 1000)
    X, y, truth = digits
    model = LapRLSClassifier().fit(X, y)
    assert model.regularizer_.n == len(X)
    powers = {str(t.regularizer) for t in model.selection_.trials if t.gamma_I}
    assert len(powers) >= 2 and (model.selection_.gamma_I == 0).any()
    assert np.mean(model.transduction_ != truth) < 0.05


def test_related_outputs_climb_too(digits):
    """Several labels per row over the graph: the ambient view predicts all of them."""
    X, y, truth = digits
    Y = np.full((len(X), 2), np.nan)
    Y[y >= 0] = np.column_stack([y[y >= 0] % 2, y[y >= 0] < 5])
    model = VectorValuedClassifier(**BY_RULE, space="graph").fit(X, Y)
    assert model.solution_.status.name == "CONVERGED"
    wrong = model.predict(X) != np.column_stack([truth % 2, truth < 5])
    assert wrong.mean() < 0.1


def test_large_exact_fits_are_announced(monkeypatch):
    """Without a penalty that joins the points, and for several views, nothing climbs."""
    from lapwing.spaces import choose

    monkeypatch.setattr(choose, "FORM_LIMIT", 30)
    with pytest.warns(ScaleWarning, match="landmarks"):
        choose_space("auto", RBF(1.0), POINTS, smooth=False)


def test_many_columns_of_text_climb(monkeypatch):
    """A primal that cannot be factored is left for the graph."""
    from lapwing.spaces import choose

    monkeypatch.setattr(choose, "EXACT_UP_TO", 30)
    monkeypatch.setattr(choose, "FEW_COEFFICIENTS", 2)
    space = choose_space("auto", Linear(), sp.csr_array(POINTS), smooth=True)
    assert type(space).__name__ == "GraphValuesSpace"


def test_rows_that_no_label_reaches_are_answered_by_the_ambient_view():
    """Two pairs of clouds; the second pair is cut off from all labels, and lies beside the first.

    The graph tells nothing there: its values are 0, which would be the first class.
    """
    random = np.random.default_rng(0)
    truth = np.repeat([0, 1, 0, 1], 60)
    centers = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 3.0], [10.0, 3.0]])
    X = np.repeat(centers, 60, axis=0) + 0.2 * random.normal(size=(240, 2))
    y = np.full(240, -1)
    y[[0, 60]] = 0, 1
    model = LapRLSClassifier(
        kernel=RBF(3.0), regularizer=Laplacian(KNN(5)), gamma_A="rule", gamma_I="rule",
        fit_intercept=False, space="graph",
    )  # fmt: skip
    with pytest.warns(UnreachedWarning):
        model.fit(X, y)
    assert_array_equal(model.unreached_, np.arange(240) >= 120)
    assert_array_equal(model.transduction_, truth)
    assert_array_equal(model.predict(X), truth)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_losses_that_are_nearly_flat_are_minimized_on_many_points(monkeypatch, loss):
    monkeypatch.setattr("lapwing.spaces.point_systems.FEW_POINTS", 100)
    monkeypatch.setattr("lapwing.spaces.graph_values.FEW_POINTS", 100)
    monkeypatch.setattr("lapwing.spaces.modal.FEW_POINTS", 100)
    X, y, _ = make_two_moons(160, labels_per_class=5, random_state=0)
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
    model = ManifoldClassifier(**given, loss=loss, space="graph")
    found, tight = model.fit(X, y), clone(model).set_params(tol=1e-10, solver="newton").fit(X, y)

    def reached(m):
        return float(m.objective_.value(m.objective_.space.element(m.solution_.coef)).sum())

    assert found.solution_.status.name == "CONVERGED"
    assert reached(found) <= reached(tight) * (1 + 1e-3)


@pytest.mark.parametrize("gamma_I", ["rule", "0.01*rule", "0.0001*rule"])
@pytest.mark.parametrize("model", [VectorValuedClassifier, LapLogisticClassifier], ids=str)
def test_a_small_penalty_still_reaches_unlabeled_rows(model, gamma_I):
    """∇(0) lies at the labels: beside it λ is small, and CONVERGED once left other rows at zero."""
    n, l = 2_100, 150
    X, truth = make_blobs(n, 5, centers=3, cluster_std=1.0, random_state=0)
    codes = np.where(np.arange(n) < l, truth, -1)
    if model is VectorValuedClassifier:
        truth = np.column_stack([truth == 0, truth > 0]).astype(float)
        codes = np.where(np.arange(n)[:, None] < l, truth, np.nan)
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "space": "graph"}
    found = model(**given, gamma_I=gamma_I, fit_intercept=False).fit(X, codes)
    assert found.solution_.status.name == "CONVERGED"
    assert np.mean(found.transduction_ != truth) < 0.02


def test_the_default_regression_on_many_rows_is_the_minimizer():
    """A small λ beside heavy labels: float32 stopped at 27 times the minimum, R² 0.86 not 0.998."""
    n, l = 2_400, 60
    X, truth = make_swiss_roll(n, noise=0.1, random_state=0)
    truth = (truth - truth.mean()) / truth.std()
    y = np.where(np.arange(n) < l, truth, np.nan)
    given = {"kernel": "rbf", "gamma_A": 1e-8, "gamma_I": "0.1*rule", "space": "graph"}
    given["regularizer"] = Laplacian(KNN(6), normalized="bistochastic", degree=2)
    model = LapRLSRegressor(**given).fit(X, y)
    assert model.solution_.status.name == "CONVERGED"
    o, w = model.objective_, np.zeros(n)
    w[o.rows] = o.w[:, 0]
    A = o.gamma_A / n * np.eye(n) + o.lam * o.operator.toarray() + np.diag(w)
    B = np.block([[A, w[:, None]], [w[None], np.full((1, 1), w.sum())]])
    right = np.append(w * truth, w @ truth)
    least = np.linalg.solve(B, right)[:, None]
    found, minimum = (float(o.value(o.space.element(c))[0]) for c in (model.solution_.coef, least))
    assert found < 1.1 * minimum
    assert np.mean((model.transduction_ - truth)[l:] ** 2) < 0.01


@pytest.mark.parametrize("gamma_I", ["rule", "0.1*rule"])
@pytest.mark.parametrize("model", [VectorValuedRegressor, LapRLSRegressor], ids=str)
def test_the_zero_of_targets_does_not_matter_on_many_rows(model, gamma_I):
    """Certificates are measured from the mean: Kelvin was answered worse than °C, CONVERGED."""
    n, l = 2_400, 60
    X, truth = make_swiss_roll(n, noise=0.1, random_state=0)
    y = np.column_stack([truth, -truth]) / truth.std()
    y[l:] = np.nan
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "space": "graph"}
    here, far = (model(**given, gamma_I=gamma_I).fit(X, y + b).transduction_ for b in (0.0, 1e4))
    assert_allclose(far - 1e4, here, atol=0.05)


def test_related_outputs_on_many_rows_are_the_minimizer():
    n, l = 2_400, 60
    X, truth = make_swiss_roll(n, noise=0.1, random_state=0)
    y = np.column_stack([truth, 2.0 * truth]) / truth.std()
    y[l:] = np.nan
    given = {"kernel": "rbf", "gamma_A": 1e-8, "gamma_I": "0.1*rule", "space": "graph"}
    given["regularizer"] = Laplacian(KNN(6), normalized="bistochastic", degree=2)
    first, second = (VectorValuedRegressor(**given, tol=tol).fit(X, y) for tol in (None, 1e-9))
    assert_allclose(first.transduction_, second.transduction_, atol=0.02)


def test_equal_rows_have_one_answer():
    """More copies than neighbors: the graph cannot join them all."""
    rng = np.random.default_rng(0)
    points = (rng.normal(size=(60, 4)) > 0).astype(float)
    total = points.sum(axis=1) + 0.3 * rng.normal(size=60)
    y = np.where(np.arange(60) < 30, total > 2, -1).astype(int)
    for kind, targets in ((LapRLSClassifier, y), (LapRLSRegressor, np.where(y < 0, np.nan, total))):
        model = kind(regularizer=Laplacian(KNN(3)), space="graph").fit(points, targets)
        assert_allclose(model.predict(points), model.transduction_)
        _, kinds = np.unique(points, axis=0, return_inverse=True)
        for j in range(kinds.max() + 1):
            assert np.ptp(model.transduction_[kinds.ravel() == j]) == 0
