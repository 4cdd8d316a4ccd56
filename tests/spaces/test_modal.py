"""K̃ on the points of a graph by smooth functions and sections: equal to the dense inverse."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lapwing.linalg.smooth_modes as smooth_modes
import lapwing.spaces.modal as modal
from lapwing import LapRLSClassifier, LapSVC
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN, Given
from lapwing.regularizers import Laplacian
from lapwing.spaces.graph_values import GraphValuesSpace

DRAW = np.random.default_rng(0)
SURFACE = make_two_moons(700, noise=0.05, random_state=0)[0]
CLOUD = DRAW.standard_normal((700, 7))
GAMMA_A, LAM = 1e-5, 1e-2


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Small graphs take the way of large ones."""
    monkeypatch.setattr(modal, "FEW_POINTS", 100)


@pytest.mark.parametrize("X", [SURFACE, CLOUD], ids=["surface", "cloud"])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_sections_equal_the_dense_kernel(X, degree):
    op = Laplacian(KNN(6), degree=degree).build(X)
    K = np.linalg.inv(GAMMA_A / len(X) * np.eye(len(X)) + LAM * op.toarray())
    known = GraphValuesSpace(len(X)).modal(op, GAMMA_A, LAM)
    first, later, points = np.array([9, 3, 600]), np.array([9, 50, 600, 3]), np.array([0, 3, 7])
    size = np.abs(K).max()
    assert_allclose(known.gram(first), K[np.ix_(first, first)], atol=1e-7 * size)
    assert_allclose(known.gram(later), K[np.ix_(later, later)], atol=1e-7 * size)
    assert known.rows.tolist() == [3, 9, 600, 50]
    R = np.zeros((len(X), 2))
    R[first] = [[1.0, 0.5], [-1.0, 0.0], [0.0, 2.0]]
    assert_allclose(known.lift(R)[1], K @ R, atol=1e-6 * np.abs(K @ R).max())
    B = DRAW.standard_normal((len(X), 2))
    assert_allclose(known.solve(B)[1], K @ B, atol=1e-6 * np.abs(K @ B).max())
    assert known.holds(R) and not known.holds(B)
    seen = known.columns(points, np.array([3, 77]))
    assert_allclose(seen, K[np.ix_(points, [3, 77])], atol=0.02 * size)


@pytest.mark.parametrize("X", [SURFACE, CLOUD], ids=["surface", "cloud"])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_fit_is_the_minimizer(X, intercept):
    """Against the normal equations of all points, the intercept as one more unknown."""
    y = np.full(len(X), -1)
    y[:40] = np.arange(40) % 3
    model = LapRLSClassifier(
        regularizer=Laplacian(KNN(6), degree=2), gamma_A=1e-5, gamma_I=1e-2 * len(X) ** 2,
        kernel="rbf", space="graph", fit_intercept=intercept,
    ).fit(X, y)  # fmt: skip
    n, W, Y = len(X), np.zeros((len(X), 1)), np.zeros((len(X), 3))
    W[:40], Y[:40] = 1 / 40, np.where(np.arange(40)[:, None] % 3 == np.arange(3), 1.0, -1.0)
    A = 1e-5 / n * np.eye(n) + 1e-2 * model.regularizer_.toarray() + np.diag(W.ravel())
    if intercept:
        A = np.block([[A, W], [W.T, np.ones((1, 1))]])
        f = np.linalg.solve(A, np.vstack([W * Y, (W * Y).sum(axis=0, keepdims=True)]))
        f = f[:n] + f[n:]
    else:
        f = np.linalg.solve(A, W * Y)
    found = model.solution_.coef[:n] + (model.solution_.coef[n:] if intercept else 0.0)
    assert_allclose(found, f, atol=1e-5 * np.abs(f).max())


@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapSVC])
@pytest.mark.parametrize("X", [SURFACE, CLOUD], ids=["surface", "cloud"])
def test_one_more_label_equals_a_fresh_fit(estimator, X):
    """To 1e-5 of the largest readout, as labels come, change and go."""
    given = {"regularizer": Laplacian(KNN(6), degree=2), "gamma_A": 1e-5, "kernel": "rbf"}
    given |= {"gamma_I": 1e-2 * len(X) ** 2, "fit_intercept": False}
    given |= {"space": "graph", "tol": 1e-6}
    warm = estimator(**given, warm_start=True)
    y = np.full(len(X), -1)
    y[:30] = np.arange(30) % 2
    warm.fit(X, y)
    for row, label in ((50, 1), (51, 0), (50, 0), (3, -1)):
        y[row] = label
        warm.fit(X, y)
    fresh = estimator(**given).fit(X, y)
    tol = 1e-5 if estimator is LapRLSClassifier else 1e-3
    size = np.abs(fresh.solution_.coef).max()
    assert_allclose(warm.solution_.coef, fresh.solution_.coef, atol=tol * size)


def test_more_labels_than_sections_pay_for(monkeypatch):
    """Where labels outnumber what is solved one by one, the answer is the same."""
    op = Laplacian(KNN(6), degree=2).build(CLOUD)
    deformation = GraphValuesSpace(len(CLOUD)).deformed(op, GAMMA_A, LAM)
    K = np.linalg.inv(GAMMA_A / len(CLOUD) * np.eye(len(CLOUD)) + LAM * op.toarray())
    R = DRAW.standard_normal((len(CLOUD), 1))
    monkeypatch.setattr("lapwing.spaces.sections.FEW_ROWS", 10)
    assert_allclose(deformation.lift(R), K @ R, atol=1e-6 * np.abs(K @ R).max())
    R[50:] = 0.0
    deformation.gram(np.arange(50))
    assert_allclose(deformation.lift(R), K @ R, atol=1e-6 * np.abs(K @ R).max())


def test_a_saved_space_leaves_sections_behind():
    op = Laplacian(KNN(6), degree=2).build(CLOUD)
    space = GraphValuesSpace(len(CLOUD))
    assert space.modal(op, GAMMA_A, LAM) is not None
    assert not space.__getstate__()["_made"]


def counted_modes(monkeypatch) -> list[int]:
    """The list gets an entry for each computation of eigenvectors."""
    found, own = [], smooth_modes._lanczos

    def count(L, *rest):
        found.append(L.shape[0])
        return own(L, *rest)

    monkeypatch.setattr(smooth_modes, "_lanczos", count)
    monkeypatch.setattr(modal, "is_narrow", lambda L: False)
    return found


def test_powers_of_one_graph_share_their_modes(monkeypatch):
    found, built = counted_modes(monkeypatch), KNN(6).build(CLOUD)
    space = GraphValuesSpace(len(CLOUD))
    for degree in (1, 2, 3):
        op = Laplacian(Given(built), degree=degree).build(CLOUD)
        assert space.modal(op, GAMMA_A, LAM) is not None
    assert found == [len(CLOUD)]
    other = Laplacian(Given(built), normalized=False).build(CLOUD)
    assert other.polynomial[0] is not op.polynomial[0]


@pytest.mark.parametrize("many", [100, 30_000], ids=["reordered", "in order"])
def test_a_search_and_its_fit_compute_the_modes_once(monkeypatch, many):
    """Two powers of L are compared, and one is fitted: three operators over one graph."""
    monkeypatch.setattr("lapwing.operators.base.MANY_POINTS", many)
    found, X = counted_modes(monkeypatch), CLOUD.copy()
    X[::2, 0] += 3.0
    y = np.full(len(X), -1)
    y[:40] = np.arange(40) % 2
    model = LapRLSClassifier(kernel="rbf", regularizer="auto", gamma_I="10*rule").fit(X, y)
    assert model.selection_.choice["space"] == "graph"
    assert len({str(s["regularizer"]) for s in model.selection_.settings}) == 2
    assert found == [len(X)]


def test_a_saved_graph_leaves_its_modes_behind():
    op = Laplacian(KNN(6), degree=2).build(CLOUD)
    assert GraphValuesSpace(len(CLOUD)).modal(op, GAMMA_A, LAM) is not None
    assert "shelf" in vars(op.graph)
    assert "shelf" not in op.graph.__getstate__()
