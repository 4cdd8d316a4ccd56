"""The exact solver, the paper's accelerated gradient and conjugate gradients agree."""

import numpy as np
import pytest

from lapwing import LSMRRegressor
from lapwing.exceptions import UnreachedWarning
from lapwing.kernels import RBF
from lapwing.losses import Hinge, Squared
from lapwing.operators import ZeroOperator
from lapwing.problem import manifold_problem
from lapwing.solvers import AGD, Direct, Status
from lapwing.spaces import Exact


def objective_of(problem, **params):
    X, y, _ = problem
    base = {"kernel": RBF(1.5), "n_components": 8, "gamma_I": 5.0, "gamma_M": 0.05}
    model = LSMRRegressor(**(base | params)).fit(X, y)
    return model.objective_, model.solution_


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("solver", ["agd", "cg"])
@pytest.mark.parametrize("holes", [False, True])
def test_solvers_agree(problem, intercept, solver, holes):
    X, y, _ = problem
    if holes:
        y = y.copy()
        y[np.flatnonzero(~np.isnan(y[:, 0]))[::3], 1] = np.nan
    params = {
        "kernel": RBF(1.5), "n_components": 8, "gamma_I": 5.0, "gamma_M": 0.05,
        "fit_intercept": intercept, "feature_map": "whitened",
    }  # fmt: skip
    exact = LSMRRegressor(**params).fit(X, y)
    other = LSMRRegressor(**params, solver=solver, tol=1e-10).fit(X, y)
    assert other.solution_.status is Status.CONVERGED
    np.testing.assert_allclose(other.transduction_, exact.transduction_, atol=1e-6)
    value = exact.objective_.value
    a = value(exact.objective_.space.element(exact.solution_.coef)).sum()
    b = value(other.objective_.space.element(other.solution_.coef)).sum()
    assert a == pytest.approx(b, rel=1e-8)


def test_the_step_is_one_over_a_lipschitz_constant(problem):
    """Eq. 7 with C of eq. 8, as C² (the paper prints C): random pairs never exceed it."""
    from lapwing.solvers.agd import _Quadratic

    objective, _ = objective_of(problem)
    quadratic = _Quadratic(objective)
    rng = np.random.default_rng(0)
    for _ in range(50):
        P, Q = rng.normal(size=(2, *quadratic.C.shape)) * rng.uniform(0.1, 10)
        change = np.linalg.norm(quadratic.gradient(P) - quadratic.gradient(Q))
        assert change <= quadratic.lipschitz * np.linalg.norm(P - Q) * (1 + 1e-12)


def test_agds_gradient_is_the_objectives(problem):
    from lapwing.solvers.agd import _Quadratic

    for params in ({}, {"fit_intercept": False}, {"gamma_M": 0.0}):
        objective, _ = objective_of(problem, **params)
        quadratic = _Quadratic(objective)
        W = np.random.default_rng(1).normal(size=quadratic.C.shape)
        element = objective.space.element(W)
        np.testing.assert_allclose(quadratic.gradient(W), objective.gradient(element).coef)
        assert quadratic.optimality(W) == pytest.approx(objective.optimality(element))


def test_agd_finds_the_minimizer_of_least_norm(problem):
    """s > l without smoothing: there are many minimizers."""
    objective, solution = objective_of(
        problem, kernel=RBF(0.8), n_components=60, gamma_I=0.0, gamma_M=0.0,
        feature_map="whitened", fit_intercept=False,
    )  # fmt: skip
    found = AGD(tol=1e-9).solve(objective)
    assert found.status is Status.CONVERGED
    np.testing.assert_allclose(found.coef, solution.coef, atol=1e-5)
    A = objective.space.evaluate(np.eye(objective.space.n_coef))[objective.rows]
    least = np.linalg.pinv(A, rcond=1e-10) @ objective.y
    np.testing.assert_allclose(found.coef, least, atol=1e-4 * np.abs(least).max())


def test_honest_status(problem):
    objective, _ = objective_of(problem)
    stopped = AGD(tol=1e-12, max_iter=3).solve(objective)
    assert stopped.status is Status.MAX_ITER and stopped.n_iter == 3
    assert stopped.optimality == pytest.approx(objective.optimality(
        objective.space.element(stopped.coef)
    ))  # fmt: skip


def test_certificates_hold_over_kernels_maps_and_ranks(problem):
    """s below, at and above the labeled rows; eigenvalues over eleven decades."""
    X, y, _ = problem
    for kernel in (RBF(1.0), RBF(30.0), "linear"):
        for s in (3, 40, 80):
            for feature_map in ("KU", "whitened"):
                for gamma_I, gamma_M in ((0.0, 0.0), (1.0, 0.0), (0.0, 1e-6), (1.0, 1e-3)):
                    model = LSMRRegressor(
                        kernel=kernel, n_components=s, feature_map=feature_map,
                        gamma_I=gamma_I, gamma_M=gamma_M,
                    ).fit(X, y)  # fmt: skip
                    assert model.solution_.optimality < 1e-8  # of ∇ at the mean of y
                    assert model.solution_.status is Status.CONVERGED


def test_solvers_say_what_they_need(problem):
    X, y, _ = problem
    Y = np.nan_to_num(y)
    space = Exact(RBF(1.0)(X), RBF(1.0), X)
    weights = np.linspace(0.5, 1.5, 80)[:, None] / 80
    exact = manifold_problem(Squared(), Y, weights, space, ZeroOperator(80), 1.0, 0.0)
    with pytest.raises(TypeError, match="Eigen"):
        AGD().solve(exact)
    objective, _ = objective_of(problem)
    hinge = manifold_problem(Hinge(), Y, weights, objective.space, ZeroOperator(80), 1.0, 0.0)
    with pytest.raises(TypeError, match="QuadraticLoss"):
        Direct().solve(hinge)


def test_a_component_without_labels_is_reported():
    X = np.r_[np.linspace(0, 1, 15), np.linspace(100, 101, 15)][:, None]
    y = np.where(np.arange(30) < 15, X[:, 0], np.nan)
    with pytest.warns(UnreachedWarning):
        model = LSMRRegressor(regularizer="laplacian", gamma_I=1.0).fit(X, y)
    np.testing.assert_array_equal(model.unreached_, np.arange(30) >= 15)
