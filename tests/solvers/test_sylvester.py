"""The Sylvester solver against VV (15) formed as one dense system, and against scipy's solver."""

import numpy as np
import pytest
import scipy.linalg

from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.losses import Huber, Squared
from lapwing.operators import TensorOperator, ZeroOperator
from lapwing.problem import manifold_problem
from lapwing.regularizers import Laplacian
from lapwing.solvers import CG, Direct
from lapwing.spaces import CoregionalizedOutputs, Exact, Features, WithFreeFunctions, user_coef
from lapwing.spaces.coregionalized import output_directions

N, q, l = 25, 6, 9
gamma_A, gamma_I = 1e-2, 0.3 * N**2


def problem(Q, intercept=False, gamma_I=gamma_I, seed=0, w=None):
    rng = np.random.default_rng(seed)
    X, kernel = rng.standard_normal((N, 3)), RBF(1.2)
    Y = np.where(np.arange(N)[:, None] < l, rng.standard_normal((N, len(Q))), 0.0)
    weights = np.where(np.arange(N) < l, 1.0 / l if w is None else w, 0.0)[:, None]
    space = CoregionalizedOutputs.by_kernel(Exact(kernel(X), kernel, X), Q)
    M = Laplacian(KNN(4)).build(X) if gamma_I else ZeroOperator(N)
    space = WithFreeFunctions(space) if intercept else space
    return manifold_problem(Squared(), Y, weights, space, M, gamma_A, gamma_I), Y


def random_psd(q, rank, seed=0):
    A = np.random.default_rng(seed).standard_normal((q, rank))
    return A @ A.T


def kronecker(Q, K, L, Y, lam):
    """VV (15): (J G + l γ_I M G + l γ_A I) a = y, row-major (point, output)."""
    G, M = np.kron(K, Q), np.kron(L, np.eye(len(Q)))
    J = np.kron(np.diag(np.arange(N) < l).astype(float), np.eye(len(Q)))
    A = J @ G + l * lam * M @ G + l * gamma_A * np.eye(N * len(Q))
    return np.linalg.solve(A, Y.ravel()).reshape(N, len(Q))


KERNELS = {
    "full": random_psd(q, q),
    "singular": random_psd(q, 3),
    "identity": np.eye(q),
    "one output": np.array([[1.7]]),
    "zero": np.zeros((q, q)),
}


@pytest.mark.parametrize("name", KERNELS)
def test_agrees_with_the_kronecker_system(name):
    Q = KERNELS[name]
    objective, Y = problem(Q)
    space = objective.space
    found = Direct().solve(objective)
    a = kronecker(Q, space.space.gram, objective.operator.toarray(), Y, objective.lam)
    # where Q is singular its directions carry no function, and the coefficients there are free
    A = user_coef(space, found.coef)
    np.testing.assert_allclose(A @ Q, a @ Q, atol=1e-8 * max(1.0, abs(a).max()))
    np.testing.assert_allclose(space.evaluate(found.coef), space.space.gram @ a @ Q, atol=1e-8)
    assert found.optimality < 1e-8


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_agrees_with_conjugate_gradients(name, intercept):
    w = np.linspace(0.5, 2.0, N)
    objective, _ = problem(KERNELS[name], intercept, w=w / w[:l].sum())
    direct, iterative = Direct().solve(objective), CG(tol=1e-12).solve(objective)
    a, b = (objective.space.element(s.coef) for s in (direct, iterative))
    np.testing.assert_allclose(a.readout, b.readout, atol=1e-7)
    assert direct.optimality < 1e-8


def test_agrees_with_an_independent_sylvester_solver():
    """G K A + A (γ_A Q⁻¹) = W Y Q⁻¹: (17) multiplied by Q⁻¹, for Q invertible."""
    Q = KERNELS["full"] + np.eye(q)
    objective, Y = problem(Q)
    K, L = objective.space.space.gram, objective.operator.toarray()
    G = np.diag(np.arange(N) < l) / l + objective.lam * L
    inverse = np.linalg.inv(Q)
    A = scipy.linalg.solve_sylvester(G @ K, gamma_A * inverse, Y / l @ inverse)
    found = user_coef(objective.space, Direct().solve(objective).coef)
    np.testing.assert_allclose(found, A, atol=1e-8 * abs(A).max())


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("gamma_I", [0.0, gamma_I])
def test_the_identity_is_multivariate_laprls(gamma_I, intercept):
    objective, Y = problem(np.eye(q), intercept, gamma_I)
    core = objective.space.space if intercept else objective.space
    scalar = WithFreeFunctions(core.space) if intercept else core.space
    weights = np.where(np.arange(N) < l, 1.0 / l, 0.0)[:, None]
    columns = manifold_problem(Squared(), Y, weights, scalar, objective.operator, gamma_A, gamma_I)
    a, b = (J.space.element(Direct().solve(J).coef) for J in (objective, columns))
    np.testing.assert_allclose(a.readout, b.readout, atol=1e-8)
    coef = user_coef(columns.space, b.coef)
    np.testing.assert_allclose(
        user_coef(objective.space, a.coef), coef, atol=1e-8 * abs(coef).max()
    )


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_explicit_features_are_the_same_functions(name, intercept):
    """Over features Z with K = Z Zᵀ: the same predictions, as many coefficients as features."""
    objective, Y = problem(KERNELS[name], intercept)
    core = objective.space.space if intercept else objective.space
    Z = np.linalg.cholesky(core.space.gram + 1e-12 * np.eye(N))[:, :20]
    K = Z @ Z.T
    scalars = Features(Z, Linear().features), Exact(K, RBF(1.2), None)
    readouts = []
    for scalar in scalars:
        space = CoregionalizedOutputs.by_kernel(scalar, KERNELS[name])
        space = WithFreeFunctions(space) if intercept else space
        weights = np.where(np.arange(N) < l, 1.0 / l, 0.0)[:, None]
        J = manifold_problem(Squared(), Y, weights, space, objective.operator, gamma_A, gamma_I)
        found = Direct().solve(J)
        assert found.optimality < 1e-8
        readouts.append(J.space.element(found.coef).readout)
    np.testing.assert_allclose(*readouts, atol=1e-8)


def test_rejects_what_it_cannot_solve():
    objective, Y = problem(KERNELS["full"])
    w = np.where(np.arange(N)[:, None] < l, 1.0 / l, 0.0)
    A = np.random.default_rng(3).standard_normal((q, q))
    coupled = TensorOperator(objective.operator, A @ A.T)
    tensor = manifold_problem(Squared(), Y, w, objective.space, coupled, gamma_A, gamma_I)
    with pytest.raises(TypeError, match="decouples along the output kernel"):
        Direct().solve(tensor)
    robust = manifold_problem(Huber(), Y, w, objective.space, objective.operator, gamma_A, 0.0)
    with pytest.raises(TypeError, match="QuadraticLoss"):
        Direct().solve(robust)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", ["full", "singular", "identity"])
def test_entries_missing_one_by_one(name, intercept):
    """Filled in so that they do not pull: the same minimizer as conjugate gradients."""
    objective, Y = problem(KERNELS[name], intercept)
    weights = np.where(np.arange(N)[:, None] < l, 1.0 / l, 0.0) * np.ones(q)
    weights[1, 2] = weights[4, 0] = weights[4, 1] = 0.0
    J = manifold_problem(
        Squared(), Y, weights, objective.space, objective.operator, gamma_A, gamma_I
    )
    a, b = (J.space.element(s.solve(J).coef).readout for s in (Direct(), CG(1e-12)))
    np.testing.assert_allclose(a, b, atol=1e-7)


def test_output_directions_merge_what_rounding_split():
    V = np.linalg.qr(np.random.default_rng(1).standard_normal((5, 5)))[0]
    Q = V @ np.diag([0.0, 2.0, 2.0, 2.0, 7.0]) @ V.T
    sigma, U = output_directions(Q)
    assert len(np.unique(sigma)) == 3 and sigma[0] == 0.0
    np.testing.assert_allclose(U @ np.diag(sigma) @ U.T, Q, atol=1e-12)
