"""The row preconditioner: self-adjoint, positive, exact where rows are, and worth its factor."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import VectorValuedRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.losses import Huber, Logistic, Squared
from lapwing.operators import TensorOperator
from lapwing.problem import manifold_problem
from lapwing.regularizers import Laplacian
from lapwing.solvers import CG, Newton, Status
from lapwing.solvers.newton import nearest_system, newton_direction
from lapwing.spaces import CoregionalizedOutputs, Exact, WithFreeFunctions

N, q, l = 60, 4, 30
rng = np.random.default_rng(0)
X, kernel = rng.standard_normal((N, 3)), RBF(1.5)
scalar, M = Exact(kernel(X), kernel, X), Laplacian(KNN(5)).build(X)
A = rng.standard_normal((q, q))
Q = A @ A.T / q
Y = np.sign(rng.standard_normal((N, q)))
rows = np.where(np.arange(N)[:, None] < l, 1.0 / l, 0.0)
entries = rows * (rng.random((N, q)) < 0.7)
tensor = TensorOperator(M, np.eye(q) + 0.5)


def objective(loss=None, W=entries, intercept=True, operator=M, gamma_A=1e-5):
    core = CoregionalizedOutputs.by_kernel(scalar, Q)
    space = WithFreeFunctions(core) if intercept else core
    return manifold_problem(loss or Squared(), Y, W, space, operator, gamma_A, 1e-2 * N**2)


def random(space):
    return space.element(rng.standard_normal((space.n_coef, q)))


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("operator", [M, tensor], ids=["M", "M_out"])
def test_it_is_self_adjoint_and_positive(operator, intercept):
    o = objective(intercept=intercept, operator=operator)
    nearby, inner = nearest_system(o), o.space.inner
    a, b = random(o.space), random(o.space)
    Pa, Pb = nearby.solve(a.coef), nearby.solve(b.coef)
    np.testing.assert_allclose(inner(a, Pb), inner(Pa, b), rtol=1e-7)
    assert inner(a, Pa) > 0


@pytest.mark.parametrize("intercept", [False, True])
def test_it_is_the_inverse_where_rows_are_observed_whole(intercept):
    o = objective(W=rows, intercept=intercept)
    nearby, v = nearest_system(o), random(o.space)
    back = nearby.solve(0.5 * o.curvature(o.start, v).coef)
    np.testing.assert_allclose(back.readout, v.readout, atol=1e-6 * abs(v.readout).max())


@pytest.mark.parametrize("operator", [M, tensor], ids=["M", "M_out"])
def test_it_saves_steps_and_changes_nothing(operator):
    o = objective(operator=operator)
    plain, helped = CG(1e-10).solve(o), CG(1e-10, nearby=nearest_system(o)).solve(o)
    assert helped.status is Status.CONVERGED and helped.n_iter < plain.n_iter / 4
    a, b = (o.space.element(s.coef).readout for s in (plain, helped))
    np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("loss", [Logistic(), Huber(0.5)], ids=["logistic", "huber"])
def test_newton_finds_the_same_minimizer(loss):
    o = objective(loss, gamma_A=1e-3)
    plain = Newton(1e-9).solve(o)
    helped = Newton(1e-9, direction=partial(newton_direction, nearby=nearest_system(o))).solve(o)
    assert helped.status is Status.CONVERGED
    a, b = (o.space.element(s.coef).readout for s in (plain, helped))
    np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("outputs", [1, 2])
def test_more_labels_than_a_factor_takes(monkeypatch, outputs):
    """Above 25,000 rows and labels the default asked for a factor that it had ruled out."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2])[:, :outputs]
    Y[50:] = np.nan
    Q = np.eye(outputs) + 0.5
    given = {"kernel": "rbf", "gamma_A": 1e-2, "gamma_I": 0.0}
    model = VectorValuedRegressor(**given, output_kernel=Q)
    exact = model.fit(X, Y).predict(X)
    for module in ("spaces.exact", "solvers.choose"):
        monkeypatch.setattr(f"lapwing.{module}.DIRECT_LIMIT", 40)
    found = model.fit(X, Y)
    assert found.solution_.status.name == "CONVERGED"
    assert_allclose(found.predict(X), exact, atol=1e-6)
