"""A column on a scale of its own is said, and ordinary data are not accused."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris

from lapwing import LapRLSRegressor
from lapwing.exceptions import GraphWarning
from lapwing.graphs import KNN, Distances, Radius
from lapwing.graphs.scales import dominating_column, warn_of_scales

DIGITS = load_digits().data
rng = np.random.default_rng(0)


def scaled(column, factor):
    X = DIGITS.copy()
    X[:, column] *= factor
    return X


@pytest.mark.parametrize(
    ("X", "column"),
    [
        (scaled(20, 1000.0), 20),
        (scaled(20, 1e200), 20),
        (np.column_stack([DIGITS, np.arange(len(DIGITS))]), 64),
        (np.column_stack([DIGITS[:200], np.arange(200)]), 64),
        (scaled(20, 1000.0).astype(np.float32), 20),
        (rng.normal(size=(50, 2)) * [1.0, 100.0], 1),
    ],
    ids=["pixel", "huge", "row number", "few rows", "float32", "two columns"],
)
def test_is_found_and_said(X, column):
    assert dominating_column(X) == column
    for graph in (KNN(n_neighbors=2), Radius(0.0)):
        with pytest.warns(GraphWarning, match=f"Column {column} .*StandardScaler"):
            graph.build(X)


def one_hot(n=300):
    return np.hstack([np.eye(4)[rng.integers(4, size=n)], np.eye(6)[rng.integers(6, size=n)]])


def outlier():
    X = DIGITS.copy()
    X[0, 5] = 1e9
    return X


ORDINARY = {
    "digits": DIGITS,
    "one far point": outlier(),
    "one-hot": one_hot(),
    "iris": load_iris().data,
    "diabetes": load_diabetes().data,
    "breast cancer": load_breast_cancer().data,
    "one column": DIGITS[:, 20:21] * 1e6,
    "a column among constants": np.column_stack([DIGITS[:, 20], np.ones((len(DIGITS), 3))]),
    "all equal": np.ones((50, 4)),
    "two rows": DIGITS[:2],
    "no rows": np.empty((0, 3)),
    "rare word": np.eye(200),
    "sparse": sp.csr_array(scaled(20, 1000.0)),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_no_false_alarm(name):
    assert dominating_column(ORDINARY[name]) is None


def test_distances_have_no_columns():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_scales(Distances(np.ones((5, 5))))


def test_order_of_rows_does_not_matter():
    order = rng.permutation(len(DIGITS))
    X = np.column_stack([DIGITS, np.arange(len(DIGITS))])
    assert dominating_column(X[order]) == dominating_column(X) == 64


def test_is_said_also_where_the_fit_needs_no_graph():
    y = np.arange(40) % 2 + 0.1 * rng.standard_normal(40)  # not smooth along the row number
    X = np.column_stack([y, 10.0 * np.arange(40), rng.standard_normal(40)])
    with pytest.warns(GraphWarning, match="Column 1 "):
        model = LapRLSRegressor().fit(X, y)
    assert model.gamma_I_ == 0.0
