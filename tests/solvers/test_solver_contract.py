"""Every solver finds the minimizer of every loss it takes, in every space, and says so honestly."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dense_solutions import convex, least_squares
from lapwing import losses, solvers
from lapwing.losses import EpsilonInsensitive, Hinge, Huber, Logistic, Squared, SquaredHinge
from lapwing.problem import manifold_problem
from lapwing.solvers import (
    AGD,
    CG,
    CuttingPlanes,
    Direct,
    Dual,
    EarlyStopping,
    Newton,
    OnLabeled,
    Solver,
    Status,
    choose_solver,
)
from lapwing.spaces import (
    Blockwise,
    CoregionalizedOutputs,
    Eigen,
    Exact,
    Landmarks,
    WithFreeFunctions,
    linear,
)
from lapwing.spaces.krylov import conjugate_gradient
from lapwing.testing import check_solver
from problems import Problem

P = Problem(0)  # RBF
LINEAR = Problem(6)


def make_space(name, p):
    if name == "linear":
        return linear(p.X)
    if name == "blockwise":
        return Blockwise(p.built, p.X)
    if name == "labels":
        eigen = Eigen.from_gram(p.K, 6, "whitened", p.built, p.X)
        return CoregionalizedOutputs(
            eigen, np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2), mu=[0.0, 2.0]
        )
    if name == "landmarks":
        return Landmarks(12).build(p.built, p.X)
    exact = Exact(p.K, p.built, p.X)
    if name == "separable":
        return CoregionalizedOutputs.by_kernel(exact, np.array([[1.0, 0.6], [0.6, 2.0]]))
    return exact


def problem(loss, space="exact", intercept=True, p=P, per_entry=False):
    """Two columns, so that sharing a factor or a Krylov iteration shows."""
    first = np.nan_to_num(p.target) if loss.kind == "regression" else p.signs[:, 0]
    Y = np.column_stack([first, -np.roll(first, 1) if loss.kind == "regression" else -first])
    w = p.weights(p.weight)[:, None]
    if per_entry:
        w = w * np.array([[1.0, 1.0]])
        w[np.flatnonzero(w[:, 0])[::4], 1] = 0.0
    base = make_space(space, p)
    gamma_I = 0.0 if space == "plain" else p.gamma_I
    return manifold_problem(
        loss,
        Y,
        w,
        WithFreeFunctions(base) if intercept else base,
        p.regularizer.build(p.X),
        p.gamma_A,
        gamma_I,
    )


QUADRATIC = [Squared()]
SMOOTH = [Squared(), SquaredHinge(), Logistic(), Huber(0.5)]
KINKED = [Hinge(), EpsilonInsensitive(0.1)]
TABLE = [
    *((solver, loss, "labels") for solver in (Direct(1e-9), AGD(1e-9)) for loss in QUADRATIC),
    *((Direct(1e-10), loss, "exact") for loss in QUADRATIC),
    *(
        (CG(1e-9), loss, s)
        for loss in QUADRATIC
        for s in ("exact", "blockwise", "plain", "landmarks")
    ),
    *(
        (Newton(1e-9), loss, s)
        for loss in SMOOTH
        for s in ("exact", "blockwise", "plain", "landmarks")
    ),
    *((OnLabeled(Newton(1e-9)), loss, s) for loss in SMOOTH for s in ("exact", "blockwise")),
    *(
        (
            EarlyStopping(1e-7, 20_000, share=-1.0),
            loss,
            s,
        )  # nothing counts as settled: to the minimum
        for loss in SMOOTH
        for s in ("exact", "plain", "landmarks", "separable")
    ),
    *(
        (Dual(1e-8), loss, s)
        for loss in KINKED
        for s in ("exact", "blockwise", "plain", "landmarks")
    ),
    (CG(1e-9), Squared(), "linear"),
    (Direct(1e-9), Squared(), "separable"),
    (Direct(1e-9), Squared(), "landmarks"),
    (CG(1e-9), Squared(), "separable"),
    *(
        (solver, loss, "separable")
        for loss in SMOOTH
        for solver in (Newton(1e-9), OnLabeled(Newton(1e-9)))
    ),
    *((Dual(1e-8), loss, "separable") for loss in KINKED),
    *((solver, Logistic(), "linear") for solver in (Newton(1e-9), OnLabeled(Newton(1e-9)))),
    (Dual(1e-8), Hinge(), "linear"),
]
name = lambda part: part if isinstance(part, str) else type(part).__name__  # noqa: E731


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("solver", "loss", "space"), TABLE, ids=name)
def test_contract(solver, loss, space, intercept):
    J = problem(loss, space, intercept, LINEAR if space == "linear" else P)
    check_solver(solver, J)


@pytest.mark.parametrize(
    "solver", [CG(1e-9), Direct(1e-9), Newton(1e-9), OnLabeled(Newton(1e-9))], ids=name
)
def test_contract_with_missing_entries(solver):
    check_solver(solver, problem(Squared(), per_entry=True))


def test_every_solver_is_in_the_table():
    exported = [getattr(solvers, n) for n in solvers.__all__]
    concrete = {c for c in exported if isinstance(c, type) and issubclass(c, Solver)} - {Solver}
    structured = {CuttingPlanes}  # its loss couples the columns: see tests/structured
    assert concrete == {type(solver) for solver, _, _ in TABLE} | structured


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", ["squared", "squared_hinge", "logistic", "huber"])
def test_dense_solution(loss, intercept):
    """All solvers that take the loss agree with the same dense solution, hence with each other."""
    taken = {"huber": Huber(1.0)}.get(loss) or losses.get_loss(loss)
    J = problem(taken, intercept=intercept)
    w = np.zeros(P.n)
    w[J.rows] = J.w[:, 0]
    Y = np.zeros((P.n, 2))
    Y[J.rows] = J.y
    args = (P.gamma_A, P.gamma_I, intercept)
    if loss == "squared":
        truth = [least_squares(P.K, P.M, y, w, *args).readout for y in Y.T]
    else:
        truth = [convex(loss, P.K, P.M, y, w, *args).readout for y in Y.T]
    candidates = [Newton(1e-10), OnLabeled(Newton(1e-10))]
    candidates += [Direct(), CG(1e-10)] if loss == "squared" else []
    for solver in candidates:
        check_solver(solver, J, readout=np.column_stack(truth))


class Liar(Solver):
    """Stops early, or reports what is not so."""

    requires = Squared

    def __init__(self, lie):
        self.lie = lie

    def solve(self, objective, start=None):
        true = Direct().solve(objective)
        factor = 1.01 if self.lie == "coef" else 1.0
        optimality = 1e-9 if self.lie in ("coef", "optimality") else true.optimality
        status = Status.STALLED if self.lie == "status" else Status.CONVERGED
        return solvers.Solution(factor * true.coef, status, 1, optimality, [optimality])


@pytest.mark.parametrize("lie", ["coef", "optimality", "status"])
def test_the_contract_notices(lie):
    check_solver(Liar(None), problem(Squared()))
    with pytest.raises(AssertionError):
        check_solver(Liar(lie), problem(Squared()))


@pytest.mark.parametrize("solver", [CG(1e-10, max_iter=2), Newton(1e-10, max_iter=1)], ids=name)
def test_a_limit_is_reported(solver):
    found = solver.solve(problem(Squared() if isinstance(solver, CG) else Logistic()))
    assert found.status is Status.MAX_ITER and found.optimality > 1e-10
    assert "max_iter" in str(found.status)


@pytest.mark.parametrize(
    "solver", [Direct(1e-20), CG(1e-20), Newton(1e-20), OnLabeled(Newton(1e-20)), Dual(1e-30)]
)
def test_no_solver_claims_more_than_rounding_allows(solver):
    found = solver.solve(problem(Hinge() if isinstance(solver, Dual) else Squared()))
    assert found.status is not Status.CONVERGED or found.optimality == 0.0


def test_warm_start_saves_iterations():
    J = problem(Squared(), "blockwise")
    cold = CG(1e-9).solve(J)
    near = J.space.element(cold.coef * (1 + 1e-6))
    warm = CG(1e-9).solve(J, near)
    assert warm.status is Status.CONVERGED and warm.n_iter < cold.n_iter
    J = problem(Logistic(), "blockwise")
    cold = Newton(1e-9).solve(J)
    near = J.space.element(cold.coef * (1 + 1e-6))
    assert Newton(1e-9).solve(J, near).n_iter < cold.n_iter


def test_progress_is_told():
    for solver in (Direct, CG, Newton, Dual):
        told = []
        loss = Hinge() if solver is Dual else Squared()
        solver(progress=lambda i, c, told=told: told.append((i, c))).solve(problem(loss))
        assert told and all(c >= 0 for _, c in told)


def test_kinds_of_losses_and_spaces_are_checked():
    with pytest.raises(TypeError, match="QuadraticLoss"):
        Direct().solve(problem(Logistic()))
    with pytest.raises(TypeError, match="DualLoss"):
        Dual().solve(problem(Squared()))
    with pytest.raises(TypeError, match="SmoothLoss"):
        Newton().solve(problem(Hinge()))
    with pytest.raises(TypeError, match="Gram matrix"):
        Direct().solve(problem(Squared(), "blockwise"))
    with pytest.raises(ValueError, match="unknown"):
        choose_solver("fast", problem(Squared()))


@pytest.mark.parametrize(
    ("loss", "space", "per_entry", "kind"),
    [
        (Squared(), "exact", False, Direct),
        (Squared(), "exact", True, OnLabeled),
        (Squared(), "blockwise", False, CG),
        (Logistic(), "exact", False, OnLabeled),
        (Logistic(), "blockwise", False, Newton),
        (Hinge(), "exact", False, Dual),
        (EpsilonInsensitive(), "blockwise", False, Dual),
    ],
)
def test_automatic_choice(loss, space, per_entry, kind):
    J = problem(loss, space, per_entry=per_entry)
    solver = choose_solver("auto", J)
    assert type(solver) is kind
    assert choose_solver(solver, J) is solver


def test_krylov_refuses_negative_curvature():
    space = linear(np.eye(4))
    rhs = space.element(np.ones((4, 1)))
    with pytest.raises(ValueError, match="positive semi-definite"):
        conjugate_gradient(space, lambda v: space.element(-v.coef), rhs, tol=1e-8, max_iter=9)


def test_history_ends_with_the_certificate():
    for solver, loss in ((Direct(), Squared()), (CG(), Squared()), (Newton(), Logistic())):
        found = solver.solve(problem(loss))
        assert_allclose(found.history[-1], found.optimality)
