"""Cells of points as a preconditioner, and K̃ at few rows by Galerkin's principle."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapSVC
from lapwing.datasets import load_digits
from lapwing.graphs import KNN, Given
from lapwing.linalg.conjugate_gradients import same, solve_columns
from lapwing.linalg.quadratic_form import QuadraticForm
from lapwing.linalg.two_level import Coarse, TwoLevel, smooth_basis
from lapwing.operators import ScaledOperator, SumOperator
from lapwing.regularizers import Heat, Laplacian
from lapwing.selection.rules import operator_norm
from lapwing.spaces import GraphValuesSpace, point_systems
from problems import BY_RULE

RNG = np.random.default_rng(0)
N = 1200
CLOUDS = RNG.normal(size=(N, 2)) + 8.0 * RNG.integers(0, 3, size=(N, 2))
W = np.where(np.arange(N) % 100 == 0, 0.1, 0.0)
RIDGE, LAM = 1e-8, 1e-2


def laplacian(degree, normalized=True):
    return Laplacian(KNN(6), normalized=normalized, degree=degree).build(CLOUDS)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_energy_of_cells(degree):
    M = laplacian(degree)
    P = smooth_basis(M.graph.W, M.graph.components, np.sqrt(M.graph.degrees))
    expected = P.T @ M.toarray() @ P.toarray()
    assert_allclose(M.galerkin(P), expected, atol=1e-12)
    both = SumOperator([ScaledOperator(M, 2.0), laplacian(1)])
    assert_allclose(both.galerkin(P), both.apply(P.toarray()).T @ P.toarray(), atol=1e-12)


def test_cells_hold_what_the_graph_does_not_see():
    """P 1 = z: the smoothest function is a combination of the cells'."""
    graph = laplacian(1).graph
    z = np.sqrt(graph.degrees)
    assert_allclose(smooth_basis(graph.W, graph.components, z).sum(axis=1), z)


@pytest.mark.parametrize("normalized", [True, "bistochastic"])
def test_fewer_steps_to_the_same_solution(normalized):
    M = laplacian(2, normalized)
    form = QuadraticForm(M, LAM, W)
    A = LAM * M.toarray() + np.diag(W + RIDGE)
    B, steps = RNG.normal(size=(N, 2)) * (W[:, None] > 0), []

    def apply(V):
        steps[-1] += 1
        return form.apply(V) + RIDGE * V

    for precondition in (same, TwoLevel(Coarse.of(M), form, RIDGE)):
        steps.append(0)
        found = solve_columns(apply, B, 1e-5, 5000, precondition)
        assert np.linalg.norm(A @ found - B) < 2e-5 * np.linalg.norm(B)
    assert steps[1] < 0.7 * steps[0]


def test_symmetric_and_positive():
    form = QuadraticForm(laplacian(2), LAM, W)
    step = TwoLevel(Coarse.of(form.operator), form.without(np.ones((N, 1))), RIDGE)
    T = step(np.eye(N))
    assert_allclose(T, T.T, rtol=1e-3, atol=1e-4 * T.max())
    assert np.linalg.eigvalsh(0.5 * (T + T.T))[0] > 0


def test_without_a_way_to_the_cells_plain_steps_serve():
    assert Coarse.of(Heat(KNN(6), t=0.1).build(CLOUDS)) is None


def test_kernel_at_few_rows_in_single_precision(monkeypatch):
    """Sections to few digits: what a loss sees of K̃, (K̃⁻¹ + v)⁻¹, is right to a hundredth."""
    monkeypatch.setattr(point_systems, "FEW_POINTS", 0)
    M, rows = laplacian(2), np.flatnonzero(W)
    v, y = 1.0 / len(rows), RNG.normal(size=(len(rows), 2))
    found = GraphValuesSpace(N).deformed(M, 1e-3, LAM).gram(rows)
    K = np.linalg.inv(1e-3 / N * np.eye(N) + LAM * M.toarray())[:, rows]

    def seen(gram):
        return np.linalg.solve(np.eye(len(rows)) + v * gram, gram)

    assert_allclose(seen(found.shared), seen(K[rows]), atol=1e-2 * seen(K[rows]).max())
    beta = np.linalg.solve(found.shared + np.eye(len(rows)) / v, y)
    expected = K @ np.linalg.solve(K[rows] + np.eye(len(rows)) / v, y)
    assert_allclose(found.lift(beta), expected, atol=2e-2 * np.abs(expected).max())


@pytest.mark.parametrize("Model", [LapSVC, LapLogisticClassifier])
def test_losses_without_closed_form_are_certified(Model, monkeypatch):
    monkeypatch.setattr(point_systems, "FEW_POINTS", 0)
    X, y, truth = load_digits(random_state=0)
    model = Model(**BY_RULE, space="graph").fit(X, y)
    assert model.solution_.optimality <= 1e-3
    assert np.mean(model.transduction_ != truth) < 0.08


@pytest.mark.parametrize("normalized", [True, False, "bistochastic"])
@pytest.mark.parametrize("degree", [1, 2])
def test_norms_are_bounded(degree, normalized):
    M = laplacian(degree, normalized)
    assert M.norm_bound() >= operator_norm(M) * (1 - 1e-9)
    if normalized is True:
        assert_allclose(M.norm_bound(), 2.0**degree)


def first_center(n):
    """A row that is the center of a cell."""
    return int(np.random.default_rng(0).choice(n, max(1, n // 40), replace=False)[0])


@pytest.mark.parametrize("weight", [1e-20, 1e-50, 1e-300, 5e-324])
def test_a_cell_of_one_outlier_is_finite(weight):
    """√degree of an outlier may be far below the smallest number of float32."""
    V, at = laplacian(1).graph.W.tolil(), first_center(N)
    V[at, :] = 0.0
    V[:, at] = 0.0
    V[at, at - 1] = V[at - 1, at] = weight
    M = Laplacian(Given(V.tocsr()), degree=2).build(CLOUDS)
    form = QuadraticForm(M, LAM, W)
    step = TwoLevel(Coarse.of(M), form, RIDGE)
    assert np.isfinite(step(np.eye(N))).all()
    B = np.eye(N)[:, [0, at]]
    found = solve_columns(lambda F: form.apply(F) + RIDGE * F, B, 1e-6, 5000, step)
    exact = np.linalg.solve(LAM * M.toarray() + np.diag(W + RIDGE), B)
    assert_allclose(found, exact, atol=1e-4 * np.abs(exact).max())


def test_a_default_fit_with_an_outlier():
    """One row is up to twenty times as far from all others as these from each other."""
    X = np.random.default_rng(0).uniform(size=(400, 2))
    right = X[:, 0] > 0.5
    y = np.where(np.arange(400) < 20, right.astype(int), -1)
    at = first_center(400)
    for far in (0.4, 0.7, 1.0):
        X[at], right[at] = [1.0 + far, 0.5], True
        assert (LapRLSClassifier().fit(X, y).transduction_ == right).mean() > 0.85
