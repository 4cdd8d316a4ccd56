"""Any loss, missing entries, M_out and sums of kernels against dense and independent solutions."""

import cvxpy as cp
import numpy as np
import pytest

from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.linalg.quadratic_form import QuadraticForm
from lapwing.losses import (
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    SmoothLoss,
    Squared,
    SquaredHinge,
)
from lapwing.operators import TensorOperator, ZeroOperator
from lapwing.problem import manifold_problem
from lapwing.regularizers import Laplacian
from lapwing.solvers import CG, Direct, Dual, Newton, OnLabeled, Status, choose_solver
from lapwing.spaces import CoregionalizedOutputs, Exact, KernelSum, WithFreeFunctions
from lapwing.spaces.systems import KrylovSystem

N, q, l = 18, 3, 8
gamma_A, lam = 1e-2, 0.2
rng = np.random.default_rng(1)
X, kernel = rng.standard_normal((N, 3)), RBF(1.3)
K, M = kernel(X), Laplacian(KNN(4)).build(X)
A = rng.standard_normal((q, q))
Q, M_out = A @ A.T, np.cov(rng.standard_normal((q, 9)))
Y = np.sign(rng.standard_normal((N, q)))
mask = (np.arange(N)[:, None] < l) & (rng.random((N, q)) < 0.7)
mask[:l, 0] = True
scalar = Exact(K, kernel, X)
other = Exact(X @ X.T, kernel, X)


def objective(loss, space=None, operator=M, intercept=True, W=None, Y=Y, lam=lam):
    core = CoregionalizedOutputs.by_kernel(scalar, Q) if space is None else space
    space = WithFreeFunctions(core) if intercept else core
    W = mask / l if W is None else W
    return manifold_problem(loss, np.where(W > 0, Y, 0.0), W, space, operator, gamma_A, lam * N**2)


def dense_squares(G, penalty, W, intercept):
    """min Σ w (y − G a − b)² + γ_A aᵀG a + λ aᵀG M G a over (row, output) pairs, row-major."""
    B = np.kron(np.ones((N, 1)), np.eye(q)) if intercept else np.zeros((N * q, 0))
    w, R = W.ravel(), np.hstack([G, B])
    H = R.T @ (w[:, None] * R)
    H[: N * q, : N * q] += gamma_A * G + lam * G @ penalty @ G
    c = np.linalg.lstsq(H, R.T @ (w * Y.ravel()), rcond=1e-13)[0]
    return (R @ c).reshape(N, q)


PROBLEMS = {
    "k Q": (None, M, np.kron(K, Q), np.kron(M.toarray(), np.eye(q))),
    "M_out": (None, TensorOperator(M, M_out), np.kron(K, Q), np.kron(M.toarray(), M_out)),
    "sum": (
        KernelSum([(scalar, Q), (other, np.eye(q))]),
        M,
        np.kron(K, Q) + np.kron(X @ X.T, np.eye(q)),
        np.kron(M.toarray(), np.eye(q)),
    ),
}


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("solver", [OnLabeled(Newton(1e-10)), CG(tol=1e-11), "auto"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_missing_entries_agree_with_the_dense_weighted_solution(name, solver, intercept):
    space, operator, G, penalty = PROBLEMS[name]
    o = objective(Squared(), space, operator, intercept)
    solver = choose_solver("auto", o, tol=1e-10) if solver == "auto" else solver
    found = solver.solve(o)
    readout = o.space.element(found.coef).readout
    np.testing.assert_allclose(readout, dense_squares(G, penalty, mask / l, intercept), atol=1e-6)
    assert found.status is Status.CONVERGED


SMOOTH = [Squared(), Logistic(), SquaredHinge(), Huber(0.5)]


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", SMOOTH, ids=lambda v: type(v).__name__)
def test_smooth_losses_agree_with_newton_over_all_points(loss, intercept):
    o = objective(loss, intercept=intercept)
    on_pairs, graph_values = OnLabeled(Newton(1e-10)).solve(o), Newton(tol=1e-10).solve(o)
    assert on_pairs.optimality < 1e-8
    assert graph_values.status is Status.CONVERGED
    a, b = (o.space.element(s.coef).readout for s in (on_pairs, graph_values))
    np.testing.assert_allclose(a, b, atol=1e-6)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", [Hinge(), EpsilonInsensitive(0.2)], ids=["hinge", "epsilon"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_losses_with_a_kink_agree_with_an_independent_solver(name, loss, intercept):
    space, operator, G, penalty = PROBLEMS[name]
    o = objective(loss, space, operator, intercept)
    found = Dual().solve(o)
    a, b = cp.Variable(N * q), cp.Variable(q)
    f = G @ a + (np.kron(np.ones((N, 1)), np.eye(q)) @ b if intercept else 0)
    y, w = Y.ravel(), (mask / l).ravel()
    if isinstance(loss, Hinge):
        fit = w @ cp.pos(1 - cp.multiply(y, f))
    else:
        fit = w @ cp.pos(cp.abs(f - y) - loss.epsilon)
    H = gamma_A * G + lam * G @ penalty @ G
    root = np.linalg.cholesky(0.5 * (H + H.T) + 1e-11 * np.eye(N * q))
    problem = cp.Problem(cp.Minimize(fit + cp.sum_squares(root.T @ a)))
    problem.solve(solver=cp.CLARABEL)
    value = float(o.value(o.space.element(found.coef)).sum())
    np.testing.assert_allclose(value, problem.value, rtol=1e-5)
    assert found.status is Status.CONVERGED and found.optimality < 1e-6


def test_independent_outputs_are_support_vector_machines():
    W = np.where(np.arange(N)[:, None] < l, 1.0 / l, 0.0)
    coupled = objective(Hinge(), CoregionalizedOutputs.by_kernel(scalar, np.eye(q)), W=W)
    columns = manifold_problem(
        Hinge(), np.where(W > 0, Y, 0.0), W, WithFreeFunctions(scalar), M, gamma_A, lam * N**2
    )
    a = coupled.space.element(Dual().solve(coupled).coef)
    b = columns.space.element(Dual().solve(columns).coef)
    np.testing.assert_allclose(a.values, b.values, atol=1e-3)
    np.testing.assert_allclose(coupled.value(a).sum(), columns.value(b).sum(), rtol=1e-5)


def test_a_label_with_one_class_is_satisfied_by_its_constant():
    one_sided = Y.copy()
    one_sided[:, 1] = -1.0
    o = objective(Hinge(), Y=one_sided)
    found = Dual().solve(o)
    readout = o.space.element(found.coef).readout
    assert found.optimality < 1e-6
    assert (readout[mask[:, 1], 1] <= -1 + 1e-9).all()
    none = np.where(mask, -1.0, 0.0)
    assert Dual().solve(objective(Hinge(), Y=none)).optimality < 1e-12


@pytest.mark.parametrize("lam", [0.0, lam])
def test_the_factored_kernel_agrees_with_conjugate_gradients(lam):
    o = objective(Squared(), intercept=False, lam=lam)
    krylov = KrylovSystem(o.space, gamma_A, QuadraticForm(M, lam))
    R = np.where(mask, rng.standard_normal((N, q)), 0.0)
    iterated = krylov.solve(o.space.represent(0.0, R)).values
    lifted = o.space.evaluate(o.deformation.lift(R))
    np.testing.assert_allclose(lifted, iterated, atol=1e-8 / gamma_A)
    kernel = o.deformation.gram(o.rows)
    G = R[o.rows]
    np.testing.assert_allclose(kernel.apply(G), iterated[o.rows], atol=1e-8 / gamma_A)


def test_the_table_of_solvers():
    W = np.where(np.arange(N)[:, None] < l, 1.0 / l, 0.0)

    def name(o):
        solver = choose_solver("auto", o)
        inner = type(solver.solver).__name__ if isinstance(solver, OnLabeled) else ""
        return type(solver).__name__ + inner

    tensor = TensorOperator(M, M_out)
    assert name(objective(Squared(), W=W)) == "Direct"
    plain = objective(Squared(), operator=ZeroOperator(N), lam=0.0, W=W)
    assert name(plain) == "OnLabeledDirect"
    found, whole = choose_solver("auto", plain).solve(plain), Direct().solve(plain)
    np.testing.assert_allclose(found.coef, whole.coef, atol=1e-8)
    assert name(objective(Squared())) == "OnLabeledNewton"
    assert name(objective(Logistic(), W=W)) == "OnLabeledNewton"
    assert name(objective(Squared(), operator=TensorOperator(M, Q), W=W)) == "Direct"
    assert name(objective(Squared(), operator=tensor, W=W)) == "OnLabeledDirect"
    assert name(objective(Logistic(), operator=tensor, W=W)) == "OnLabeledNewton"
    assert name(objective(Hinge(), operator=tensor)) == "Dual"
    with pytest.raises(ValueError, match="unknown"):
        choose_solver("magic", objective(Squared()))
    assert all(isinstance(loss, SmoothLoss) for loss in SMOOTH)


def test_many_pairs_are_left_to_preconditioned_iterations(monkeypatch):
    monkeypatch.setattr("lapwing.spaces.vectorized.FORM_LIMIT", 0)
    tensor = TensorOperator(M, M_out)
    for loss, kind in ((Squared(), CG), (Logistic(), Newton)):
        o = objective(loss, operator=tensor)
        solver = choose_solver("auto", o, tol=1e-9)
        assert type(solver) is kind
        assert solver.solve(o).status is Status.CONVERGED


def test_no_penalty_on_the_graph_is_plain_regularization():
    o = objective(Squared(), operator=ZeroOperator(N), lam=0.0)
    found = OnLabeled(Newton(1e-10)).solve(o)
    G, none = np.kron(K, Q), np.zeros((N * q, N * q))
    expected = dense_squares(G, none, mask / l, True)
    np.testing.assert_allclose(o.space.element(found.coef).readout, expected, atol=1e-6)
