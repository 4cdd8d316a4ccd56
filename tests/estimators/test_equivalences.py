"""What must come out equal: other libraries at γ_I = 0, spaces, solvers, rows in another order."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, SVR

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC, ManifoldClassifier, ManifoldRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.losses import EpsilonInsensitive, Squared
from lapwing.operators import ZeroOperator
from lapwing.problem import manifold_problem
from lapwing.regularizers import KernelNorm, Laplacian
from lapwing.solvers import CG
from lapwing.spaces import Exact
from problems import BY_RULE, Problem

pytestmark = pytest.mark.filterwarnings("ignore::lapwing.exceptions.UnreachedWarning")

P = Problem(0, 3)
TWO = Problem(1)
GAMMA = 0.02


def close(a, b, tol=1e-6):
    assert_allclose(a, b, rtol=0, atol=tol * max(1.0, np.abs(b).max()))


def test_kernel_ridge():
    """γ_I = 0 without intercept is KernelRidge(alpha=γ_A l) on the labeled rows."""
    l = P.labeled.sum()
    model = LapRLSRegressor(kernel=RBF(1.0), gamma_A=GAMMA, gamma_I=0.0, fit_intercept=False)
    model.fit(P.X, P.target)
    ridge = KernelRidge(alpha=GAMMA * l, kernel="rbf", gamma=0.5)
    ridge.fit(P.X[P.labeled], P.target[P.labeled])
    close(model.predict(P.new), ridge.predict(P.new), 1e-9)


def test_svc():
    """γ_I = 0 is SVC(C=1/(2 γ_A l)) on the labeled rows."""
    l = TWO.labeled.sum()
    model = LapSVC(kernel=RBF(1.0), gamma_A=GAMMA, gamma_I=0.0, fit_intercept=True).fit(
        TWO.X, TWO.y
    )
    svc = SVC(C=1 / (2 * GAMMA * l), kernel="rbf", gamma=0.5, tol=1e-10)
    svc.fit(TWO.X[TWO.labeled], TWO.truth[TWO.labeled])
    close(model.decision_function(TWO.new), svc.decision_function(TWO.new))


def test_svr():
    l = P.labeled.sum()
    loss = EpsilonInsensitive(0.2)
    model = ManifoldRegressor(
        loss=loss, kernel=RBF(1.0), gamma_A=GAMMA, gamma_I=0.0, fit_intercept=True
    )
    model.fit(P.X, P.target)
    svr = SVR(C=1 / (2 * GAMMA * l), epsilon=0.2, kernel="rbf", gamma=0.5, tol=1e-10)
    svr.fit(P.X[P.labeled], P.target[P.labeled])
    close(model.predict(P.new), svr.predict(P.new))


def test_regularized_in_the_deformed_space():
    """LapRLS is ridge regression with the deformed kernel: KernelRidge sees K̃ only."""
    p = Problem(2)
    model = LapRLSClassifier(**BY_RULE | {"fit_intercept": False, **p.settings}).fit(p.X, p.y)
    ratio = p.gamma_I / (p.gamma_A * p.n**2)
    space = Exact(p.K, p.built, p.X)
    deformed = space.deformed(p.regularizer.build(p.X), 1.0, ratio)
    K = p.K @ deformed.lift(np.eye(p.n))
    rows = p.labeled
    ridge = KernelRidge(alpha=p.gamma_A * rows.sum(), kernel="precomputed")
    ridge.fit(K[np.ix_(rows, rows)], p.signs[rows, 0])
    close(model.decision_function(p.X), ridge.predict(K[:, rows]))
    over = Exact(0.5 * (K + K.T), p.built, p.X)
    plain = manifold_problem(
        Squared(), p.signs, p.weights()[:, None], over, ZeroOperator(p.n), p.gamma_A, 0.0
    )
    found = CG(1e-10).solve(plain)
    close(K @ found.coef[:, 0], model.decision_function(p.X))


def test_proposition_6():
    """M = K⁻¹ is RLS at γ_A + γ_I/n²."""
    p = Problem(3)
    kernel = RBF(0.5)  # sharp, so that K is far from singular
    settings = {"kernel": kernel, "fit_intercept": False}
    M = np.linalg.inv(kernel(p.X))
    given = LapRLSClassifier(
        **BY_RULE
        | {"gamma_A": 0.01, "gamma_I": 0.3 * p.n**2, "regularizer": 0.5 * (M + M.T), **settings}
    )
    norm = LapRLSClassifier(
        **BY_RULE
        | {"gamma_A": 0.01, "gamma_I": 0.3 * p.n**2, "regularizer": KernelNorm(kernel), **settings}
    )
    rls = LapRLSClassifier(**BY_RULE | {"gamma_A": 0.31, "gamma_I": 0.0, **settings}).fit(p.X, p.y)
    for model in (given, norm):
        close(model.fit(p.X, p.y).decision_function(p.X), rls.decision_function(p.X))


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", ["squared", "hinge", "squared_hinge", "logistic"])
def test_duplicated_rows_are_doubled_weights(loss, intercept):
    """At γ_I = 0 and a fixed width; with a graph they would be new points."""
    rng = np.random.default_rng(0)
    settings = {
        "loss": loss,
        "kernel": RBF(1.0),
        "gamma_A": GAMMA,
        "gamma_I": 0.0,
        "fit_intercept": intercept,
    }
    times = rng.integers(1, 4, P.n)
    repeated = np.repeat(np.arange(P.n), times)
    weighted = ManifoldClassifier(**BY_RULE | settings).fit(P.X, P.y, sample_weight=times)
    duplicated = ManifoldClassifier(**BY_RULE | settings).fit(P.X[repeated], P.y[repeated])
    close(weighted.decision_function(P.new), duplicated.decision_function(P.new), 1e-5)


def test_weight_zero_is_unlabeled():
    weight = P.weight.copy()
    dropped = np.flatnonzero(P.labeled)[:2]
    weight[dropped] = 0.0
    y = P.y.copy()
    y[dropped] = -1
    a = LapRLSClassifier(**BY_RULE | P.settings).fit(P.X, P.y, sample_weight=weight)
    b = LapRLSClassifier(**BY_RULE | P.settings).fit(P.X, y, sample_weight=P.weight)
    assert_allclose(a.decision_function(P.new), b.decision_function(P.new), atol=1e-12)
    assert_array_equal(a.labeled_, b.labeled_)


@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapSVC])
def test_scaled_weights_change_nothing(estimator):
    a = estimator(**P.settings).fit(P.X, P.y, sample_weight=P.weight)
    b = estimator(**P.settings).fit(P.X, P.y, sample_weight=7.0 * P.weight)
    close(a.decision_function(P.new), b.decision_function(P.new))


@pytest.mark.parametrize("size", [1e308, 1e-300])
@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapSVC])
def test_the_sum_of_huge_weights_is_a_number(estimator, size):
    a = estimator(**BY_RULE | P.settings).fit(P.X, P.y)
    b = estimator(**BY_RULE | P.settings).fit(P.X, P.y, sample_weight=np.full(len(P.y), size))
    c = estimator(**BY_RULE | P.settings, class_weight=dict.fromkeys(a.classes_, size))
    for other in (b, c.fit(P.X, P.y)):
        assert_allclose(other.decision_function(P.X), a.decision_function(P.X), atol=1e-8)


@pytest.mark.parametrize("loss", ["squared", "hinge", "squared_hinge", "logistic"])
@pytest.mark.parametrize("seed", [0, 4, 8])
def test_permuted_rows_permuted_answer(seed, loss):
    p = Problem(seed, 3)
    order = np.random.default_rng(seed).permutation(p.n)
    a = ManifoldClassifier(**BY_RULE | {"loss": loss, **p.settings}).fit(p.X, p.y)
    b = ManifoldClassifier(**BY_RULE | {"loss": loss, **p.settings}).fit(p.X[order], p.y[order])
    close(b.decision_function(p.X[order]), a.decision_function(p.X)[order])
    close(b.decision_function(p.new), a.decision_function(p.new))
    assert_array_equal(b.transduction_, a.transduction_[order])


def test_renamed_classes_renamed_answer():
    """The order of the classes' names decides the columns only."""
    names = np.array(["plum", "fig", "pear"])
    y = np.where(P.y >= 0, names[P.y], None)
    a = LapRLSClassifier(**BY_RULE | P.settings).fit(P.X, P.y)
    b = LapRLSClassifier(**BY_RULE | P.settings).fit(P.X, y)
    assert_array_equal(b.classes_, ["fig", "pear", "plum"])
    assert_array_equal(b.predict(P.new), names[a.predict(P.new)])
    columns = np.searchsorted(b.classes_, names)
    assert_allclose(b.decision_function(P.new)[:, columns], a.decision_function(P.new), atol=1e-9)


def test_two_classes_swapped():
    a = LapSVC(**BY_RULE | TWO.settings).fit(TWO.X, TWO.y)
    b = LapSVC(**BY_RULE | TWO.settings).fit(TWO.X, np.where(TWO.y >= 0, 1 - TWO.y, -1))
    close(b.decision_function(TWO.new), -a.decision_function(TWO.new))


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", ["squared", "hinge", "squared_hinge", "logistic"])
@pytest.mark.parametrize("points", [np.asarray, sp.csr_matrix], ids=["dense", "csr"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_linear_kernel_in_every_space(points, loss, intercept):
    p = Problem(6, 3)
    settings = p.settings | {"kernel": "linear", "loss": loss, "fit_intercept": intercept}
    exact, *others = (
        ManifoldClassifier(**BY_RULE | {"space": space, **settings}).fit(points(p.X), p.y)
        for space in ("exact", "blockwise", "linear")
    )
    for model in others:
        close(model.decision_function(p.X), exact.decision_function(p.X))
        close(model.decision_function(points(p.new)), exact.decision_function(p.new))
    w = others[1].coef_
    assert w.shape == (3, 3)
    close(p.new @ w + others[1].intercept_, exact.decision_function(p.new))


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_blockwise_is_exact(seed):
    p = Problem(seed, 3)
    a = LapRLSClassifier(**BY_RULE | {"space": "exact", **p.settings}).fit(p.X, p.y)
    b = LapRLSClassifier(**BY_RULE | {"space": "blockwise", "tol": 1e-10, **p.settings}).fit(
        p.X, p.y
    )
    close(b.decision_function(p.new), a.decision_function(p.new))


@pytest.mark.parametrize("seed", [1, 3, 7])
def test_direct_newton_and_cg_agree(seed):
    p = Problem(seed, 4)
    direct, *others = (
        LapRLSClassifier(**BY_RULE | {"solver": solver, **p.settings}).fit(p.X, p.y)
        for solver in ("direct", "cg", "newton")
    )
    for model in others:
        close(model.decision_function(p.new), direct.decision_function(p.new))


def test_single_precision_factor_gives_double_precision_answers(monkeypatch):
    """n ≥ 1000 factors in float32 and refines; the answer is that of the float64 factor."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 5))
    y = np.where(np.arange(1000) < 60, (X[:, 0] > 0).astype(int), -1)
    settings = {"regularizer": Laplacian(KNN(n_neighbors=6)), "gamma_A": 1e-4, "gamma_I": 100.0}
    models = [LapRLSClassifier, LapSVC]
    mixed = [model(**settings).fit(X, y) for model in models]
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MIXED_FROM", 10**9)
    double = [model(**settings).fit(X, y) for model in models]
    for a, b in zip(mixed, double, strict=True):
        assert a.solution_.optimality < 1e-9
        close(a.decision_function(X[:50]), b.decision_function(X[:50]), 1e-8)


@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapSVC])
@pytest.mark.parametrize("seed", [0, 1, 5])
def test_precomputed_is_the_kernel_itself(estimator, seed):
    """The Gram matrix carries its own distances: the same graph, the same everything."""
    p = Problem(seed)
    kernel = p.built
    features = np.linalg.eigh(p.K)
    phi = features[1] * np.sqrt(np.maximum(features[0], 0.0))  # rows at the kernel's distances
    settings = {
        "gamma_A": p.gamma_A,
        "gamma_I": p.gamma_I,
        "regularizer": Laplacian(KNN(n_neighbors=5)),
    }
    a = estimator(kernel="precomputed", **settings).fit(p.K, p.y)
    b = estimator(kernel="linear", **settings).fit(phi, p.y)
    close(a.decision_function(p.K), b.decision_function(phi))
    # with one graph given for both, the kernel and its matrix cannot differ at new points
    W = p.regularizer.graph.build(p.X).W
    settings["regularizer"] = sp.csgraph.laplacian(W).tocsr()
    a = estimator(kernel="precomputed", **settings).fit(p.K, p.y)
    b = estimator(kernel=kernel, **settings).fit(p.X, p.y)
    close(a.decision_function(kernel(p.new, p.X)), b.decision_function(p.new))


def test_callable_kernel_is_the_kernel():
    settings = P.settings | {"kernel": lambda X, Z: RBF(1.5)(X, Z)}
    a = LapRLSClassifier(**BY_RULE | settings).fit(P.X, P.y)
    b = LapRLSClassifier(**BY_RULE | (P.settings | {"kernel": RBF(1.5)})).fit(P.X, P.y)
    close(a.decision_function(P.new), b.decision_function(P.new), 1e-9)
