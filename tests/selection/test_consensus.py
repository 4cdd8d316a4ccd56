"""Settings vote: what each counts, what they say elsewhere, and which one is taken."""

import numpy as np
import pytest

from lapwing import LapRLSClassifier, LapRLSRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.operators import MatrixOperator
from lapwing.regularizers import Laplacian
from lapwing.selection.consensus import TEMPER, medoid, posterior_weights
from lapwing.selection.grams import LabeledGrams
from lapwing.selection.leave_one_out import readouts_grid


def test_what_settings_count_before_the_labels_are_asked():
    """Half for the default's frame, 0.65 of each kernel's for γ_I = 0, the rest shared evenly."""
    frames, kernels = "aaaaaabbb", "rrrrsstuu"
    alone = [False, False, False, True, False, True, True, False, True]
    say = posterior_weights(frames, kernels, alone, np.zeros(9))
    assert np.allclose(say[:6], np.array([0.35 / 3, 0.35 / 3, 0.35 / 3, 0.65, 0.35, 0.65]) / 4)
    assert np.allclose(say[6:], np.array([0.65, 0.35, 0.65]) / 1.65 / 2)
    assert np.allclose(posterior_weights("aa", "rr", [False, True], np.zeros(2)), [0.35, 0.65])


def test_labels_multiply_what_a_setting_counts():
    say = posterior_weights("aaa", "rst", [True] * 3, np.array([-3.0, -5.0, -np.inf]))
    assert say[0] / say[1] == pytest.approx(np.exp(TEMPER * 2.0))
    assert say[2] == 0


@pytest.mark.parametrize("n_classes", [0, 3])
def test_the_nearest_minimizes_what_is_expected_to_differ(n_classes):
    rng = np.random.default_rng(0)
    say = rng.dirichlet(np.ones(12))
    answers = rng.integers(0, 3, (12, 40)) if n_classes else rng.normal(size=(12, 40))
    if n_classes:
        apart = (answers[:, None] != answers[None]).mean(axis=2) @ say
    else:
        apart = ((answers[:, None] - answers[None]) ** 2).mean(axis=2) @ say
    assert medoid(say, answers, n_classes) == apart.argmin()


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_readouts_elsewhere_are_those_of_the_fit(fit_intercept):
    rng = np.random.default_rng(1)
    X, known = rng.normal(size=(40, 2)), np.arange(40) < 12
    y = np.where(known, X[:, 0] + 3.0, np.nan)
    rows, others = np.flatnonzero(known), np.flatnonzero(~known)
    K, M = RBF(1.0).build(X)(X), Laplacian(KNN(5)).build(X)
    grams = LabeledGrams(K, M, rows, [10.0], others)
    gram, beside = grams.sections(10.0)
    E, there = (np.ones((m, 1)) if fit_intercept else None for m in (12, 28))
    w = np.full((12, 1), 1 / 12)
    gammas = (1e-3, 0.1)
    _, found, _ = readouts_grid(gram, E, beside, there, y[rows, None], w, gammas)
    for gamma, said in zip(gammas, found, strict=True):
        model = LapRLSRegressor(
            kernel=RBF(1.0), regularizer=Laplacian(KNN(5)), gamma_A=gamma,
            gamma_I=10.0 * gamma * 40**2, fit_intercept=fit_intercept,
        ).fit(X, y)  # fmt: skip
        assert np.allclose(said[:, 0], model.predict(X)[others], atol=1e-6)


def test_sections_of_few_labels_are_those_of_all_rows():
    rng = np.random.default_rng(2)
    A, B = rng.normal(size=(2, 60, 60))
    K, M = A @ A.T / 60, B @ B.T / 60
    rows, others, ratios = np.array([3, 30]), np.array([0, 7, 50]), (0.01, 0.1, 1.0, 10.0)
    grams = LabeledGrams(K, MatrixOperator(M), rows, ratios, others)
    assert grams._small is not None
    for ratio in ratios:
        whole = np.linalg.inv(np.linalg.inv(K) + ratio * M)
        gram, beside = grams.sections(ratio)
        assert np.allclose(gram, whole[np.ix_(rows, rows)], atol=1e-2 * np.abs(whole).max())
        assert np.allclose(beside, whole[np.ix_(others, rows)], atol=5e-2 * np.abs(whole).max())


def test_one_setting_is_taken_that_can_be_typed():
    rng = np.random.default_rng(0)
    truth = np.arange(120) % 2
    X = rng.normal(size=(120, 2)) + 8.0 * truth[:, None]
    model = LapRLSClassifier().fit(X, np.where(np.arange(120) < 20, truth, -1))
    assert any(model.selection_.best is t for t in model.selection_.trials)
    assert (model.transduction_ == truth).all()


def test_the_default_stays_where_the_labels_do_not_say_otherwise():
    rng = np.random.default_rng(0)
    truth = np.arange(120) % 2
    X = rng.normal(size=(120, 2)) + 12.0 * truth[:, None]
    found = LapRLSClassifier().fit(X, np.where(np.arange(120) < 20, truth, -1)).selection_
    assert found.best is found.default
    assert "keeps the default" in found.reason
