"""Stopping when the answers have settled: early, honestly, and with the same answers."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import LapLogisticClassifier, LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.datasets import keep_labels, make_two_moons
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from lapwing.solvers import EarlyStopping, Status
from lapwing.solvers.early_stopping import _changed

X, Y, TRUTH = make_two_moons(400, random_state=0)
GIVEN = {
    "kernel": RBF("local"), "regularizer": Laplacian(KNN(6), degree=1), "gamma_A": 1e-6,
    "gamma_I": 4e3, "fit_intercept": False,
}  # fmt: skip


@pytest.mark.parametrize(
    "model",
    [
        LapRLSClassifier(**GIVEN),
        LapSVC(**GIVEN, loss="squared_hinge"),
        LapLogisticClassifier(**GIVEN),
    ],
)
def test_same_answers_long_before_the_minimum(model):
    exact = model.fit(X, Y).transduction_.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        early = model.set_params(solver="early_stopping").fit(X, Y)
    found = early.solution_
    assert found.status is Status.EARLY_STOPPED
    assert found.n_iter % 10 == 0  # ½√400 steps from look to look
    assert 1e-6 < found.optimality < 1.0
    fresh = early.objective_.optimality(early.objective_.space.element(found.coef))
    assert_allclose(found.optimality, fresh, rtol=1e-6)
    assert np.mean(early.transduction_ != exact) <= 0.02
    assert np.mean(early.transduction_ != TRUTH) <= 0.02


def test_less_may_change_means_more_steps():
    steps = [
        LapRLSClassifier(**GIVEN, solver=EarlyStopping(share=share)).fit(X, Y).solution_.n_iter
        for share in (0.5, 0.015, 0.0)
    ]
    assert steps == sorted(steps) and steps[0] == 20  # two looks at least


def test_several_classes_and_an_intercept():
    from sklearn.datasets import load_digits

    digits, truth = load_digits(return_X_y=True)
    digits, truth = digits[:600], truth[:600]
    y = keep_labels(truth, 5, random_state=0)
    given = {**GIVEN, "gamma_I": 1e5, "fit_intercept": True}
    exact, early = (
        LapRLSClassifier(**given, solver=solver).fit(digits, y).transduction_
        for solver in ("auto", "early_stopping")
    )
    assert np.mean(exact != truth) < 0.12
    assert np.mean(early != truth) < np.mean(exact != truth) + 0.02


def test_real_values_settle_by_their_size():
    x = np.linspace(0, 6, 200)[:, None]
    y = np.where(np.arange(200) % 5 == 0, 3 * np.sin(x[:, 0]), np.nan)
    given = {**GIVEN, "gamma_A": 1e-8, "gamma_I": 1.0}
    exact, early = (
        LapRLSRegressor(**given, solver=s).fit(x, y) for s in ("auto", "early_stopping")
    )
    assert early.solution_.status is Status.EARLY_STOPPED
    assert np.abs(exact.transduction_ - early.transduction_).max() < 0.2


def test_a_large_mean_is_no_answer():
    """What changes counts in units of the spread: beside a mean of 1e4 nothing else would."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(400, 2))
    f = np.sin(2 * Z[:, 0]) + Z[:, 1]
    y = np.where(np.arange(400) < 100, f + 1e4, np.nan)
    given = {"kernel": RBF(1.0), "regularizer": Laplacian(KNN(6)), "gamma_A": 1e-4, "gamma_I": 1e-2}
    exact, early = (
        LapRLSRegressor(**given, solver=s).fit(Z, y) for s in ("auto", "early_stopping")
    )
    rest = np.arange(400) >= 100
    apart = (exact.transduction_ - early.transduction_)[rest]
    assert np.linalg.norm(apart) < 0.5 * np.linalg.norm(f[rest] - f[rest].mean())


def test_nothing_has_settled_before_anything_has_happened():
    rng = np.random.default_rng(0)
    Z = 10 * rng.normal(size=(83, 1))
    truth = (Z[:, 0] > 0).astype(int)
    y = np.where(rng.permutation(83) < 61, truth, -1)
    model = LapSVC(
        kernel=RBF(0.15), regularizer=Laplacian(KNN(4)), gamma_A=1e-3, gamma_I=2e6,
        fit_intercept=True, loss="squared_hinge", solver="early_stopping",
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = model.fit(Z, y).solution_
    assert found.status is not Status.EARLY_STOPPED or found.optimality <= 0.1


def test_changes():
    assert _changed(np.array([[0], [1], [2], [2]]), np.array([[0], [1], [2], [1]])) == 0.25
    before, now = np.array([[1.0, 5.0], [0.0, 5.0]]), np.array([[1.0, 5.0], [0.5, 5.0]])
    assert_allclose(_changed(before, now), 0.5 / np.sqrt(0.125))


def test_losses_with_a_kink_and_structures_are_told():
    with pytest.raises(TypeError, match="EarlyStopping needs a SmoothLoss"):
        LapSVC(solver="early_stopping").fit(X, Y)
    with pytest.raises(ValueError, match="use solver='auto'"):
        LapRLSClassifier(**GIVEN, space="graph", solver=EarlyStopping()).fit(X, Y)
