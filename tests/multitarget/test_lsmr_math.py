"""LSMR against independent solutions: Kronecker systems, scipy's Sylvester solver, lstsq."""

import itertools

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from lapwing import LapS3LRegressor, LSMRRegressor, SSSLRegressor
from lapwing.graphs import KNN, correlation_weights
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from lapwing.solvers import Status

GRAPH = Laplacian(KNN(5), normalized=False)
KERNELS = [RBF(1.5), "linear", "cosine"]


def features(model, K):
    """X = U Σ^p from numpy's full eigendecomposition, signs as they come."""
    sigma, U = np.linalg.eigh(K)
    s = model.n_components_
    sigma, U = sigma[::-1][:s], U[:, ::-1][:, :s]
    return U * sigma ** (1.0 if model.feature_map == "KU" else 0.5)


def normal_equations(model, X, y):
    """A, B and C of A W + W B = C, straight from eq. 2 divided by l."""
    n = len(y)
    seen = ~np.isnan(y[:, 0])
    l = seen.sum()
    Z = features(model, model.kernel_(X))
    L = GRAPH.build(X).toarray()
    A = Z[seen].T @ Z[seen] / l + model.gamma_I_ / n**2 * Z.T @ L @ Z
    M = correlation_weights(np.nan_to_num(y), seen[:, None])
    B = model.gamma_M_ * (np.diag(M.sum(axis=1)) - M)
    return Z, A, B, Z[seen].T @ y[seen] / l


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
@pytest.mark.parametrize("gamma_M", [1e-4, 1.0])
def test_agrees_with_scipys_sylvester_solver(problem, kernel, feature_map, gamma_M):
    X, y, _ = problem
    model = LSMRRegressor(
        kernel=kernel, n_components=4, feature_map=feature_map, regularizer=GRAPH,
        gamma_I=3.0, gamma_M=gamma_M, fit_intercept=False,
    ).fit(X, y)  # fmt: skip
    Z, A, B, C = normal_equations(model, X, y)
    W = solve_sylvester(A, B, C)
    np.testing.assert_allclose(model.transduction_, Z @ W, atol=1e-8)
    assert model.solution_.optimality < 1e-10


@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
@pytest.mark.parametrize("intercept", [False, True])
def test_agrees_with_the_kronecker_system_entry_by_entry(problem, feature_map, intercept):
    """Single entries missing: the dense weighted system of order st (+ t intercepts)."""
    X, y, _ = problem
    y = y.copy()
    rng = np.random.default_rng(5)
    y[(rng.random(y.shape) < 0.3)] = np.nan
    model = LSMRRegressor(
        kernel=RBF(1.5), n_components=12, feature_map=feature_map, regularizer=GRAPH,
        gamma_I=1.0, gamma_M=0.05, fit_intercept=intercept, label_graph=np.ones((3, 3)),
    ).fit(X, y)  # fmt: skip
    Z = features(model, model.kernel_(X))
    n, t = y.shape
    s = Z.shape[1]
    observed = ~np.isnan(y)
    l = observed.any(axis=1).sum()
    L = GRAPH.build(X).toarray()
    extended = np.column_stack([Z, np.ones(n)]) if intercept else Z
    m = extended.shape[1]
    penalty = np.zeros((m, m))
    penalty[:s, :s] = model.gamma_I_ / n**2 * Z.T @ L @ Z
    only_functions = np.diag(np.arange(m) < s).astype(float)
    labels = model.gamma_M_ * (3 * np.eye(3) - np.ones((3, 3)))
    system = np.kron(np.eye(t), penalty) + np.kron(labels, only_functions)
    right = np.zeros(m * t)
    for k in range(t):
        E = extended[observed[:, k]]
        block = slice(k * m, (k + 1) * m)
        system[block, block] += E.T @ E / l
        right[block] = E.T @ y[observed[:, k], k] / l
    W = np.linalg.solve(system, right).reshape(t, m).T
    np.testing.assert_allclose(model.transduction_, extended @ W, atol=1e-7)
    assert model.solution_.optimality < 1e-8


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
def test_sssl_is_laps3l_is_lsmr_at_zero_penalties(problem, intercept, holes, feature_map):
    X, y, _ = problem
    if holes:
        y = y.copy()
        y[np.flatnonzero(~np.isnan(y[:, 0]))[:5], 0] = np.nan
    shared = {"n_components": 10, "fit_intercept": intercept, "feature_map": feature_map}
    sssl = SSSLRegressor(**shared).fit(X, y).predict(X)
    laps3l = LapS3LRegressor(gamma_I=0.0, **shared).fit(X, y).predict(X)
    lsmr = LSMRRegressor(gamma_I=0.0, gamma_M=0.0, **shared).fit(X, y).predict(X)
    np.testing.assert_array_equal(sssl, laps3l)
    np.testing.assert_array_equal(sssl, lsmr)
    smooth = LapS3LRegressor(gamma_I=2.0, **shared).fit(X, y).predict(X)
    np.testing.assert_array_equal(
        smooth, LSMRRegressor(gamma_I=2.0, gamma_M=0.0, **shared).fit(X, y).predict(X)
    )
    assert np.abs(smooth - sssl).max() > 1e-3
    # a penalty that tends to zero tends to its absence
    tiny = LSMRRegressor(gamma_I=1e-9, gamma_M=1e-13, **shared).fit(X, y).predict(X)
    np.testing.assert_allclose(tiny, sssl, atol=1e-5)


@pytest.mark.parametrize(
    "s, gamma_I, intercept",
    # With all eigenvectors and an intercept, constants have two names and no unique minimizer.
    [(5, 0.0, False), (5, 0.0, True), (30, 0.0, False), (30, 2.0, True), (80, 5.0, False)],
)
def test_both_feature_maps_predict_alike_without_label_coupling(problem, s, gamma_I, intercept):
    X, y, _ = problem
    new = np.random.default_rng(1).normal(size=(10, 4))
    a, b = (
        LapS3LRegressor(
            n_components=s, feature_map=f, gamma_I=gamma_I, fit_intercept=intercept,
            regularizer=GRAPH,
        ).fit(X, y).predict(new)
        for f in ("KU", "whitened")
    )  # fmt: skip
    np.testing.assert_allclose(a, b, atol=1e-7, rtol=1e-7)


def test_the_feature_maps_differ_with_label_coupling(problem):
    X, y, _ = problem
    a, b = (
        LSMRRegressor(n_components=8, gamma_M=1.0, feature_map=f).fit(X, y).predict(X)
        for f in ("KU", "whitened")
    )
    assert np.abs(a - b).max() > 1e-2


@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
def test_minimum_norm_when_s_exceeds_the_labeled_rows(problem, feature_map):
    X, y, _ = problem
    model = SSSLRegressor(
        kernel=RBF(1.0), n_components=60, feature_map=feature_map, fit_intercept=False
    ).fit(X, y)
    seen = ~np.isnan(y[:, 0])
    Z = features(model, model.kernel_(X))
    W = np.linalg.lstsq(Z[seen], y[seen], rcond=1e-12)[0]
    np.testing.assert_allclose(model.transduction_, Z @ W, atol=1e-6)
    assert np.linalg.norm(model.coef_) == pytest.approx(np.linalg.norm(W), rel=1e-6)
    np.testing.assert_allclose(model.transduction_[seen], y[seen], atol=1e-7)


def test_minimum_norm_when_s_exceeds_the_rank(problem):
    X, y, _ = problem
    few = SSSLRegressor(kernel="linear", n_components=4).fit(X, y)
    many = SSSLRegressor(kernel="linear", n_components=80).fit(X, y)
    assert many.n_components_ == 4
    np.testing.assert_allclose(many.predict(X), few.predict(X), atol=1e-9)


def test_strong_label_coupling_makes_the_models_equal(problem):
    X, y, _ = problem
    tied = LSMRRegressor(
        kernel="rbf",
        n_components=6,
        gamma_I=0.0,
        gamma_M=1e5,
        label_graph=np.ones((3, 3)),
        fit_intercept=False,
    ).fit(X, y)
    assert np.abs(tied.coef_ - tied.coef_.mean(axis=1, keepdims=True)).max() < 1e-4
    # the direction (1, 1, 1) that L_m does not see is left free: it is SSSL's on the mean target
    mean = SSSLRegressor(kernel="rbf", n_components=6, fit_intercept=False).fit(X, y.mean(axis=1))
    np.testing.assert_allclose(tied.transduction_.mean(axis=1), mean.transduction_, atol=1e-5)


@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
def test_rows_and_targets_may_be_permuted(problem, feature_map):
    X, y, _ = problem
    model = LSMRRegressor(n_components=9, gamma_M=0.01, feature_map=feature_map)
    base = model.fit(X, y).transduction_
    rows = np.random.default_rng(2).permutation(80)
    np.testing.assert_allclose(model.fit(X[rows], y[rows]).transduction_, base[rows], atol=1e-7)
    for order in itertools.islice(itertools.permutations(range(3)), 1, 4):
        np.testing.assert_allclose(
            model.fit(X, y[:, order]).transduction_, base[:, order], atol=1e-8
        )


def test_the_papers_scale(problem):
    """λ_s = l γ_I/n², λ_m = l γ_M: eq. 2 itself, its gradient (6) vanishes at our W."""
    X, y, _ = problem
    model = LSMRRegressor(
        n_components=7, regularizer=GRAPH, gamma_I=4.0, gamma_M=0.2, fit_intercept=False,
        kernel=RBF(1.5),
    ).fit(X, y)  # fmt: skip
    core = model.objective_.space.space
    Z, W = core.vectors * core.scale, model.coef_
    seen = ~np.isnan(y[:, 0])
    l, n = seen.sum(), len(X)
    lam_s, lam_m = l * 4.0 / n**2, l * 0.2
    L = GRAPH.build(X).toarray()
    A = Z[seen].T @ Z[seen] + lam_s * Z.T @ L @ Z
    gradient = 2 * (A @ W) - 2 * Z[seen].T @ y[seen] + 2 * lam_m * W @ model.label_laplacian_
    assert np.linalg.norm(gradient) < 1e-9 * np.linalg.norm(2 * Z[seen].T @ y[seen])


def test_weights_enter_the_loss(problem):
    X, y, _ = problem
    weight = np.ones(80)
    seen = np.flatnonzero(~np.isnan(y[:, 0]))
    weight[seen[:10]] = 0.0
    dropped = y.copy()
    dropped[seen[:10]] = np.nan
    model = LSMRRegressor(n_components=6, gamma_M=0.1, label_graph=np.ones((3, 3)))
    np.testing.assert_allclose(
        model.fit(X, y, sample_weight=weight).transduction_,
        model.fit(X, dropped).transduction_,
        atol=1e-10,
    )
    np.testing.assert_allclose(
        model.fit(X, y, sample_weight=np.full(80, 3.0)).transduction_,
        model.fit(X, y).transduction_,
        atol=1e-10,
    )


@pytest.mark.parametrize("seed", range(3))
def test_copies_of_labeled_rows_are_averaged_not_told_apart(seed):
    """More eigenvectors than distinct labeled rows, a flat kernel: the least W that fits best."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, size=(160, 6)).astype(float)
    X[:60] = X[random.integers(0, 20, 60)]
    Y = np.c_[X[:, 0] * X[:, 1], X[:, 2]] + random.normal(size=(160, 2))
    seen = np.where(np.arange(160)[:, None] < 60, Y, np.nan)
    model = SSSLRegressor(kernel=RBF(20.0), n_components=50, fit_intercept=False).fit(X, seen)
    K, new = model.kernel_(X), random.integers(0, 3, size=(20, 6)).astype(float)
    U = np.linalg.eigh(K)[1][:, ::-1][:, :50]
    W = np.linalg.lstsq((K @ U)[:60], Y[:60], rcond=1e-13)[0]
    assert model.solution_.status is Status.CONVERGED
    assert np.allclose(model.predict(new), model.kernel_(new, X) @ U @ W, atol=1e-4)


@pytest.mark.parametrize("sigma", [2.0, 4.0, 6.0])
def test_eigenvectors_that_miss_the_labeled_rows_say_nothing_of_them(sigma):
    """Narrow kernels: the leading ones live where rows are close, far from all labels."""
    random = np.random.default_rng(0)
    X = 50.0 * random.normal(size=(60, 3))
    X[50:] += [300.0, 0.0, 0.0]
    X[40:50] = X[50:] + 0.5 * random.normal(size=(10, 3))
    Y = random.normal(size=(60, 2))
    seen = np.where(np.arange(60)[:, None] < 20, Y, np.nan)
    model = SSSLRegressor(kernel=RBF(sigma), n_components=3).fit(X, seen)
    assert np.abs(model.predict(X)).max() < 10


def test_however_little_smoothness_counts_it_decides_where_labels_do_not():
    """λ → 0 leaves the smoothest of the functions that fit, also where the kernel is wide."""
    X = np.random.default_rng(0).uniform(-1, 1, (200, 2))
    Y = np.c_[np.sin(3 * X[:, 0]), X[:, 1] ** 2]
    seen = np.where(np.arange(200)[:, None] < 12, Y, np.nan)
    found = []
    for lam in (1e-8, 1e-10):
        model = LapS3LRegressor(
            kernel=RBF(3.0), n_components=20, regularizer=Laplacian(KNN(6)),
            gamma_I=lam * 200**2, fit_intercept=False,
        ).fit(X, seen)  # fmt: skip
        found.append(model.predict(X))
    assert np.abs(found[1] - found[0]).max() < 0.02
