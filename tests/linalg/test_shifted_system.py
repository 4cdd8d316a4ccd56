"""A float32 Cholesky factor with the labels' weights in it, against numpy's float64 solutions."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_blobs, make_moons

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.linalg.exact.gram_system import GramSystem
from lapwing.linalg.exact.shifted_system import ShiftedSystem
from lapwing.linalg.exact.symmetric_forms import choose_symmetric_form
from lapwing.linalg.quadratic_form import QuadraticForm
from lapwing.operators import MatrixOperator
from lapwing.operators.algebra import ScaledOperator, SumOperator
from lapwing.regularizers import Laplacian, LaplacianPolynomial
from lapwing.spaces.exact import DIGITS, DenseEngine
from lapwing.spaces.galerkin import Galerkin

N = 1_000  # the least at which float32 is taken
RNG = np.random.default_rng(0)
ROWS = np.sort(RNG.choice(N, 15, replace=False))


def points(kind):
    if kind == "moons":
        return make_moons(N, noise=0.05, random_state=0)[0]
    if kind == "twice":  # every row has a double
        return np.repeat(make_blobs(N // 2, 10, centers=5, random_state=0)[0], 2, axis=0)
    return make_blobs(N, 3, centers=4, cluster_std=0.1, random_state=0)[0]  # a graph in pieces


KINDS = ("moons", "twice", "apart")
PROBLEMS = {kind: points(kind) for kind in KINDS}
GRAMS = {kind: np.asarray(RBF().build(X)(X)) for kind, X in PROBLEMS.items()}


def refined(A, B):
    X = np.linalg.solve(A, B)
    return X + np.linalg.solve(A, B - A @ X)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(("gamma", "lam"), [(1e-3, 1e-3), (1e-6, 1e-3), (1e-8, 1e-2), (1e-6, 1e3)])
def test_readouts_of_the_squared_loss(kind, degree, gamma, lam):
    """With an intercept; to 1e-8 where float64 itself has as many digits."""
    K, M = GRAMS[kind], Laplacian(KNN(8), degree=degree).build(PROBLEMS[kind])
    w, y = np.zeros(N), np.zeros((N, 2))
    w[ROWS], y[ROWS] = 1 / 15, RNG.choice([-1.0, 1.0], size=(15, 2))
    form = QuadraticForm(M, lam, w).without(np.ones((N, 1)))
    R = w[:, None] * (y - (w @ y) / w.sum())
    coef, values = GramSystem(K, form, gamma).solve(R)
    A = gamma * np.eye(N) + (np.diag(w) + lam * M.toarray() - form.taken @ form.taken.T) @ K
    expected = K @ refined(A, R)
    digits = 1e-16 * lam * np.linalg.norm(K, 2) / gamma  # what rounding leaves of a solution
    tol = max(1e-8, 100 * digits) * np.abs(expected).max()
    assert_allclose(K @ coef, expected, rtol=0, atol=tol)
    assert values is None or np.allclose(values, K @ coef, rtol=0, atol=tol)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("gamma", [1e-3, 1e-6])
def test_what_was_lent_is_taken_back(kind, degree, gamma):
    """K̃ at the rows, its lift, and parts of both, from one factor."""
    K, M, lam = GRAMS[kind], Laplacian(KNN(8), degree=degree).build(PROBLEMS[kind]), 1e-3
    E = np.eye(N)[:, ROWS]
    C = refined(gamma * np.eye(N) + lam * M.toarray() @ K, E)
    expected = (K @ C)[ROWS]
    known = Galerkin(partial(DenseEngine, K, QuadraticForm(M, lam), gamma, DIGITS), N)
    found = known.gram(ROWS)
    assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())
    assert_allclose(known.gram(ROWS[[4, 1]]), found[np.ix_([4, 1], [4, 1])], rtol=0)
    G = RNG.normal(size=(15, 2))
    coef, values = known.lift(E @ G)
    lifted = K @ C @ G
    assert_allclose(K @ coef, lifted, rtol=0, atol=1e-8 * np.abs(lifted).max())
    assert_allclose(values, K @ coef, rtol=0, atol=1e-8 * np.abs(lifted).max())


def test_other_right_hand_sides_are_as_good():
    """A correction at rows without weights: to few digits by the same factor."""
    K, M, gamma, lam = (
        GRAMS["moons"],
        Laplacian(KNN(8), degree=2).build(PROBLEMS["moons"]),
        1e-4,
        1e-3,
    )
    w = np.zeros(N)
    w[ROWS] = 1 / 15
    system, R = GramSystem(K, QuadraticForm(M, lam, w), gamma), RNG.normal(size=(N, 1))
    system.solve(w[:, None])
    coef, _ = system.solve(R)
    assert "lu" not in system._known
    expected = np.linalg.solve(gamma * np.eye(N) + (np.diag(w) + lam * M.toarray()) @ K, R)
    assert np.linalg.norm(coef - expected) < 0.1 * np.linalg.norm(expected)


def test_a_full_matrix_has_neither_form():
    full = MatrixOperator(np.eye(5))
    assert not full.sparse_matrix.shape[0] and not full.root.shape[0]


@pytest.mark.parametrize("degree", [1, 2, 3, "mixed"])
def test_roots_and_matrices(degree):
    mixed = LaplacianPolynomial(KNN(4), (0.1, 0.3, 0.85))
    regularizer = mixed if degree == "mixed" else Laplacian(KNN(4), degree=degree)
    M = regularizer.build(PROBLEMS["moons"])
    for operator in (M, ScaledOperator(M, 0.5), SumOperator([M, M])):
        if operator.root.shape[0]:
            R = operator.root.toarray()
            assert_allclose(R @ R, operator.toarray(), atol=1e-12)
        if operator.sparse_matrix.shape[0]:
            assert_allclose(operator.sparse_matrix.toarray(), operator.toarray(), atol=1e-12)
    assert (M.root.shape[0] > 0) == (degree == 2)
    assert (M.sparse_matrix.shape[0] == 0) == (degree == 3)


def test_squares_with_many_entries_are_not_formed():
    few, many = (Laplacian(KNN(k), degree=2).build(PROBLEMS["moons"]) for k in (4, 20))
    assert few.sparse_matrix.nnz <= len(PROBLEMS["moons"]) ** 2 / 15
    assert many.sparse_matrix.shape[0] == 0 < many.root.shape[0]


@pytest.mark.parametrize("model", [LapRLSClassifier, LapSVC])
@pytest.mark.parametrize("gammas", [(1e-6, 1e-3), (1e-10, 1e-2), (1e-6, 1e3)])
def test_certificates_hold(model, gammas):
    """Also where float32 must give up."""
    X = PROBLEMS["moons"]
    y = np.full(N, -1)
    y[ROWS] = X[ROWS, 1] > 0.25
    given = {"kernel": "rbf", "regularizer": Laplacian(KNN(8), degree=2), "fit_intercept": True}
    fit = model(gamma_A=gammas[0], gamma_I=gammas[1] * N**2, space="exact", **given).fit(X, y)
    # at γ_I = 1e9 the order of sums in K c decides whether it is 0.98e-6 or 1.09e-6: rounding
    assert fit.solution_.optimality < 2e-6


@pytest.mark.parametrize("sigma", [8.0, 5.0])
def test_the_certificate_is_that_of_the_coefficients(sigma):
    """Values that many steps have summed up would pass for those of the coefficients."""
    X = PROBLEMS["twice"]
    y = np.full(N, -1)
    y[[0, 500]] = [0, 1]
    model = LapRLSClassifier(
        kernel=RBF(sigma), regularizer=Laplacian(KNN(6)), gamma_A=1e-4,
        gamma_I=4e8, fit_intercept=False, space="exact",
    ).fit(X, y)  # fmt: skip
    objective, found = model.objective_, model.solution_
    fresh = objective.optimality(objective.space.element(found.coef))
    assert fresh <= 2 * found.optimality + 1e-12


def test_sections_that_have_settled_count_though_the_residual_has_not_fallen():
    y = np.full(N, -1)
    y[np.random.default_rng(20).choice(N, 20, replace=False)] = np.arange(20) % 2
    model = LapSVC(
        loss="squared_hinge", kernel=RBF(0.5), regularizer=Laplacian(KNN(6), degree=2),
        gamma_A=1e-7, gamma_I=1e6, fit_intercept=False,
    ).fit(PROBLEMS["twice"], y)  # fmt: skip
    assert model.solution_.status.name == "CONVERGED"


def targets(columns, rows=ROWS):
    R = np.zeros((N, columns))
    R[rows] = RNG.normal(size=(len(rows), columns)) * np.logspace(-3, 3, columns)
    return R


def many(degree, lam, rows):
    w = np.zeros(N)
    w[rows] = 1 / len(rows)
    return QuadraticForm(Laplacian(KNN(8), degree=degree).build(PROBLEMS["moons"]), lam, w)


SIXTY = np.sort(np.random.default_rng(1).choice(N, 60, replace=False))


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("gamma", [1e-2, 1e-6])
@pytest.mark.parametrize("columns", [15, 50, 100])
def test_many_columns(degree, gamma, columns):
    """In either precision, and where there are more of them than rows with weights."""
    K, form = GRAMS["moons"], many(degree, 1e-2, SIXTY)
    R = targets(columns, SIXTY)
    coef, values = ShiftedSystem(K, form, gamma, columns).solve(R)
    A = gamma * np.eye(N) + (np.diag(form.w) + 1e-2 * form.operator.toarray()) @ K
    expected = K @ refined(A, R)
    tol = 1e-8 * np.abs(expected).max(axis=0)
    assert (np.abs(values - expected) <= tol).all()
    assert (np.abs(K @ coef - expected) <= tol).all()


@pytest.mark.parametrize("degree", [1, 2])
def test_float64_is_for_many_columns_and_little_norm(degree):
    K, form = GRAMS["moons"], many(degree, 1e-2, SIXTY)
    assert ShiftedSystem(K, form, 1e-6, 60).dtype == np.float64
    assert ShiftedSystem(K, form, 1e-6, 2).dtype == np.float32
    assert ShiftedSystem(K, form, 1e2, 20).dtype == np.float32


def test_more_columns_than_rows_are_solved_for_row_by_row(monkeypatch):
    K, system = GRAMS["moons"], ShiftedSystem(GRAMS["moons"], many(2, 1e-2, ROWS), 1e-3, 15)
    asked, solve = [], ShiftedSystem.dual
    monkeypatch.setattr(
        ShiftedSystem, "dual", lambda self, s, *a, **k: asked.append(s.shape[1]) or solve(self, s)
    )
    R = targets(40)
    coef, values = system.solve(R)
    assert asked == [15]
    assert_allclose(values, K @ coef, rtol=0, atol=1e-9 * np.abs(values).max())
    assert not system.solve(np.zeros((N, 3)))[1].any()


@pytest.mark.parametrize(("degree", "gamma"), [(2, 1e-8), (1, 2e-8)])
def test_the_certificate_of_more_targets_than_labels(degree, gamma):
    """It is that of the coefficients, which predict."""
    X, Y = PROBLEMS["moons"], np.full((N, 40), np.nan)
    Y[ROWS[:8]] = np.random.default_rng(1).normal(size=(8, 40))
    model = LapRLSRegressor(
        kernel="rbf", regularizer=Laplacian(KNN(8), degree=degree), gamma_A=gamma, gamma_I=1e3
    ).fit(X, Y)
    objective = model.objective_
    true = objective.optimality(objective.space.element(model.solution_.coef))
    assert true <= max(2.0 * model.solution_.optimality, 1e-12)


@pytest.mark.parametrize("columns", [6, 12, 15])
@pytest.mark.parametrize("alike", [True, False])
def test_values_are_those_of_the_coefficients(columns, alike):
    K, R = GRAMS["moons"], targets(columns)
    R = np.repeat(R[:, :1], columns, axis=1) if alike else R
    coef, values = ShiftedSystem(K, many(2, 1e-2, ROWS), 1e-3).solve(R)
    assert (np.abs(values - K @ coef) <= 1e-12 * np.abs(values).max(axis=0)).all()


@pytest.mark.parametrize("degree", [1, 2])
def test_the_stretch_is_that_of_the_diagonal(degree):
    K, form, gamma = GRAMS["moons"], many(degree, 1e-2, ROWS), 1e-3
    frame = choose_symmetric_form(form)
    S = np.tril(frame.assemble(K, gamma, np.float64))[:N, :N]
    ridge = np.full(N, gamma) if degree == 2 else gamma * frame.G.diagonal()
    unit = frame.apply(gamma, *_first_unit(frame, K))[0, 0] / S[0, 0]
    ratios = unit * np.diagonal(S) / ridge - 1.0
    looked_at = np.unique(np.linspace(0, N - 1, 32).astype(int))
    assert_allclose(frame.stretch(K, gamma), ratios[looked_at].max())


def _first_unit(frame, K):
    Z = np.zeros((N + (len(frame.rows) if frame.right(targets(1)).shape[0] > N else 0), 1))
    Z[0] = 1.0
    C = frame.spread(Z)
    return Z, C, K @ C


@pytest.mark.parametrize("kind", ["moons", "apart"])
def test_rows_without_weights_are_answered_whatever_the_tolerance(kind):
    """A rough tolerance once left an error of tol/γ, and a second, float64 factor was made."""
    K, M = GRAMS[kind], Laplacian(KNN(8), degree=2).build(PROBLEMS[kind])
    w, R = np.zeros(N), np.zeros((N, 3))
    w[ROWS] = 1 / len(ROWS)
    others = np.setdiff1d(np.arange(N), ROWS)[[5, 400, 800]]
    R[others, np.arange(3)] = 1.0
    system = ShiftedSystem(K, QuadraticForm(M, 1e-3, w), 1e-6)
    c, f = system.solve(R, 3e-3)
    left = R - 1e-6 * c - system.form.apply(f)
    assert np.linalg.norm(left, axis=0).max() < 3e-3


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("gamma", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("t", [5, 100])
def test_energies_of_any_columns_are_those_of_a_float64_solution(degree, gamma, t):
    K, lam = GRAMS["moons"], 1e-3
    M = Laplacian(KNN(8), degree=degree).build(PROBLEMS["moons"])
    w = np.zeros(N)
    w[ROWS] = 1 / 15
    G = np.diag(w) + lam * M.toarray()
    kernel = RBF().build(PROBLEMS["moons"])
    b = np.asarray(kernel(PROBLEMS["moons"], PROBLEMS["moons"][:t] + 0.02))
    found = ShiftedSystem(K, QuadraticForm(M, lam, w), gamma).energies(b, np.ones(t))
    expected = np.einsum("it,it->t", b, refined(gamma * np.eye(N) + G @ K, G @ b))
    assert_allclose(1.0 - found, 1.0 - expected, rtol=0.05)
