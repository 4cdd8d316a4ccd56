"""The error to expect at unlabeled rows, and its interval."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.datasets import make_classification

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC, VectorValuedClassifier
from lapwing.confidence import errors
from lapwing.confidence.errors import error_estimate, error_interval, size_interval


def test_many_labels_of_each_class_give_the_binomial_interval(monkeypatch):
    monkeypatch.setattr(errors, "DEPENDENT", 1.0)
    prices = np.zeros(200)
    prices[:31] = 1.0
    exact = binomtest(31, 200).proportion_ci(0.95, method="exact")
    found = error_interval(prices, np.full(200, 1e12))
    assert found == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert error_estimate(prices, np.full(200, 1e12)) == pytest.approx(31 / 200)


def test_no_label_that_tells_leaves_everything_open():
    assert error_interval(np.empty(0), np.empty(0)) == (0.0, 1.0)
    assert np.isnan(error_estimate(np.empty(0), np.empty(0)))
    X = np.random.default_rng(0).standard_normal((40, 2))
    model = LapRLSClassifier().fit(X, np.where(np.arange(40) < 2, np.arange(40), -1))
    assert np.isnan(model.leave_one_out_error_)
    assert model.leave_one_out_interval_ == (0.0, 1.0)


def test_the_size_of_normal_errors_is_covered():
    rng, inside = np.random.default_rng(0), []
    for _ in range(300):
        low, high = size_interval(rng.standard_normal(40) ** 2)
        inside.append(low <= 1.0 <= high)
    assert np.mean(inside) > 0.95


def problem(seed, flip=0.0):
    X, truth = make_classification(
        300, 8, n_informative=4, n_redundant=0, class_sep=1.2, flip_y=flip, random_state=seed
    )
    y = np.where(np.random.default_rng(seed).permutation(300) < 40, truth, -1)
    return X, y, truth


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
def test_intervals_cover_the_error_at_unlabeled_rows(Model):
    inside, ratios = [], []
    for seed in range(12):
        X, y, truth = problem(seed)
        model = Model().fit(X, y)
        low, high = model.leave_one_out_interval_
        error = (model.transduction_ != truth)[y < 0].mean()
        inside.append(low <= error <= high)
        k = round(40 * model.leave_one_out_error_)
        plain = binomtest(k, 40).proportion_ci(0.95, method="wilson")
        ratios.append((high - low) / (plain.high - plain.low))
        assert low <= model.leave_one_out_error_ <= high
    assert np.sum(inside) >= 11
    assert np.median(ratios) <= 1.5


def test_error_bound_tells_the_same_estimate():
    X, y, _ = problem(3)
    model = LapRLSClassifier().fit(X, y)
    found = model.error_bound()
    assert found.leave_one_out == model.leave_one_out_error_
    assert found.interval == model.leave_one_out_interval_
    assert 0 < found.standard_error < 0.15
    assert "95 %" in str(found)


def test_given_settings_need_no_correction():
    X, y, _ = problem(4)
    model = LapRLSClassifier(kernel="rbf", regularizer="laplacian", gamma_A="rule", gamma_I="rule",
                             fit_intercept=True).fit(X, y)  # fmt: skip
    seen = y >= 0
    wrong = (model.leave_one_out_[seen, 0] > 0) != (y[seen] == 1)
    counts = np.bincount(y[seen])[y[seen]]
    assert model.leave_one_out_error_ == pytest.approx(error_estimate(wrong, counts))


def test_real_targets_and_several_labels():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3))
    truth = X[:, 0] + 0.5 * rng.standard_normal(200)
    model = LapRLSRegressor().fit(X, np.where(np.arange(200) < 60, truth, np.nan))
    error = np.sqrt(np.mean((model.transduction_ - truth)[60:] ** 2)) / truth[:60].std()
    low, high = model.leave_one_out_interval_
    assert low < error < high and low < model.leave_one_out_error_ < high
    Y = (X[:, :2] > 0).astype(float)
    Y[60:] = np.nan
    several = VectorValuedClassifier().fit(X, Y)
    low, high = several.leave_one_out_interval_
    assert 0 <= low <= several.leave_one_out_error_ <= high <= 1


@pytest.mark.parametrize("space", ["exact", "graph"])
def test_intervals_of_new_values_cover_as_many_as_they_say(space):
    inside = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-2, 2, (260, 2))
        truth = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.standard_normal(260)
        y = np.where(np.arange(200) < 60, truth[:200], np.nan)
        model = LapRLSRegressor(space=space).fit(X[:200], y)
        low, high = model.predict_interval(X[60:], level=0.9)
        inside.append(((low <= truth[60:]) & (truth[60:] <= high)).mean())
    assert 0.85 < np.mean(inside) < 0.98
    with pytest.raises(ValueError, match="level=1"):
        model.predict_interval(X, level=1)
    found = model.error_bound()
    assert not found.bound.valid and found.interval == model.leave_one_out_interval_
