"""The comparators against cvxpy on small problems, their certificates, limits and errors."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LinearRegression, MultiTaskLasso, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from lapwing.baselines import (
    ClusteredRegressor,
    DirtyModelRegressor,
    GraphRegularizedRegressor,
    GroupLassoRegressor,
    LassoRegressor,
    LeastSquaresRegressor,
    TraceNormRegressor,
)
from lapwing.baselines.cluster_norm import SquaredClusterNorm
from lapwing.graphs import correlation_weights

cp = pytest.importorskip("cvxpy", reason="cvxpy is the independent solver of these tests")

ALL = [
    LeastSquaresRegressor(),
    LassoRegressor(),
    GroupLassoRegressor(),
    DirtyModelRegressor(),
    TraceNormRegressor(),
    GraphRegularizedRegressor(),
    ClusteredRegressor(),
]


def problem(l, d, t, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(l, d))
    W = rng.normal(size=(d, 2)) @ rng.normal(size=(2, t)) * (rng.random((d, 1)) < 0.6)
    Y = X @ W + 0.3 * rng.normal(size=(l, t)) + rng.normal(size=t)
    return X, Y


def loss(X, Y, W, b):
    return cp.sum_squares(Y - X @ W - np.ones((len(X), 1)) @ b) / (2 * len(X))


def solved(X, Y, penalty, parts=1, constraints=()):
    """The optimal value and W of (1/2l)‖Y − XΣV − b‖² + penalty(V)."""
    V = [cp.Variable((X.shape[1], Y.shape[1])) for _ in range(parts)]
    b = cp.Variable((1, Y.shape[1]))
    objective = cp.Minimize(loss(X, Y, sum(V), b) + penalty(*V))
    task = cp.Problem(objective, list(constraints))
    # CLARABEL's defaults give 1e-8; the values are compared at 1e-6.
    task.solve(solver=cp.CLARABEL)
    return task.value, sum(v.value for v in V)


def value(model, X, Y, penalty):
    R = Y - model.predict(X).reshape(Y.shape)
    return np.sum(R**2) / (2 * len(X)) + penalty


SHAPES = [(30, 6, 4), (12, 20, 3), (15, 3, 6)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("alpha", [0.02, 0.3])
def test_trace_norm(shape, alpha):
    X, Y = problem(*shape)
    model = TraceNormRegressor(alpha=alpha, tol=1e-9).fit(X, Y)
    best, W = solved(X, Y, lambda V: alpha * cp.normNuc(V))
    ours = value(model, X, Y, alpha * np.linalg.svd(model.coef_, compute_uv=False).sum())
    assert ours == pytest.approx(best, rel=1e-6)
    np.testing.assert_allclose(model.coef_, W, atol=1e-3)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shared, own", [(0.05, 0.03), (0.3, 0.1), (0.05, 0.2)])
def test_dirty_model(shape, shared, own):
    X, Y = problem(*shape)
    model = DirtyModelRegressor(alpha_shared=shared, alpha_own=own, tol=1e-8).fit(X, Y)

    def penalty(B, S):
        return shared * cp.sum(cp.max(cp.abs(B), axis=1)) + own * cp.sum(cp.abs(S))

    best, _ = solved(X, Y, penalty, parts=2)
    B, S = model.shared_, model.own_
    np.testing.assert_allclose(model.coef_, B + S)
    ours = value(model, X, Y, shared * np.abs(B).max(axis=1).sum() + own * np.abs(S).sum())
    assert ours == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("alpha, beta, k", [(0.5, 0.05, 2), (0.1, 0.3, 1)])
def test_clustered(shape, alpha, beta, k):
    """Against the semi-definite programme in (W, M): tr(W(ηI+M)⁻¹Wᵀ) as a Schur complement."""
    X, Y = problem(*shape)
    t = Y.shape[1]
    eta = beta / alpha
    model = ClusteredRegressor(n_clusters=k, alpha=alpha, beta=beta, tol=1e-9).fit(X, Y)
    M = cp.Variable((t, t), symmetric=True)
    constraints = [M >> 0, np.eye(t) - M >> 0, cp.trace(M) == k]

    def penalty(W):
        return 0.5 * alpha * eta * (1 + eta) * cp.matrix_frac(W.T, eta * np.eye(t) + M)

    best, W = solved(X, Y, penalty, constraints=constraints)
    np.testing.assert_allclose(model.coef_, W, atol=2e-3)
    norm = SquaredClusterNorm(alpha * eta * (1 + eta), eta, k)
    assert value(model, X, Y, norm.value(model.coef_)) == pytest.approx(best, rel=1e-5)


def test_clustered_with_a_cluster_for_each_target_is_ridge():
    X, Y = problem(30, 6, 4)
    model = ClusteredRegressor(n_clusters=9, alpha=0.7, beta=0.2, tol=1e-12).fit(X, Y)
    ridge = Ridge(alpha=0.2 * len(X)).fit(X, Y)
    np.testing.assert_allclose(model.coef_, ridge.coef_.T, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_graph_regularised(shape):
    X, Y = problem(*shape)
    model = GraphRegularizedRegressor(alpha=0.3).fit(X, Y)
    A = correlation_weights(Y, np.ones((len(Y), 1), dtype=bool))
    pairs = [(j, k) for j in range(Y.shape[1]) for k in range(j)]

    def penalty(W):
        return 0.15 * sum(A[j, k] * cp.sum_squares(W[:, j] - W[:, k]) for j, k in pairs)

    best, _ = solved(X, Y, penalty)
    W = model.coef_
    ours = 0.15 * sum(A[j, k] * np.sum((W[:, j] - W[:, k]) ** 2) for j, k in pairs)
    assert value(model, X, Y, ours) == pytest.approx(best, rel=1e-6, abs=1e-8)
    assert model.optimality_ < 1e-10


def test_limits_of_the_graph():
    X, Y = problem(40, 5, 3)
    free = GraphRegularizedRegressor(alpha=0.0).fit(X, Y)
    np.testing.assert_allclose(free.coef_, LinearRegression().fit(X, Y).coef_.T, atol=1e-8)
    tied = GraphRegularizedRegressor(alpha=1e8, label_graph=np.ones((3, 3))).fit(X, Y)
    mean = LinearRegression().fit(X, Y.mean(axis=1)).coef_
    np.testing.assert_allclose(tied.coef_, np.tile(mean[:, None], 3), atol=1e-5)


def test_scikit_learns_own():
    X, Y = problem(40, 5, 3)
    for ours, theirs in [
        (LeastSquaresRegressor(), LinearRegression()),
        (LassoRegressor(alpha=0.2), Lasso(alpha=0.2, tol=1e-8)),
        (GroupLassoRegressor(alpha=0.2), MultiTaskLasso(alpha=0.2, tol=1e-8)),
    ]:
        np.testing.assert_allclose(
            ours.fit(X, Y).predict(X), theirs.fit(X, Y).predict(X), atol=1e-4
        )
        assert ours.optimality_ < 1e-6


@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
def test_unlabelled_rows_are_ignored(model):
    X, Y = problem(30, 5, 3)
    holes = Y.copy()
    holes[::3] = np.nan
    seen = ~np.isnan(holes[:, 0])
    np.testing.assert_allclose(
        model.fit(X, holes).predict(X), model.fit(X[seen], Y[seen]).predict(X)
    )
    holes[1, 0] = np.nan
    with pytest.raises(ValueError, match="NaN in part"):
        model.fit(X, holes)
    with pytest.raises(ValueError, match="No row of y is labelled"):
        model.fit(X, np.full_like(Y, np.nan))


@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
def test_degenerate_data(model):
    """Constant columns, equal points, one row, constant targets: the mean is predicted."""
    Y = np.array([[1.0, 2.0], [1.0, 4.0]])
    same = np.ones((2, 3))
    np.testing.assert_allclose(model.fit(same, Y).predict(same), [[1.0, 3.0]] * 2)
    np.testing.assert_allclose(model.fit(same[:1], Y[:1]).predict(same[:1]), Y[:1])
    X = np.random.default_rng(0).normal(size=(9, 3))
    constant = np.full((9, 2), 7.0)
    np.testing.assert_allclose(model.fit(X, constant).predict(X), constant)
    assert model.optimality_ < 1e-6


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("model", [TraceNormRegressor(), DirtyModelRegressor()])
def test_certificates_at_any_scale(model, scale):
    X, Y = problem(30, 6, 4)
    name = "alpha" if hasattr(model, "alpha") else "alpha_own"
    params = {p: v * scale**2 for p, v in model.get_params().items() if p.startswith("alpha")}
    assert name in params
    base = type(model)().fit(X, Y)
    scaled = type(model)(**params).fit(scale * X, scale * Y)
    np.testing.assert_allclose(scaled.coef_, base.coef_, rtol=1e-6, atol=1e-9)


def test_a_fit_that_stops_early_says_so():
    X, Y = problem(30, 6, 4)
    with pytest.warns(ConvergenceWarning, match="certificate"):
        model = TraceNormRegressor(alpha=1e-3, tol=1e-12, max_iter=3).fit(X, Y)
    assert model.optimality_ > 1e-12 and model.n_iter_ == 3


@pytest.mark.parametrize(
    "model, name",
    [
        (TraceNormRegressor(alpha=0.0), "alpha"),
        (TraceNormRegressor(alpha="x"), "alpha"),
        (DirtyModelRegressor(alpha_own=-1.0), "alpha_own"),
        (ClusteredRegressor(n_clusters=0), "n_clusters"),
        (ClusteredRegressor(beta=np.inf), "beta"),
        (GraphRegularizedRegressor(alpha=-1), "alpha"),
        (GraphRegularizedRegressor(label_graph="cosine"), "label_graph"),
        (GraphRegularizedRegressor(label_graph=np.ones((2, 2))), "label_graph"),
        (LassoRegressor(max_iter=0), "max_iter"),
    ],
)
def test_bad_parameters(model, name):
    X, Y = problem(10, 3, 3)
    with pytest.raises(ValueError, match=name):
        model.fit(X, Y)


@parametrize_with_checks(ALL)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)
