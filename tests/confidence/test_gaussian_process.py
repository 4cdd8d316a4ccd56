"""Predictive variances against dense formulas, explicit priors and refits."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import (
    CoRLSRegressor,
    LapRLSRegressor,
    LapSVC,
    ManifoldRegressor,
    VectorValuedRegressor,
)
from lapwing.confidence import Posterior
from lapwing.datasets import make_two_moons
from lapwing.kernels import RBF
from lapwing.linalg.exact import gram_system
from lapwing.outputs import OutputGraph
from lapwing.solvers import choose_solver
from lapwing.spaces import exact as exact_space
from problems import OUTPUTS_BY_RULE, Problem

SEEDS = range(5)


def fitted(p, target, intercept=True, **parameters):
    model = LapRLSRegressor(
        kernel=p.kernel, regularizer=p.regularizer, gamma_A=0.05, gamma_I=2.0,
        fit_intercept=intercept, **parameters,
    )  # fmt: skip
    return model.fit(p.X, target, sample_weight=p.weight)


def dense_deformed(p, model, Z):
    """K̃ among training rows and Z, from eq. (k − k(λ⁻¹γ_A + MK)⁻¹Mk)/γ_A."""
    everything = np.vstack([p.X, Z])
    K = np.asarray(model.kernel_(everything, everything), dtype=float)
    n, lam = p.n, model.gamma_I_ / p.n**2
    M = model.regularizer_.toarray()
    inner = np.linalg.solve(model.gamma_A_ * np.eye(n) + lam * M @ K[:n, :n], lam * M @ K[:n])
    return (K - K[:, :n] @ inner) / model.gamma_A_


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("intercept", [False, True])
def test_variance_is_the_dense_gaussian_process(seed, intercept):
    p = Problem(seed)
    model = fitted(p, p.target, intercept)
    posterior = Posterior(model.objective_)
    K = dense_deformed(p, model, p.new)
    if intercept:  # a constant with a wide prior is the limit of none
        K = K + 1e7
    rows, n = model.objective_.rows, p.n
    w = model.objective_.w[:, 0]
    C = np.linalg.inv(K[np.ix_(rows, rows)] + np.diag(1 / w))
    k = K[n:][:, rows]
    expected = np.diag(K)[n:] - np.einsum("ij,jk,ik->i", k, C, k)
    gram, y = K[np.ix_(rows, rows)], p.target[rows]
    without = [np.linalg.inv(gram + np.diag((1 - w[i]) / w)) for i in range(len(w))]
    standard = [(1 - w[i]) * (G @ y)[i] ** 2 / G[i, i] for i, G in enumerate(without)]
    tau2 = np.mean(standard)
    assert_allclose(posterior.tau2, tau2, rtol=1e-3)
    assert_allclose(posterior.variance(p.new)[:, 0], tau2 * expected, rtol=2e-3, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mean_of_the_process_is_the_fit(seed):
    p = Problem(seed)
    model = fitted(p, p.target, intercept=False)
    K = dense_deformed(p, model, p.new)
    rows = model.objective_.rows
    C = K[np.ix_(rows, rows)] + np.diag(1 / model.objective_.w[:, 0])
    mean = K[p.n :][:, rows] @ np.linalg.solve(C, p.target[rows])
    assert_allclose(mean, model.predict(p.new), atol=1e-6 * np.abs(mean).max())


def test_residuals_are_those_of_leave_one_out():
    p = Problem(1)
    model = fitted(p, p.target)
    residuals = Posterior(model.objective_).residuals()[:, 0]
    rows = model.objective_.rows
    for i in range(3):
        w = np.zeros((p.n, 1))
        w[rows] = model.objective_.w
        w[rows[i]] = 0.0
        Y = np.nan_to_num(p.target)[:, None]
        without = model.objective_.relabeled(Y, w / w.sum())
        coef = choose_solver("auto", without).solve(without).coef
        held = without.space.element(coef).readout[rows[i], 0]
        assert p.target[rows[i]] - held == pytest.approx(residuals[i], abs=1e-6)


def test_targets_missing_one_by_one_are_single_fits():
    p = Problem(2)
    Y = np.column_stack([p.target, 2.0 * p.target + 1.0])
    Y[np.flatnonzero(p.labeled)[0], 1] = np.nan
    _, spread = fitted(p, Y).predict(p.new, return_std=True)
    assert spread.shape == (7, 2)
    for j in range(2):
        w = np.zeros((p.n, 1))
        both = fitted(p, Y)
        w[both.objective_.rows] = both.objective_.w[:, [j]]
        alone = both.objective_.relabeled(np.nan_to_num(Y[:, [j]]), w)
        assert_allclose(Posterior(alone).deviation(p.new)[:, 0], spread[:, j])


@pytest.mark.parametrize(
    "outputs", [None, OutputGraph(gamma_O=0.5, n_neighbors=1), np.diag([1.0, 4.0, 0.0])]
)
def test_related_outputs_are_one_process_over_all_pairs(outputs):
    p = Problem(3)
    rng = np.random.default_rng(0)
    Y = np.where(p.labeled[:, None], p.target[:, None] * [1.0, -1.0, 0.5], np.nan)
    Y = Y + 0.1 * rng.normal(size=Y.shape)
    model = VectorValuedRegressor(
        output_kernel=outputs, kernel=p.kernel, regularizer=p.regularizer, gamma_A=0.05,
        gamma_I=2.0, fit_intercept=False,
    ).fit(p.X, Y)  # fmt: skip
    o = model.objective_
    l, q = o.y.shape
    i, j = np.divmod(np.arange(l * q), q)
    gram = o.deformation.gram(o.rows).pairs(i, j)
    C = np.linalg.inv(gram + l * np.eye(l * q))
    G = np.linalg.inv(gram + (l - 1) * np.eye(l * q))  # weights of 1/(l − 1)
    standard = []
    for at in np.arange(l * q).reshape(l, q):  # whole rows leave
        spread = np.linalg.inv(G[np.ix_(at, at)])
        missed = spread @ (G @ o.y.ravel())[at]
        standard.append((1 - 1 / l) * missed**2 / np.diag(spread))
    tau2 = np.mean(standard, axis=0)
    posterior = Posterior(o)
    assert_allclose(posterior.tau2, tau2, rtol=1e-6)
    # the variance at the labeled rows themselves
    inside = np.diag(gram - gram @ C @ gram).reshape(l, q) * tau2
    found = posterior.variance(p.X[o.rows])
    assert_allclose(found, inside, rtol=1e-5, atol=1e-7 * inside.max())


def test_a_direction_without_functions_knows_only_its_constant():
    p = Problem(3)
    Y = np.where(p.labeled[:, None], p.target[:, None] * [1.0, 2.0], np.nan)
    model = VectorValuedRegressor(**{**OUTPUTS_BY_RULE, "output_kernel": np.diag([1.0, 0.0])})
    model.fit(p.X, Y)
    posterior = Posterior(model.objective_)
    l = int(p.labeled.sum())
    y = Y[p.labeled, 1]
    tau2 = np.var(y, ddof=1) / l  # the mean of l values, each of variance lτ²
    assert posterior.noise[1] == pytest.approx(np.var(y, ddof=0) * l / (l - 1), rel=1e-6)
    assert_allclose(posterior.variance(p.new)[:, 1], tau2, rtol=1e-6)


def test_intervals_cover_what_the_model_is_true_of():
    covered = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.uniform(0, 10, size=(400, 1))
        y = np.sin(X[:, 0]) + 0.2 * rng.normal(size=400)
        labeled = np.where(np.arange(400) < 100, y, np.nan)
        model = LapRLSRegressor(kernel=RBF(1.0), gamma_A=1e-4, gamma_I=0.0).fit(X, labeled)
        mean, spread = model.predict(X[100:], return_std=True)
        assert spread.shape == mean.shape == (300,)
        covered.append(np.mean(np.abs(y[100:] - mean) < 1.645 * spread))
        assert model.predict([[100.0]], return_std=True)[1] <= np.std(y[:100]) * 1.0001
    assert 0.87 < np.mean(covered) < 0.93


def test_novelty_is_one_far_away_and_small_near_the_points():
    X, y, _ = make_two_moons(100, labels_per_class=3, random_state=0)
    model = LapSVC(kernel=RBF(0.3)).fit(X, y)
    assert model.novelty(X).max() < 0.1
    assert_allclose(model.novelty(np.array([[50.0, 50.0]])), 1.0)
    answer = model.predict(np.vstack([X[:2], [[50.0, 50.0]]]), abstain=0.5)
    np.testing.assert_array_equal(answer, [*model.predict(X[:2]), -1])
    named = LapSVC(kernel=RBF(0.3)).fit(X, np.array(["a", "b", None], dtype=object)[y])
    assert named.predict([[50.0, 50.0]], abstain=0.5)[0] is None
    signs = LapSVC(kernel=RBF(0.3), unlabeled=9).fit(X, np.array([-1, 1, 9])[y])
    assert signs.predict([[50.0, 50.0]], abstain=0.5)[0] is None  # −1 is a class there
    real = LapRLSRegressor(kernel=RBF(0.3)).fit(X, np.where(y >= 0, y, np.nan))
    assert np.isnan(real.predict([[50.0, 50.0]], abstain=0.5)[0])
    for bad in (0.0, 1.0, "far"):
        with pytest.raises(ValueError, match="abstain"):
            model.predict(X, abstain=bad)


def test_frames_sparse_rows_and_views():
    p = Problem(0)
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(p.X, columns=list("abc"))
    model = LapRLSRegressor().fit(frame, pd.Series(p.target))
    plain = LapRLSRegressor().fit(p.X, p.target)
    assert_allclose(
        model.predict(frame, return_std=True)[1],
        plain.predict(p.X, return_std=True)[1],
        rtol=1e-3,  # what is left of a variance beside a label rounds with the order of the columns
    )
    sparse = LapRLSRegressor(kernel="linear").fit(sp.csr_array(p.X), p.target)
    dense = LapRLSRegressor(kernel="linear").fit(p.X, p.target)
    assert_allclose(
        sparse.predict(sp.csr_array(p.new), return_std=True)[1],
        dense.predict(p.new, return_std=True)[1],
        rtol=1e-5,
    )
    views = [("a", "rbf", [0]), ("b", "rbf", [1, 2])]
    _, spread = CoRLSRegressor(views).fit(p.X, p.target).predict(p.new, return_std=True)
    assert (spread > 0).all()


def test_other_losses_have_no_process_and_error_bars_by_leave_one_out():
    p = Problem(0)
    model = ManifoldRegressor(loss="huber", space="exact").fit(p.X, p.target)
    with pytest.raises(ValueError, match="squared loss"):
        _ = model.diagnostics().posterior
    for fit in (model, ManifoldRegressor(loss="huber").fit(p.X, p.target)):
        assert (fit.predict(p.X, return_std=True)[1] > 0).all()


def test_a_fit_on_the_graph_has_error_bars_too():
    """Near the rows the leave-one-out error, far from them the spread of the labels."""
    rng = np.random.default_rng(0)
    X = np.sort(rng.uniform(0, 6, 150))[:, None]
    y = np.where(np.arange(150) % 5 == 0, np.sin(X[:, 0]) + 0.1 * rng.normal(size=150), np.nan)
    model = LapRLSRegressor(kernel="rbf", space="graph", gamma_A=1e-3, gamma_I=0.1).fit(X, y)
    _, near = model.predict(X, return_std=True)
    _, far = model.predict([[60.0]], return_std=True)
    labeled = ~np.isnan(y)
    residual = y[labeled] - model.leave_one_out_[labeled, 0]
    error = np.sqrt(np.mean(residual**2))
    assert near.shape == (150,) and np.median(near) == pytest.approx(error, rel=0.05)
    assert far[0] == pytest.approx(np.nanstd(y), rel=0.1)


@pytest.mark.parametrize("intercept", [False, True])
def test_error_bars_at_new_rows_need_no_factor_but_that_of_the_fit(monkeypatch, intercept):
    made = []
    for module, name in ((gram_system, "LU"), (exact_space, "ShiftedSystem")):
        kind = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, kind=kind: made.append(kind) or kind(*a))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 3))
    y = np.where(np.arange(1200) % 60 == 0, X[:, 0], np.nan)
    weights = {"kernel": "rbf", "gamma_A": 1e-5, "gamma_I": "rule", "fit_intercept": intercept}
    model = LapRLSRegressor(**weights, regularizer="laplacian", space="exact").fit(X, y)
    new = X[:300] + 0.05
    _, spread = model.predict(new, return_std=True)
    novelty = model.novelty(new)
    assert len(made) == 1
    # K̃ less what the labels explain, by a factor of K̃'s own
    monkeypatch.setattr(exact_space.ExactSystem, "told_by_factor", False)
    model = LapRLSRegressor(**weights, regularizer="laplacian", space="exact").fit(X, y)
    assert_allclose(spread, model.predict(new, return_std=True)[1], rtol=0.01)
    assert_allclose(novelty, model.novelty(new), rtol=0.03)
    assert len(made) > 2


@pytest.mark.parametrize("weighted", [False, True])
def test_weights_at_the_labels_give_the_posterior_that_sections_give(monkeypatch, weighted):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 2))
    y = np.where(np.arange(150) % 6 == 0, X[:, 0] ** 2, np.nan)
    w = rng.uniform(0.5, 2.0, size=150) if weighted else None
    made = LapRLSRegressor(kernel="rbf", gamma_A=1e-3, gamma_I=1.0, space="exact", unlabeled="auto")
    model, new = made.fit(X, y, sample_weight=w), rng.normal(size=(40, 2))
    found = Posterior(model.objective_).variance(new)
    monkeypatch.setattr(exact_space.ExactSystem, "told_by_factor", False)
    assert_allclose(found, Posterior(model.objective_).variance(new), rtol=1e-6)


def test_a_classifier_names_what_to_ask_instead_of_a_deviation():
    X, y, _ = make_two_moons(60, labels_per_class=3, random_state=0)
    model = LapSVC(kernel=RBF(0.3), gamma_A=1e-3, gamma_I=0.1, regularizer="laplacian").fit(X, y)
    with pytest.raises(TypeError, match="predict_proba"):
        model.predict(X, return_std=True)
