"""The one engine of K̃ at rows: what is lent is taken back, rows may come, ratios share a space."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits

from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear, Precomputed
from lapwing.operators import MatrixOperator
from lapwing.regularizers import Heat, Laplacian
from lapwing.spaces import (
    Exact,
    GraphValuesSpace,
    PointDeformation,
    RatioSections,
    WithFreeFunctions,
    exact,
)
from lapwing.spaces.galerkin import Galerkin
from lapwing.spaces.kept import kept_deformation

N, LAM = 60, 1e-2
rng = np.random.default_rng(0)
X = rng.normal(size=(N, 3))
kernel = RBF(1.0)
space = Exact(kernel(X), kernel, X)
ROWS, LATER = np.array([3, 17, 40]), np.array([3, 5, 40, 58])
OPERATORS = {
    "laplacian": Laplacian(KNN(6)).build(X),
    "cubed": Laplacian(KNN(6), degree=3).build(X),
    "heat": Heat(KNN(6), 1.0).build(X),
}


def dense(M, gamma):
    """K̃ = K (γ I + λMK)⁻¹ at all rows."""
    return np.linalg.solve((gamma * np.eye(N) + LAM * M.toarray() @ space.gram).T, space.gram).T


@pytest.mark.parametrize("gamma", [1e-2, 1e-5])
@pytest.mark.parametrize("name", OPERATORS)
def test_single_precision_holds_with_what_is_lent(name, gamma, monkeypatch):
    """A float32 factor, sections refined, the weights taken back: K̃, its lift, and later rows."""
    monkeypatch.setattr(exact, "MIXED_FROM", 0)
    M = OPERATORS[name]
    found = kept_deformation(space, M, gamma, LAM, ROWS)
    known = found.kept
    K = dense(M, gamma)
    scale = np.abs(K).max()
    assert_allclose(found.gram(ROWS).shared, K[np.ix_(ROWS, ROWS)], atol=1e-7 * scale)
    assert_allclose(found.gram(LATER).shared, K[np.ix_(LATER, LATER)], atol=1e-7 * scale)
    assert_allclose(np.sort(known.rows), np.union1d(ROWS, LATER))
    R = np.zeros((N, 2))
    R[LATER] = rng.normal(size=(4, 2))
    lifted = space.evaluate(found.lift(R))
    assert_allclose(lifted, K @ R, atol=1e-7 * np.abs(K @ R).max())
    every = np.arange(N)
    assert_allclose(known.columns(every, LATER), K[:, LATER], atol=1e-6 * scale)
    assert_allclose(known.columns(every, every), K, atol=5e-2 * scale)
    R = rng.normal(size=(N, 2))
    assert_allclose(space.gram @ known.solve(R)[0], K @ R, atol=1e-6 * np.abs(K @ R).max())


@pytest.mark.parametrize("gamma", [1e-3, 1e-6])
def test_exact_fits_take_sections_where_rows_are_few(gamma, monkeypatch):
    """An operator without a sparse root: the same K̃ as from one system in float64."""
    monkeypatch.setattr(exact, "MIXED_FROM", 0)
    monkeypatch.setattr(exact, "MANY", 5)
    M = OPERATORS["cubed"]
    system = space.deformed(M, gamma, LAM).system
    K = dense(M, gamma)
    assert_allclose(system.kernel(ROWS), K[np.ix_(ROWS, ROWS)], atol=1e-7 * np.abs(K).max())
    assert len(system.known.rows) == 3
    R = np.zeros((N, 1))
    R[ROWS, 0] = 1.0, -2.0, 3.0
    assert_allclose(system.solve(R).values, K @ R, atol=1e-7 * np.abs(K @ R).max())


def test_where_single_precision_fails_the_pencil_answers(monkeypatch):
    monkeypatch.setattr(exact, "MIXED_FROM", 0)
    monkeypatch.setattr(exact, "MANY", 1)
    never = property(lambda self: 1.0, lambda self, value: None)
    monkeypatch.setattr(Galerkin, "worst", never, raising=False)
    M = OPERATORS["cubed"]
    K = dense(M, 1e-3)
    found = space.deformed(M, 1e-3, LAM).gram(ROWS).shared
    assert_allclose(found, K[np.ix_(ROWS, ROWS)], rtol=1e-8)


@pytest.mark.parametrize("few", [0, 2_000], ids=["float32", "float64"])
def test_values_on_the_points_share_the_engine(few, monkeypatch):
    monkeypatch.setattr("lapwing.spaces.point_systems.FEW_POINTS", few)
    M, gamma = OPERATORS["laplacian"], 1e-2
    K = np.linalg.inv(gamma / N * np.eye(N) + LAM * M.toarray())
    found = PointDeformation(GraphValuesSpace(N), M, gamma, LAM)

    def seen(kernel):
        """What a loss sees: (K̃⁻¹ + w)⁻¹; the constants alone K̃ knows to few digits."""
        return np.linalg.inv(np.linalg.inv(kernel) + np.eye(len(kernel)) / 3.0)

    for rows in (ROWS, LATER):
        expected = K[np.ix_(rows, rows)]
        assert_allclose(found.gram(rows).shared, expected, rtol=1e-7 if few else 0.1)
        atol = 1e-9 if few else 1e-3
        assert_allclose(seen(found.gram(rows).shared), seen(expected), atol=atol)
    beside = K[np.ix_(LATER, ROWS)]
    assert_allclose(found.beside(ROWS, LATER), beside, rtol=1e-6 if few else 0.1)


def test_free_functions_lie_beside_what_is_kept():
    whole = WithFreeFunctions(space)
    found = kept_deformation(whole, OPERATORS["laplacian"], 1e-2, LAM, ROWS)
    known = found.kept
    assert found.kept is known and found.free.g == 1
    kernel = found.gram(ROWS)
    assert_allclose(kernel.free, 1.0)
    coef = kernel.lift(np.zeros((3, 1)), np.array([[2.0]]))
    assert_allclose(whole.element(coef).readout, 2.0)


def test_gram_matrices_for_all_ratios():
    A, B = np.random.default_rng(1).normal(size=(2, 12, 12))
    K, M, rows = A @ A.T, B @ B.T, np.array([1, 4, 7])
    ratios = (0.0, 0.1, 10.0)
    found = RatioSections(Exact(K, Precomputed(), None), MatrixOperator(M), rows, ratios)
    for ratio in ratios:
        expected = np.linalg.inv(np.linalg.inv(K) + ratio * M)[np.ix_(rows, rows)]
        assert np.allclose(found.sections(ratio)[0], expected, atol=1e-8 * np.abs(K).max())


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("kernel", [RBF("local"), RBF(), Linear()])
def test_all_ratios_from_three_factors(kernel, degree):
    points, _ = load_digits(return_X_y=True)
    points, rows = points[:400], np.arange(0, 400, 25)
    K, M = kernel.build(points)(points), Laplacian(KNN(6), degree=degree).build(points)
    ratios = np.geomspace(1e1, 1e5, 10) / np.trace(K) * len(K)
    whole = Exact(K, Precomputed(), None)
    fast, slow = (RatioSections(whole, M, rows, asked) for asked in (ratios, []))
    for ratio in ratios:
        expected = slow.sections(ratio)[0]
        assert np.abs(fast.sections(ratio)[0] - expected).max() <= 3e-2 * np.abs(expected).max()
    assert fast._small is not None
    assert slow._small is None


def test_settings_of_few_points_are_compared_by_what_the_fit_answers():
    """Answers of the comparison, at labels left out and elsewhere, beside the dense inverse."""
    n, gamma, lam = 400, 1e-6, 1e-2
    points = np.random.default_rng(1).normal(size=(n, 6)) * np.linspace(1.0, 0.2, 6)
    M = Laplacian(KNN(6), degree=3).build(points)
    rows, others = np.arange(0, 200, 10), np.arange(200, n)
    y = np.sign(points[rows, 0])
    found = PointDeformation(GraphValuesSpace(n), M, gamma, lam, PointDeformation.COMPARED)
    K = np.linalg.inv(gamma / n * np.eye(n) + lam * M.toarray())

    def answers(gram, beside):
        inverse = np.linalg.inv(gram + len(rows) * np.eye(len(rows)))
        held = y - inverse @ y / np.diag(inverse)
        return np.concatenate([held, beside @ inverse @ y])

    compared = answers(found.gram(rows).shared, found.beside(rows, others))
    exactly = answers(K[np.ix_(rows, rows)], K[np.ix_(others, rows)])
    assert np.abs(compared - exactly).max() < 0.05 * np.abs(exactly).max()
