"""The comparators against cvxpy on small problems, their certificates, limits and errors."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LinearRegression, MultiTaskLasso, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from lapwing.graphs import correlation_weights
from lapwing_papers.baselines import (
    ClusteredRegressor,
    DirtyModelRegressor,
    GraphRegularizedRegressor,
    GroupLassoRegressor,
    LassoRegressor,
    LeastSquaresRegressor,
    TraceNormRegressor,
)
from lapwing_papers.baselines.cluster_norm import SquaredClusterNorm

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
    """Against the semi-definite program in (W, M): tr(W(ηI+M)⁻¹Wᵀ) as a Schur complement."""
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
def test_graph_regularized(shape):
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
def test_unlabeled_rows_are_ignored(model):
    X, Y = problem(30, 5, 3)
    holes = Y.copy()
    holes[::3] = np.nan
    seen = ~np.isnan(holes[:, 0])
    np.testing.assert_allclose(
        model.fit(X, holes).predict(X), model.fit(X[seen], Y[seen]).predict(X)
    )
    with pytest.raises(ValueError, match="No row of y is labeled"):
        model.fit(X, np.full_like(Y, np.nan))


def with_holes(Y, seed=1):
    holes = Y.copy()
    holes[np.random.default_rng(seed).random(Y.shape) < 0.3] = np.nan
    holes[0] = np.nan
    holes[1] = Y[1]
    return holes


@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
def test_no_other_coefficients_are_better_where_entries_are_missing(model):
    """J over the observed entries, with l the rows that have any, and each target's own b."""
    X, Y = problem(40, 5, 3)
    holes = with_holes(Y)
    seen, l = ~np.isnan(holes), int((~np.isnan(holes)).any(axis=1).sum())
    fitted = model.fit(X, holes)
    assert fitted.optimality_ < 1e-6
    rng = np.random.default_rng(0)

    def squares(W, b):
        return float((np.where(seen, np.nan_to_num(holes) - X @ W - b, 0.0) ** 2).sum()) / (2 * l)

    W, b = fitted.coef_, fitted.intercept_
    for _ in range(5):  # the smooth part has slope 0 along the intercepts
        d = rng.standard_normal(3)
        assert abs(squares(W, b + 1e-4 * d) - squares(W, b - 1e-4 * d)) < 1e-9


@pytest.mark.parametrize(
    "model, penalty",
    [
        (GroupLassoRegressor(), lambda V: 0.1 * cp.sum(cp.norm(V, 2, axis=1))),
        (LassoRegressor(), lambda V: 0.1 * cp.sum(cp.abs(V))),
        (TraceNormRegressor(), lambda V: 0.1 * cp.normNuc(V)),
        (LeastSquaresRegressor(), lambda V: 0),
        (
            GraphRegularizedRegressor(label_graph=np.ones((3, 3)) - np.eye(3)),
            lambda V: 0.05 * cp.sum_squares(V @ np.linalg.cholesky(
                3 * np.eye(3) - np.ones((3, 3)) + 1e-12 * np.eye(3))),
        ),
    ],
    ids=lambda part: type(part).__name__,
)  # fmt: skip
def test_missing_entries_against_an_independent_solver(model, penalty):
    X, Y = problem(40, 5, 3)
    holes = with_holes(Y)
    seen = ~np.isnan(holes)
    l, target = int(seen.any(axis=1).sum()), np.nan_to_num(holes)
    V, b = cp.Variable((5, 3)), cp.Variable((1, 3))
    rest = cp.multiply(seen.astype(float), target - X @ V - np.ones((40, 1)) @ b)
    cp.Problem(cp.Minimize(cp.sum_squares(rest) / (2 * l) + penalty(V))).solve(solver=cp.CLARABEL)
    fitted = model.set_params(**({"tol": 1e-9} if "tol" in model.get_params() else {})).fit(
        X, holes
    )
    np.testing.assert_allclose(fitted.coef_, V.value, atol=2e-4)
    np.testing.assert_allclose(fitted.intercept_, b.value[0], atol=2e-4)


@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
def test_sparse_rows_are_rows(model):
    X, Y = problem(30, 5, 3)
    X[X < 0] = 0.0
    dense = model.fit(X, Y).predict(X)
    np.testing.assert_allclose(model.fit(sp.csr_array(X), Y).predict(sp.csr_array(X)), dense)


@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("unit", [1e-170, 1e170])
def test_numbers_whose_squares_are_none_are_refused(model, unit):
    X, Y = problem(30, 5, 3)
    with pytest.raises(ValueError, match="another unit"):
        model.fit(X * unit, Y)
    with pytest.raises(ValueError, match="another unit"):
        model.fit(X, Y * unit)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("unit", [1e-140, 1e-60, 1e60, 1e140])
def test_extreme_units_end_without_a_raw_error(model, unit):
    X, Y = problem(20, 4, 2)
    for points, targets in ((X * unit, Y), (X, Y * unit)):
        fitted = clone(model)
        if "max_iter" in fitted.get_params():
            fitted.set_params(max_iter=50)
        fitted.fit(points, targets)
        assert np.isfinite(fitted.coef_).all() or not fitted.optimality_ <= 1e-6


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
