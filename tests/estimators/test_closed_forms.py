"""Predictions equal independent dense solutions of MR eqs. 8 and 10–12 on random problems."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from dense_solutions import convex, eq8, eq10_to_12, least_squares
from lapwing import (
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldClassifier,
    ManifoldRegressor,
)
from lapwing.exceptions import UnreachedWarning
from lapwing.losses import EpsilonInsensitive, Huber
from problems import BY_RULE, Problem

pytestmark = pytest.mark.filterwarnings(f"ignore::{UnreachedWarning.__module__}.UnreachedWarning")

PROBLEMS = [Problem(seed, n_classes=2 + seed % 3) for seed in range(20)]
BINARY = [Problem(seed) for seed in range(20, 30)]
ids = lambda p: f"{p.seed}-{p.kernel}-{p.n_classes}"  # noqa: E731


def decisions(model, X):
    D = model.decision_function(X)
    return D[:, None] if D.ndim == 1 else D


def close(a, b, tol=1e-6):
    assert_allclose(a, b, rtol=0, atol=tol * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("p", PROBLEMS, ids=ids)
def test_eq8(p):
    """Classification without intercept, at the training points and at new ones."""
    model = LapRLSClassifier(**BY_RULE | {"fit_intercept": False, **p.settings}).fit(p.X, p.y)
    alpha = eq8(p.K, p.M, p.signs, p.labeled, p.gamma_A, p.gamma_I)
    close(decisions(model, p.X), p.K @ alpha)
    close(decisions(model, p.new), p.built(p.new, p.X) @ alpha)
    close(p.K @ model.coef_, p.K @ alpha)
    assert model.solution_.optimality <= 1e-8
    assert_allclose(model.predict(p.X), model.transduction_)
    expected = (p.K @ alpha).argmax(axis=1) if p.n_classes > 2 else (p.K @ alpha > 0)[:, 0]
    assert_allclose(model.transduction_, expected)


@pytest.mark.parametrize("p", PROBLEMS, ids=ids)
def test_least_squares_with_intercept_and_weights(p):
    model = LapRLSClassifier(**BY_RULE | p.settings).fit(p.X, p.y, sample_weight=p.weight)
    w = p.weights(p.weight)
    for t, y in enumerate(p.signs.T):
        dense = least_squares(p.K, p.M, y, w, p.gamma_A, p.gamma_I, intercept=True)
        close(decisions(model, p.X)[:, t], dense.readout)
        close(model.intercept_[t], dense.b, 1e-5)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("p", PROBLEMS[::3], ids=ids)
def test_regression(p, intercept):
    model = LapRLSRegressor(**BY_RULE | {"fit_intercept": intercept, **p.settings}).fit(
        p.X, p.target
    )
    y = np.nan_to_num(p.target)
    dense = least_squares(p.K, p.M, y, p.weights(), p.gamma_A, p.gamma_I, intercept)
    close(model.predict(p.X), dense.readout)


@pytest.mark.parametrize("p", PROBLEMS[:8], ids=ids)
def test_targets_missing_entry_by_entry(p):
    """Each column is its own problem; l counts the rows with at least one observed entry."""
    rng = np.random.default_rng(p.seed)
    Y = rng.normal(size=(p.n, 3))
    Y[~p.labeled] = np.nan
    Y[rng.random(Y.shape) < 0.3] = np.nan
    model = LapRLSRegressor(**BY_RULE | p.settings).fit(p.X, Y, sample_weight=p.weight)
    observed = ~np.isnan(Y)
    total = p.weight[observed.any(axis=1)].sum()
    for t in range(3):
        w = np.where(observed[:, t], p.weight / total, 0.0)
        y = np.nan_to_num(Y[:, t])
        dense = least_squares(p.K, p.M, y, w, p.gamma_A, p.gamma_I, intercept=True)
        close(model.predict(p.X)[:, t], dense.readout)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("p", BINARY, ids=ids)
def test_lapsvm(p, loss, intercept):
    model = LapSVC(**BY_RULE | {"loss": loss, "fit_intercept": intercept, **p.settings}).fit(
        p.X, p.y
    )
    y = p.signs[:, 0]
    dense = convex(loss, p.K, p.M, y, p.weights(), p.gamma_A, p.gamma_I, intercept)
    same_function(loss, y, p.weights(), decisions(model, p.X)[:, 0], model.intercept_, dense)


KINKED = {
    "hinge": lambda y, f: np.maximum(0.0, 1.0 - y * f),
    "epsilon_insensitive": lambda y, f: np.maximum(0.0, np.abs(y - f) - 0.1),
}


def same_function(loss, y, w, readout, b, dense):
    """The readouts agree; where no labeled point lies on a kink, every b of an interval is
    optimal: then f agrees, and our b costs the loss as little as the other."""
    if loss in KINKED and dense.b != 0.0:
        V = KINKED[loss]
        slope = (V(y, dense.readout + 1e-6) - V(y, dense.readout - 1e-6)) / 2e-6
        if np.allclose(slope[w > 0], np.round(slope[w > 0]), atol=1e-6):
            assert_allclose(w @ V(y, readout), w @ V(y, readout - b + dense.b), atol=1e-9)
            readout = readout - b + dense.b
    close(readout, dense.readout)


@pytest.mark.parametrize("p", BINARY[:5], ids=ids)
def test_eqs_10_to_12_to_the_letter(p):
    """The dual QP over the labeled points: f, and β as our coefficients lift it."""
    model = LapSVC(**BY_RULE | p.settings).fit(p.X, p.y)
    alpha, beta = eq10_to_12(p.K, p.M, p.signs[:, 0], p.labeled, p.gamma_A, p.gamma_I)
    close(decisions(model, p.new)[:, 0] - model.intercept_[0], p.built(p.new, p.X) @ alpha)
    inside = (beta > 1e-6) & (beta < 1 / p.labeled.sum() - 1e-6)
    margins = (p.signs[:, 0] * decisions(model, p.X)[:, 0])[p.labeled][inside]
    assert_allclose(margins, 1.0, atol=1e-6)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
@pytest.mark.parametrize("p", [Problem(40, 3)], ids=ids)
def test_one_against_the_rest_with_weights(p, loss):
    model = ManifoldClassifier(**BY_RULE | {"loss": loss, **p.settings}).fit(
        p.X, p.y, sample_weight=p.weight
    )
    w = p.weights(p.weight)
    for t, y in enumerate(p.signs.T):
        dense = convex(loss, p.K, p.M, y, w, p.gamma_A, p.gamma_I, True)
        close(decisions(model, p.X)[:, t], dense.readout)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("loss", ["epsilon_insensitive", "huber"])
@pytest.mark.parametrize("p", BINARY[2:5], ids=ids)
def test_regression_losses(p, loss, intercept):
    settings = p.settings | {"gamma_A": min(p.gamma_A, 1e-2)}
    given = {"huber": Huber(1.0), "epsilon_insensitive": EpsilonInsensitive(0.1)}[loss]
    model = ManifoldRegressor(
        **BY_RULE | {"loss": given, "fit_intercept": intercept, **settings}
    ).fit(p.X, p.target)
    y = np.nan_to_num(p.target)
    dense = convex(loss, p.K, p.M, y, p.weights(), settings["gamma_A"], p.gamma_I, intercept)
    same_function(loss, y, p.weights(), model.predict(p.X), model.intercept_, dense)


@pytest.mark.parametrize("p", [Problem(50, 2), Problem(51, 3)], ids=ids)
def test_logistic_readouts(p):
    model = LapLogisticClassifier(**BY_RULE | p.settings).fit(p.X, p.y)
    w = p.weights()
    columns = [
        convex("logistic", p.K, p.M, y, w, p.gamma_A, p.gamma_I, True).readout for y in p.signs.T
    ]
    found = np.reshape(model.decision_function(p.X), (len(p.X), -1))
    assert_allclose(expit(found), expit(np.column_stack(columns)), atol=1e-6)
