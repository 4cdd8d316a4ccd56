"""The model equals a general solver on the full dual, and its certificate is honest."""

import numpy as np
import pytest

from lapwing import StructuredLapSVC
from lapwing.kernels import RBF, Precomputed
from lapwing.linalg import pencil
from lapwing.losses import StructuredHinge
from lapwing.operators import MatrixOperator, TensorLaplacian
from lapwing.outputs import Flat, Grid, Ordinal, OutputStructure, Ring, Tree
from lapwing.problem import Problem, manifold_problem
from lapwing.solvers import CuttingPlanes, Status
from lapwing.spaces import CoregionalizedOutputs, Exact, exact, vectorized

STRUCTURES = {
    "flat": Flat(4),
    "even ring": Ring(4),
    "odd ring, halved": Ring(5, loss="half"),
    "tree": Tree(["a.b.c", "a.b.d", "a.e", "f"]),
    "tree with root": Tree(["a.b", "a.c", "d"], outputs="all", root=True),
    "grid": Grid(2, 2),
    "ordinal": Ordinal(4),
    "asymmetric costs": OutputStructure(
        np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]]),
        np.array([[0.0, 5.0, 1.0], [0.5, 0.0, 2.0], [1.0, 3.0, 0.0]]),
    ),
}


def objective_of(problem, outputs, rescaling, operator=None, weights=None) -> Problem:
    n, q = len(problem.K_x), len(outputs.classes)
    Y, w = np.zeros((n, q)), np.zeros((n, 1))
    Y[problem.rows, problem.codes] = 1.0
    w[problem.rows, 0] = 1.0 / len(problem.rows) if weights is None else weights
    operator = MatrixOperator(problem.L_x) if operator is None else operator
    space = CoregionalizedOutputs(Exact(problem.K_x, Precomputed(), None), *outputs.directions)
    loss = StructuredHinge(outputs, rescaling)
    return manifold_problem(loss, Y, w, space, operator, problem.gamma_A, problem.lam * n**2)


@pytest.mark.parametrize("slack", ["n-slack", "1-slack"])
@pytest.mark.parametrize("rescaling", ["slack", "margin"])
@pytest.mark.parametrize("name", STRUCTURES)
def test_objective_equals_full_dual(name, rescaling, slack, make_problem):
    outputs = STRUCTURES[name].build()
    problem = make_problem(outputs, seed=len(name))
    objective = objective_of(problem, outputs, rescaling)
    solution = CuttingPlanes(slack, tol=1e-8).solve(objective)
    expected = problem.full_dual(rescaling)
    assert solution.status is Status.CONVERGED
    assert solution.optimality <= 2e-8
    value = objective.value(objective.space.element(solution.coef)).sum()
    assert value == pytest.approx(expected, rel=1e-6)
    assert solution.dual <= value


@pytest.mark.parametrize("gamma_A", [1e-6, 1e-3, 10.0])
@pytest.mark.parametrize("lam", [0.0, 1e-4, 0.1])
def test_over_the_range_of_gammas(gamma_A, lam, make_problem):
    outputs = Ring(4).build()
    problem = make_problem(outputs, gamma_A=gamma_A, lam=lam)
    objective = objective_of(problem, outputs, "slack")
    solution = CuttingPlanes(tol=1e-7).solve(objective)
    assert solution.status is Status.CONVERGED
    assert solution.primal == pytest.approx(problem.full_dual("slack"), rel=1e-5, abs=1e-7)


def test_the_certificate_is_honest_beyond_what_rounding_allows(make_problem):
    """γ_I/γ_A = 1e7: whatever was reached, the reported gap is that of the returned function."""
    outputs = Ring(4).build()
    problem = make_problem(outputs, gamma_A=1e-6, lam=10.0)
    objective = objective_of(problem, outputs, "slack")
    solution = CuttingPlanes(tol=1e-12).solve(objective)
    value = objective.value(objective.space.element(solution.coef)).sum()
    excess = (value - problem.full_dual("slack")) / 2.0  # P(0): the ring's longest path
    assert solution.status is Status.STALLED
    assert excess <= solution.optimality + 1e-6
    assert excess < 1e-3


def test_weights_of_the_rows(make_problem):
    outputs = Tree(["a.b", "a.c", "d"]).build()
    problem = make_problem(outputs)
    weights = np.random.default_rng(3).uniform(0.2, 2.0, len(problem.rows))
    weights /= weights.sum()
    objective = objective_of(problem, outputs, "slack", weights=weights)
    solution = CuttingPlanes(tol=1e-8).solve(objective)
    assert solution.primal == pytest.approx(problem.full_dual("slack", weights), rel=1e-6)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("how", ["formed", "factor by factor", "preconditioned"])
def test_coupled_joint_laplacian(normalized, degree, how, make_problem, monkeypatch):
    """D^X⊗D^Y − A^X⊗A^Y with an affinity that does not commute with the output kernel."""
    monkeypatch.setattr(vectorized, "FORM_LIMIT", 5000 if how == "formed" else 0)
    affinity = np.array([[1.0, 0.5, 0.0], [0.5, 0.0, 2.0], [0.0, 2.0, 1.0]])
    outputs = OutputStructure(np.diag([1.0, 2.0, 3.0]), 1.0 - np.eye(3), affinity).build()
    assert not outputs.commuting
    graph = random_graph(14)
    tensor = TensorLaplacian(graph, affinity, normalized, degree)
    if how == "factor by factor":
        monkeypatch.setattr(tensor, "nearby", lambda: (np.empty((0, 0)), []))
    dense = np.linalg.matrix_power(joint_laplacian(graph, affinity, normalized), degree)
    problem = make_problem(outputs, L=dense)
    objective = objective_of(problem, outputs, "slack", tensor)
    solution = CuttingPlanes(tol=1e-8).solve(objective)
    assert solution.primal == pytest.approx(problem.full_dual("slack"), rel=1e-6)


@pytest.mark.parametrize("normalized", [True, False])
def test_commuting_affinity_needs_no_pairs(normalized, make_problem):
    """A circulant affinity on a ring: column by column equals the coupled form."""
    ring = Ring(4).build()
    affinity = np.array([[1, 2, 0, 2], [2, 1, 2, 0], [0, 2, 1, 2], [2, 0, 2, 1]], dtype=float)
    outputs = OutputStructure(ring.kernel, ring.loss_matrix, affinity).build()
    assert outputs.commuting
    graph = random_graph(14)
    tensor = TensorLaplacian(graph, affinity, normalized, 2)
    V = outputs.directions[0]
    columns = tensor.along(V)
    assert len({id(part) for _, part in columns}) < 4  # equal eigenvalues share one operator
    dense = np.linalg.matrix_power(joint_laplacian(graph, affinity, normalized), 2)
    problem = make_problem(outputs, L=dense)
    F = np.random.default_rng(1).normal(size=(14, 4))
    apart = np.column_stack([c * part.apply(F[:, [j]]) for j, (c, part) in enumerate(columns)])
    np.testing.assert_allclose(apart, tensor.apply(F @ V.T) @ V, atol=1e-10)
    solution = CuttingPlanes(tol=1e-8).solve(objective_of(problem, outputs, "slack", tensor))
    assert solution.primal == pytest.approx(problem.full_dual("slack"), rel=1e-6)


@pytest.mark.parametrize("n", [6, 9])
def test_one_reduction_serves_many_eigenvalues(n, make_problem, monkeypatch):
    """Above four distinct σ_j the factors come from one reduction: the same K̃ and coefficients."""
    outputs = Ordinal(n).build()
    objective = objective_of(make_problem(outputs, n=20), outputs, "slack")
    pencils = []
    monkeypatch.setattr(
        exact, "choose_pencil", lambda *a: pencils.append(choose(*a)) or pencils[-1]
    )
    choose = pencil.choose_pencil
    reduced = objective.deformation.gram(objective.rows)
    assert [type(made) for made in pencils] == [pencil.ReducedPencil]
    monkeypatch.setattr(pencil, "FEW", n)
    factored = objective_of(make_problem(outputs, n=20), outputs, "slack").deformation
    G = np.random.default_rng(0).normal(size=(8, n))
    a, b = reduced, factored.gram(objective.rows)
    assert type(pencils[-1]) is pencil.FactoredPencil
    np.testing.assert_allclose(a.apply(G), b.apply(G), atol=1e-8)
    np.testing.assert_allclose(a.lift(G), b.lift(G), atol=1e-7)


def test_warm_start_keeps_the_answer_and_saves_rounds(make_problem):
    outputs = Ring(6).build()
    problem = make_problem(outputs, n=30, l=20, gamma_A=1e-4, lam=1e-3)
    cold = CuttingPlanes(tol=1e-7).solve(objective_of(problem, outputs, "slack"))
    problem.gamma_A, problem.lam = 1.2e-4, 1.1e-3
    neighbor = objective_of(problem, outputs, "slack")
    again = CuttingPlanes(tol=1e-7).solve(neighbor)
    warm = CuttingPlanes(tol=1e-7, start=cold.working_set).solve(neighbor)
    assert warm.primal == pytest.approx(again.primal, rel=1e-6)
    assert warm.n_iter < again.n_iter


def test_limits_are_reported(make_problem):
    outputs = Ring(6).build()
    objective = objective_of(make_problem(outputs), outputs, "slack")
    stopped = CuttingPlanes(max_iter=1).solve(objective)
    assert stopped.status is Status.MAX_ITER
    assert stopped.optimality > 1e-6
    with pytest.raises(ValueError, match="n-slack"):
        CuttingPlanes("2-slack").solve(objective)


def random_graph(n):
    from lapwing.graphs import Given

    rng = np.random.default_rng(5)
    W = np.triu(rng.uniform(size=(n, n)) * (rng.uniform(size=(n, n)) < 0.4), 1)
    return Given(W + W.T).build(np.zeros((n, 1)))


def joint_laplacian(graph, affinity, normalized):
    W = graph.W.toarray()
    A = np.kron(W, affinity)
    d = A.sum(axis=1)
    if not normalized:
        return np.diag(d) - A
    root = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    return np.diag((d > 0).astype(float)) - root[:, None] * A * root


@pytest.mark.parametrize("tol", [1e-6, 1e-3])
def test_rounds_do_not_go_in_circles_where_the_maximum_is_small(tol):
    """With little regularization the dual's maximum lies below the first rounds' accuracy."""
    y = np.repeat(np.arange(10), 6)
    angle = 2 * np.pi * (y + np.random.default_rng(0).uniform(size=60)) / 10
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    model = StructuredLapSVC(
        kernel=RBF(2.0), output=Flat(10), gamma_A=1e-8, gamma_I=0.0, tol=tol, max_iter=60
    ).fit(X, y)
    assert model.solution_.status is Status.CONVERGED
    assert model.solution_.optimality <= 2 * tol
