"""aRMSE (MT eq. 9): by hand, against scikit-learn, with missing entries, as a scorer."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import root_mean_squared_error
from sklearn.model_selection import cross_val_score

from lapwing.metrics import armse, armse_scorer, relative_armse, relative_armse_scorer


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 3)), rng.normal(size=(40, 3)), rng.uniform(0.5, 2, size=40)


def test_is_the_mean_rmse_of_scikit_learn(data):
    y, f, w = data
    assert armse(y, f) == pytest.approx(root_mean_squared_error(y, f))
    assert armse(y, f, sample_weight=w) == pytest.approx(
        root_mean_squared_error(y, f, sample_weight=w)
    )
    assert armse(y[:, 0], f[:, 0]) == pytest.approx(root_mean_squared_error(y[:, 0], f[:, 0]))


def test_the_mean_of_standardized_targets_scores_one(data):
    y = data[0]
    standard = (y - y.mean(axis=0)) / y.std(axis=0)
    assert armse(standard, np.zeros_like(y)) == pytest.approx(1.0)
    assert relative_armse(y, np.tile(y.mean(axis=0), (40, 1))) == pytest.approx(1.0)


def test_missing_entries_do_not_count(data):
    y, f, _ = data
    holes = y.copy()
    holes[:10, 0] = np.nan
    expected = np.mean(
        [root_mean_squared_error(y[10:, 0], f[10:, 0])]
        + [root_mean_squared_error(y[:, k], f[:, k]) for k in (1, 2)]
    )
    assert armse(holes, f) == pytest.approx(expected)
    holes[:, 0] = np.nan  # a target never observed leaves the average
    assert armse(holes, f) == pytest.approx(armse(y[:, 1:], f[:, 1:]))


def test_relative_to_a_reference(data):
    y, f, _ = data
    assert relative_armse(y, f, y + 2 * (f - y)) == pytest.approx(0.5)
    assert relative_armse(y, y, y) == 1.0
    assert relative_armse(y, f, y) == np.inf


def test_scorers_in_cross_validation(data):
    X, y, _ = data
    scores = cross_val_score(LinearRegression(), X, y, scoring=armse_scorer, cv=3)
    assert (scores < 0).all()
    relative = cross_val_score(DummyRegressor(), X, y, scoring=relative_armse_scorer, cv=3)
    assert (relative <= -1.0).all()  # the training mean cannot beat the mean of the scored rows


@pytest.mark.parametrize(
    "y, f, kwargs, message",
    [
        (np.zeros((3, 2)), np.zeros(3), {}, "same shape"),
        (np.zeros(3), [0, np.nan, 0], {}, "only y_true"),
        (np.full(3, np.nan), np.zeros(3), {}, "no observed entry"),
        (np.zeros(3), np.zeros(3), {"sample_weight": [1, 1]}, "one per row"),
        (np.zeros(3), np.zeros(3), {"sample_weight": [1, 1, -1]}, "non-negative"),
    ],
)
def test_bad_input(y, f, kwargs, message):
    with pytest.raises(ValueError, match=message):
        armse(y, f, **kwargs)
