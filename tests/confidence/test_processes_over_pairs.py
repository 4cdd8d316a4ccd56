"""Variances of related outputs, entries missing one by one, against dense Gaussian processes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import CoMRRegressor, LSMRRegressor, SSSLRegressor, VectorValuedRegressor
from lapwing.confidence import Posterior
from lapwing.kernels import RBF, Linear
from lapwing.spaces import Eigen
from problems import Problem

WIDE = 1e7  # the prior variance of what has none
Q = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])


def with_holes(p, seed=0):
    """Three targets of the labeled rows, four entries missing."""
    rng = np.random.default_rng(seed)
    Y = np.where(p.labeled[:, None], p.target[:, None] * [1.0, -1.0, 0.5], np.nan)
    Y = Y + 0.1 * rng.normal(size=Y.shape)
    at = rng.choice(np.flatnonzero(p.labeled), 4, replace=False)
    Y[at, [0, 1, 2, 0]] = np.nan
    return Y


def dense_posterior(K, model, Y, m):
    """τ² and the variances at the last m rows, from K̃ over all (row, output) pairs."""
    n, q = Y.shape
    seen = np.flatnonzero(~np.isnan(Y).ravel())
    l = int((~np.isnan(Y)).any(axis=1).sum())
    C = np.linalg.inv(K[np.ix_(seen, seen)] + l * np.eye(len(seen)))
    G = np.linalg.inv(K[np.ix_(seen, seen)] + (l - 1) * np.eye(len(seen)))
    beta, standard = G @ Y.ravel()[seen], np.empty(len(seen))
    for row in np.unique(seen // q):  # whole rows leave, the others have weights of 1/(l − 1)
        at = np.flatnonzero(seen // q == row)
        spread = np.linalg.inv(G[np.ix_(at, at)])
        standard[at] = (1 - 1 / l) * (spread @ beta[at]) ** 2 / np.diag(spread)
    tau2 = np.array([standard[seen % q == j].mean() for j in range(q)])
    k = K[n * q :][:, seen]
    variance = np.diag(K)[n * q :] - np.einsum("ij,jk,ik->i", k, C, k)
    return tau2, variance.reshape(m, q) * tau2


def deformed(K, M, gamma_A, lam):
    n = len(M)
    inner = np.linalg.solve(gamma_A * np.eye(n) + lam * M @ K[:n, :n], lam * M @ K[:n])
    return (K - K[:, :n] @ inner) / gamma_A


def constants(rows, q):
    return WIDE * np.kron(np.ones((rows, rows)), np.eye(q))


KERNELS = {
    "one": (RBF(1.0), Q),
    "diagonal": (RBF(1.0), np.diag([1.0, 3.0, 2.0])),
    "rank one": (RBF(1.0), np.ones((3, 3))),
    "sum": ([RBF(1.0), Linear()], [Q, np.eye(3)]),
}


@pytest.mark.parametrize("M_out", [None, np.diag([1.0, 2.0, 4.0])], ids=["rows", "outputs"])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_vector_valued_with_holes_is_one_process(name, intercept, M_out):
    p, (kernel, outputs) = Problem(3), KERNELS[name]
    Y = with_holes(p)
    model = VectorValuedRegressor(
        kernel=kernel, output_kernel=outputs, regularizer=p.regularizer, gamma_A=0.05,
        gamma_I=2.0, fit_intercept=intercept, output_regularizer=M_out,
    ).fit(p.X, Y)  # fmt: skip
    everything = np.vstack([p.X, p.new])
    kernels = kernel if isinstance(kernel, list) else [kernel]
    given = outputs if isinstance(outputs, list) else [outputs]
    pairs = zip(kernels, given, strict=True)
    K = sum(np.kron(k.build(p.X)(everything, everything), own) for k, own in pairs)
    M = p.regularizer.build(p.X).toarray()
    K = deformed(K, np.kron(M, np.eye(3) if M_out is None else M_out), 0.05, 2.0 / p.n**2)
    if intercept:
        K = K + constants(len(everything), 3)
    tau2, expected = dense_posterior(K, model, Y, len(p.new))
    posterior = Posterior(model.objective_)
    assert_allclose(posterior.tau2, tau2, rtol=5e-3)
    assert_allclose(posterior.variance(p.new), expected, rtol=1e-2, atol=1e-6 * expected.max())
    mean, spread = model.predict(p.new, return_std=True)
    assert mean.shape == spread.shape == (len(p.new), 3) and (spread > 0).all()
    assert (model.novelty(p.new) <= 1.0).all()


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("gamma_M", [0.0, 0.3])
def test_eigenvector_regressors_are_processes_in_their_features(holes, gamma_M):
    p = Problem(3)
    Y = with_holes(p)
    if not holes:
        Y[np.isnan(Y).any(axis=1)] = np.nan
    model = LSMRRegressor(
        kernel=RBF(1.0), n_components=5, gamma_I=2.0, gamma_M=gamma_M, regularizer=p.regularizer
    ).fit(p.X, Y)
    eigen = model.objective_.space
    while not isinstance(eigen, Eigen):
        eigen = eigen.space
    Z = np.vstack([eigen.evaluate(np.eye(5)), eigen.features(p.new)])
    M = p.regularizer.build(p.X).toarray()
    smooth = 2.0 / p.n**2 * Z[: p.n].T @ M @ Z[: p.n]
    A = np.kron(smooth, np.eye(3)) + gamma_M * np.kron(np.eye(5), model.label_laplacian_)
    # what neither penalty sees has a wide prior
    values, V = np.linalg.eigh(A)
    precision = np.where(values > 1e-10 * values.max(), values, 1.0 / WIDE)
    big = np.kron(Z, np.eye(3))
    K = big @ (V / precision) @ V.T @ big.T + constants(len(Z), 3)
    tau2, expected = dense_posterior(K, model, Y, len(p.new))
    posterior = Posterior(model.objective_)
    assert_allclose(posterior.tau2, tau2, rtol=1e-2)
    assert_allclose(posterior.variance(p.new), expected, rtol=2e-2)


def test_far_from_the_eigenvectors_nothing_is_known():
    p = Problem(3)
    Y = with_holes(p)
    model = SSSLRegressor(kernel=RBF(1.0), n_components=4).fit(p.X, Y)
    far = np.full((1, p.X.shape[1]), 60.0)
    assert_allclose(model.novelty(far), 1.0)
    assert_allclose(model.predict(far, return_std=True)[1][0], np.nanstd(Y, axis=0), rtol=1e-6)
    near = model.predict(p.X, return_std=True)[1]
    assert (near.mean(axis=0) < np.nanstd(Y, axis=0)).all()
    assert np.isnan(model.predict(far, abstain=0.5)).all()


def test_intrinsic_functions_take_part():
    """CoMR of one view with g eliminated is LapRLS with M (I + (γ_I/γ_C) M)⁻¹."""
    p = Problem(3)
    model = CoMRRegressor(
        [("x", RBF(1.0), slice(None), p.regularizer)],
        gamma_A=0.05, gamma_I=2.0, gamma_C=3.0, fit_intercept=False,
    ).fit(p.X, p.target)  # fmt: skip
    everything = np.vstack([p.X, p.new])
    M = p.regularizer.build(p.X).toarray()
    relaxed = M @ np.linalg.inv(np.eye(p.n) + 2.0 / 3.0 * M)
    K = RBF(1.0).build(p.X)(everything, everything)
    K = deformed(K, relaxed, 0.05, 2.0 / p.n**2)
    tau2, expected = dense_posterior(K, model, p.target[:, None], len(p.new))
    posterior, X = Posterior(model.objective_), model._new_points(p.new)
    assert_allclose(posterior.tau2, tau2, rtol=1e-5)
    assert_allclose(posterior.variance(X), expected, rtol=1e-4)
    bound = CoMRRegressor(a_I=0.5).fit(p.X, p.target)
    with pytest.raises(ValueError, match="a_I=0"):
        bound.predict(p.X, return_std=True)
