"""lapwing.compare for labels, several targets, structured outputs and views."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.neighbors import KNeighborsRegressor

import lapwing
from lapwing.comparison import Comparison
from lapwing.comparison.kinds import ClassAnswers, LabelAnswers, RealAnswers
from lapwing.exceptions import ManifoldAssumptionWarning
from lapwing.inspection import ComparisonDisplay
from lapwing.kernels import RBF
from lapwing.outputs import Flat, LabelSets, Ring

RNG = np.random.default_rng(0)
ANGLE = np.sort(RNG.uniform(0, 2 * np.pi, 80))
X = np.column_stack([np.cos(ANGLE), np.sin(ANGLE)])
SEEN = np.arange(80) % 5 == 0
REAL = np.where(SEEN[:, None], np.column_stack([np.sin(ANGLE), 3 * np.cos(ANGLE), ANGLE]), np.nan)
HOLES = REAL.copy()
HOLES[[0, 15, 30], [0, 1, 2]] = np.nan
SIGNS = np.where(SEEN[:, None], REAL > [0.0, 0.0, 3.0], np.nan)
SIGNS[5, 1] = np.nan
WHOLE = np.where(SEEN[:, None], REAL > [0.0, 0.0, 3.0], np.nan)
HOUR = np.where(SEEN, (ANGLE * 8 / (2 * np.pi)).astype(int), -1)
Q = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
RULE = {"kernel": RBF(0.5), "gamma_A": 1e-3, "gamma_I": 1.0, "regularizer": "laplacian"}
VIEWS = [("a", RBF(0.5), [0]), ("b", RBF(0.5), [1])]
SHARED = {"gamma_A": 1e-3, "gamma_C": 1.0, "gamma_I": 1.0, "fit_intercept": True}
EIGEN = {"kernel": RBF(0.5), "n_components": 6}

CASES = {
    "several columns": (lapwing.LapRLSRegressor(**RULE), HOLES),
    "vector-valued": (lapwing.VectorValuedRegressor(**RULE, output_kernel=Q), HOLES),
    "labels": (lapwing.VectorValuedClassifier(**RULE, output_kernel=Q), SIGNS),
    "labels, hinge": (lapwing.VectorValuedClassifier(**RULE, loss="hinge"), SIGNS),
    "multi-target": (lapwing.LSMRRegressor(**EIGEN, gamma_I=1.0, gamma_M=0.1), HOLES),
    "eigenvectors alone": (lapwing.SSSLRegressor(**EIGEN), REAL),
    "views": (lapwing.CoRLSRegressor(VIEWS, **SHARED), HOLES),
    "views, intrinsic": (lapwing.CoMRClassifier(VIEWS, **SHARED), HOUR),
    "structured": (lapwing.StructuredLapSVC(**RULE, output=Ring(8)), HOUR),
    "sets": (lapwing.StructuredLapSVC(**RULE, output=LabelSets(3)), WHOLE),
}


@pytest.mark.parametrize("name", CASES)
def test_table_picture_sentence(name):
    model, y = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ManifoldAssumptionWarning)
        found = lapwing.compare(model, X, y)
    simple = {"SVR", "3 nearest neighbors"}
    if y is HOUR or y is SIGNS or y is WHOLE:
        simple = {"SVC", "nearest neighbor", "label spreading"}
    limit = set() if name == "eigenvectors alone" else {Comparison.LIMIT}
    assert set(found.losses) == {Comparison.OURS} | limit | simple
    for losses in found.losses.values():
        assert losses.shape == (16,) and np.isfinite(losses).all()
    assert str(found).endswith(found.verdict)
    assert len(found.label_sensitivity) == 16
    display = ComparisonDisplay.from_comparison(found).plot()
    assert len(display.bars_) == len(found.losses)


@pytest.mark.parametrize("name", ["vector-valued", "labels", "structured"])
def test_losses_are_those_of_refits_without_the_row(name):
    model, y = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ManifoldAssumptionWarning)
        found = lapwing.compare(model, X, y)
    for i, row in [(0, 0), (3, 15), (6, 30)]:
        without = y.copy()
        without[row] = -1 if y.ndim == 1 else np.nan
        answer = clone(model).fit(X, without).transduction_[row]
        if name == "vector-valued":
            expected = np.nanmean((answer - y[row]) ** 2 / np.nanvar(y, axis=0))
        elif name == "labels":
            expected = np.mean((answer != y[row])[~np.isnan(y[row])])
        else:
            expected = Ring(8).build().loss_matrix[y[row], int(answer)]
        assert found.losses[Comparison.OURS][i] == pytest.approx(expected, rel=1e-4, abs=1e-8)


def test_alternatives_learn_each_target_from_where_it_is_known():
    found = lapwing.compare(lapwing.LapRLSRegressor(**RULE), X, HOLES)
    rows = np.flatnonzero(SEEN)
    for i, row in [(0, 0), (4, 20)]:
        answer = []
        for j in range(3):
            known = rows[(rows != row) & ~np.isnan(HOLES[rows, j])]
            near = KNeighborsRegressor(3).fit(X[known], HOLES[known, j])
            answer.append(near.predict(X[[row]])[0])
        expected = np.nanmean((np.array(answer) - HOLES[row]) ** 2 / np.nanvar(HOLES, axis=0))
        assert found.losses["3 nearest neighbors"][i] == pytest.approx(expected)


def test_labels_strewn_over_the_graph_are_warned_of():
    Y = np.where(SEEN[:, None], np.column_stack([np.arange(80) // 5 % 2, HOUR % 2]), np.nan)
    Y[:, 1] = np.where(SEEN, (np.arange(80) // 5 + 1) % 2, np.nan)  # neighbors always differ
    with pytest.warns(ManifoldAssumptionWarning, match="by chance"):
        found = lapwing.compare(lapwing.VectorValuedClassifier(**RULE), X, Y)
    assert found.homophily < found.chance == pytest.approx(0.5)


def test_prices_and_chance():
    nan = np.nan
    a, b = np.array([[1.0, 0.0, nan]]), np.array([[0.0, 0.0, 1.0]])
    assert LabelAnswers(b).price(a, b) == pytest.approx(0.5)
    assert np.isnan(LabelAnswers(b).price(np.full((1, 3), nan), b)[0])
    reals = RealAnswers(np.array([[0.0, 1.0], [2.0, nan], [4.0, 3.0]]))
    assert_allclose(reals.price(np.array([[1.0, 5.0]]), np.array([[0.0, nan]])), 1.0 / (8 / 3))
    ring = ClassAnswers(np.arange(4), Ring(4).build().loss_matrix)
    assert ring.price(np.array([[2.0]]), np.array([[0.0]])) == Ring(4).build().loss_matrix[0, 2]
    flat = ClassAnswers(np.arange(3), Flat(3).build().loss_matrix)
    assert_allclose(flat.price(np.array([[1.0], [2.0]]), np.array([[1.0], [1.0]])), [0.0, 1.0])
