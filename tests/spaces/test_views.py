"""The space of several views, and its coupling eliminated, against the equation itself."""

import numpy as np
import pytest
import scipy.linalg

from lapwing.kernels import RBF, Linear
from lapwing.losses import Squared
from lapwing.operators import (
    DisagreementOperator,
    IntrinsicCoupling,
    ScaledOperator,
    ViewCoupling,
)
from lapwing.problem import manifold_problem
from lapwing.regularizers import Laplacian, Matrix
from lapwing.solvers import CG, choose_solver
from lapwing.spaces import Exact, Views, WithFreeFunctions, WithIntrinsic, linear
from lapwing.views import SplitRows

rng = np.random.default_rng(3)
N = 14


def points(m=2, missing=False):
    rows = [np.arange(N) for _ in range(m)]
    if missing:
        rows = [np.sort(rng.choice(N, N - 3 - j, replace=False)) for j in range(m)]
        rows[0] = np.union1d(rows[0], np.setdiff1d(np.arange(N), np.concatenate(rows)))
    return SplitRows(tuple(rng.standard_normal((len(r), 3)) for r in rows), tuple(rows), N)


def views_over(X, a=None, gammas=None):
    m = len(X.blocks)
    a = np.full(m, 1 / m) if a is None else a
    gammas = np.ones(m) if gammas is None else gammas
    kernels = [RBF(1.0 + j).build(block) for j, block in enumerate(X.blocks)]
    spaces = [Exact(k(b), k, b) for k, b in zip(kernels, X.blocks, strict=True)]
    return Views(spaces, X, a, gammas)


def coupling(X, own=False, precisions=None):
    D = DisagreementOperator(X.rows, X.n, precisions, weight=2.0)
    penalties = [Laplacian().build(b) if own else None for b in X.blocks]
    return ViewCoupling(D, penalties)


def random_element(space, t=2):
    return space.element(rng.standard_normal((space.n_coef, t)))


def cases():
    for missing in (False, True):
        X = points(3, missing)
        space = views_over(X, np.array([0.5, 0.2, 0.3]), np.array([1.0, 2.0, 0.5]))
        yield space
        yield WithIntrinsic(space, 0.4)
        yield WithFreeFunctions(WithIntrinsic(space, 0.0))


@pytest.mark.parametrize("space", cases())
def test_represent_is_the_adjoint_of_evaluation_and_readout(space):
    h = random_element(space)
    r_M, r_loss = rng.standard_normal(h.values.shape), rng.standard_normal((N, 2))
    pulled = space.element(space.represent(r_M, r_loss))
    expected = (r_M * h.values).sum(axis=0) + (r_loss * h.readout).sum(axis=0)
    np.testing.assert_allclose(space.inner(pulled, h), expected, rtol=1e-10)
    np.testing.assert_allclose(space.inner(h, pulled), expected, rtol=1e-10)
    assert (space.inner(h, h) > 0).all()


@pytest.mark.parametrize("m", [2, 3, 5])
def test_disagreement_is_the_sum_over_pairs(m):
    D = DisagreementOperator([np.arange(4)] * m, 4)
    F = rng.standard_normal((m, 4))
    pairs = sum(((F[j] - F[k]) ** 2).sum() for j in range(m) for k in range(j))
    np.testing.assert_allclose(D.value(F.reshape(-1, 1)), pairs)
    np.testing.assert_allclose(D.toarray(), np.kron(m * np.eye(m) - np.ones((m, m)), np.eye(4)))


def test_disagreement_over_rows_that_lack_views():
    rows = [np.array([0, 1]), np.array([1, 2]), np.array([1, 2, 3])]
    f = rng.standard_normal(7)
    value = DisagreementOperator(rows, 4).value(f[:, None])
    at_1, at_2 = (f[1], f[2], f[4]), (f[3], f[5])
    pairs = sum((x - z) ** 2 for i, x in enumerate(at_1) for z in at_1[:i])
    np.testing.assert_allclose(value, pairs + (at_2[0] - at_2[1]) ** 2)


def sections_of(space, operator, ratio, rows):
    """k̃(·, x_i) by the library."""
    return space.deformed(operator, 1.0, ratio).lift(np.eye(N)[:, rows])


def sections_of_the_definition(space, M, ratio, rows):
    """k̃(·, x_i) minimizes ‖f‖² + ratio ⟨f, M f⟩ − 2 (Rf)(x_i): one dense system in f's metric."""
    eye = np.eye(space.n_coef)
    gram = np.array([[space.inner(space.element(eye[:, [i]]), space.element(eye[:, [j]]))[0]
                      for j in range(space.n_coef)] for i in range(space.n_coef)])  # fmt: skip
    penal = np.array([[space.inner(space.element(eye[:, [i]]),
                                   space.element(eye[:, [j]]).penalized())[0]
                       for j in range(space.n_coef)] for i in range(space.n_coef)])  # fmt: skip
    E = space.evaluate(eye)
    R = space.readout(space.element(eye))[rows]
    assert gram.shape == penal.shape
    return np.linalg.lstsq(penal + ratio * E.T @ M @ E, R.T, rcond=None)[0]


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_sections_represent_the_readout(m, own, missing):
    X = points(m, missing and m > 1)
    space = views_over(X, np.linspace(0.3, 0.7, m), np.linspace(1.0, 3.0, m))
    operator = coupling(X, own)
    rows = np.array([2, 9, 5])
    found = sections_of(space, operator, 0.7, rows)
    expected = sections_of_the_definition(space, operator.toarray(), 0.7, rows)
    np.testing.assert_allclose(space.evaluate(found), space.evaluate(expected), atol=1e-8)


@pytest.mark.parametrize("a_I", [0.0, 0.5])
@pytest.mark.parametrize("m", [1, 2])
def test_intrinsic_sections_with_a_singular_laplacian(m, a_I):
    X = points(m)
    space = WithIntrinsic(views_over(X), a_I)
    D = DisagreementOperator(X.rows, N, weight=1.5)
    N_j = [ScaledOperator(Laplacian(normalized=False).build(b), 0.8) for b in X.blocks]
    operator = IntrinsicCoupling(D, 1.5, N_j)
    rows = np.array([1, 7])
    found = sections_of(space, operator, 0.6, rows)
    expected = sections_of_the_definition(space, operator.toarray(), 0.6, rows)
    np.testing.assert_allclose(space.evaluate(found), space.evaluate(expected), atol=1e-8)


@pytest.mark.parametrize("solver", ["auto", "direct", "newton", "cg"])
@pytest.mark.parametrize("intercept", [False, True])
def test_solvers_agree_with_the_normal_equations(solver, intercept):
    X = points(3, missing=True)
    inner = views_over(X)
    space = WithFreeFunctions(inner) if intercept else inner
    Y, w = rng.standard_normal((N, 2)), np.zeros((N, 1))
    w[[0, 3, 4, 8]] = 0.25
    operator = coupling(X, own=True)
    objective = manifold_problem(Squared(), Y, w, space, operator, 0.1, 30.0)
    solution = choose_solver(solver, objective, 1e-10).solve(objective)
    found = space.element(solution.coef)
    assert objective.optimality(found) < 1e-7
    eye = np.eye(space.n_coef)
    E, R = space.evaluate(eye), space.readout(space.element(eye))
    blocks = [g * s.gram for s, g in zip(inner.spaces, inner.gammas, strict=True)]
    P = scipy.linalg.block_diag(*blocks, *([[[0.0]]] if intercept else []))
    H = R.T @ (w * R) + 0.1 * P + 30.0 / N**2 * E.T @ operator.toarray() @ E
    expected = np.linalg.lstsq(H, R.T @ (w * Y), rcond=None)[0]
    np.testing.assert_allclose(found.readout, R @ expected, atol=1e-6)


def test_views_may_live_in_any_space():
    X = points(2)
    dense = Views([Exact(Linear()(b), Linear(), b) for b in X.blocks], X, np.ones(2), np.ones(2))
    primal = Views([linear(b) for b in X.blocks], X, np.ones(2), np.ones(2))
    Y, w = rng.standard_normal((N, 1)), np.full((N, 1), 1 / N)
    values = []
    for space in (dense, primal):
        objective = manifold_problem(Squared(), Y, w, space, coupling(X), 0.1, 10.0)
        values.append(space.element(CG(1e-12).solve(objective).coef).readout)
    np.testing.assert_allclose(values[0], values[1], atol=1e-8)


def test_a_given_matrix_is_an_own_penalty():
    X = points(2)
    A = rng.standard_normal((N, 4))
    own = [Matrix(A @ A.T).build(X.blocks[0]), None]
    operator = ViewCoupling(DisagreementOperator(X.rows, N), own)
    space = views_over(X)
    found = sections_of(space, operator, 1.0, np.array([0]))
    expected = sections_of_the_definition(space, operator.toarray(), 1.0, np.array([0]))
    np.testing.assert_allclose(space.evaluate(found), space.evaluate(expected), atol=1e-8)
