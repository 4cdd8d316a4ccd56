"""A kernel value depends on its two points alone, to rounding, whichever rows come along."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits

from lapwing import LapRLSClassifier
from lapwing.exceptions import UnreachedWarning
from lapwing.kernels import RBF, Cosine, LaplacianKernel, Linear, Matern, Polynomial
from lapwing.linalg.pairwise import distances, squared_distances
from lapwing.linalg.points import center
from naming import stable
from problems import BY_RULE

rng = np.random.default_rng(5)
FORMS = [np.asarray, sp.csr_array]
SHAPES = {
    RBF: lambda d: np.exp(-(d**2) / 2),
    Matern: lambda d: (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d),
}


def cloud(n=300, d=20, empty=0.0):
    X = rng.normal(size=(n, d))
    return np.where(rng.random((n, d)) < empty, 0.0, X)


def exact(kernel, X, Z):
    """The kernel of the differences of the coordinates."""
    return SHAPES[type(kernel)](cdist(X, Z) / kernel.sigma)


def with_outliers(X, huge):
    X = X.copy()
    X[3], X[7], X[8], X[9] = huge, -huge, X[2] + huge, X[4] + huge
    return X


def two_towns(X):
    """Half of the points 2²⁰ away from the others: no center serves all."""
    return np.round(X * 2**20) / 2**20 + 2.0**20 * (np.arange(len(X)) % 2)[:, None]


HARD = {
    "plain": cloud(),
    "far from the origin": cloud() + 1e6,
    "one huge column": cloud(empty=0.8) + np.eye(20)[4] * 1e9,
    "outliers 1e9": with_outliers(cloud(), 1e9),
    "outliers 1e150": with_outliers(cloud(), 1e150),
    "outliers 1e250": with_outliers(cloud(), 1e250),
    "two towns": two_towns(cloud()),
    "flat": two_towns(cloud(d=2)),
    "duplicates": np.repeat(cloud(100) + 1e7, 3, axis=0),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kernel", [RBF(3.0), RBF(0.05), Matern(1.5, 3.0)], ids=stable)
def test_values_are_those_of_the_differences(kernel, form, name):
    X = HARD[name]
    with np.errstate(over="ignore"):
        expected = exact(kernel, np.clip(X, -1e140, 1e140), np.clip(X, -1e140, 1e140))
    assert_allclose(kernel(form(X)), expected, rtol=0, atol=2e-13)
    assert_allclose(kernel(form(X[:40]), form(X)), expected[:40], rtol=0, atol=2e-13)
    assert_allclose(kernel(form(X), X[:40]), expected[:, :40], rtol=0, atol=2e-13)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "kernel",
    [RBF(3.0), Matern(0.5, 3.0), LaplacianKernel(9.0), Linear(), Cosine(), Polynomial(2)],
    ids=stable,
)
@pytest.mark.parametrize("huge", [1e10, 1e100, 1e300])
def test_rows_do_not_depend_on_the_batch(kernel, form, huge):
    train, rows = cloud(), cloud(30)
    alone = kernel(form(rows), form(train))
    with np.errstate(over="ignore"):  # a product with the huge row may be infinite
        with_a_huge_row = kernel(form(np.vstack([rows, np.full(20, huge)])), form(train))
        as_columns = kernel(form(train), form(np.vstack([rows, np.full(20, huge)])))
    scale = np.abs(alone).max()
    assert_allclose(with_a_huge_row[:-1], alone, rtol=0, atol=1e-12 * scale)
    assert_allclose(as_columns[:, :-1], alone.T, rtol=0, atol=1e-12 * scale)
    assert_allclose(kernel(form(rows[:1]), form(train)), alone[:1], rtol=0, atol=1e-12 * scale)


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kernel", [RBF(), RBF(0.5), Matern(0.5), LaplacianKernel()], ids=stable)
def test_gram_matrix_is_psd(kernel, form, name):
    X = form(HARD[name])
    with np.errstate(over="ignore"):
        K = kernel.build(X)(X)
    assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K)[0] > -1e-11


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("offset", [0.0, 0.1, 1e8, 1e-9])
def test_coinciding_points_are_at_distance_zero(form, offset):
    X = cloud(50) * (1e-9 if offset == 1e-9 else 1.0) + offset
    D = squared_distances(form(X), form(X[::-1].copy()))
    assert_array_equal(D[np.arange(50), np.arange(50)[::-1]], 0.0)
    assert_array_equal(np.diag(distances(form(X), form(X.copy()))), 0.0)
    assert (D >= 0.0).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [name for name in HARD if "e250" not in name])
def test_distances(form, name):
    X = HARD[name]
    expected = cdist(X, X)
    unit = np.median(expected)
    assert_allclose(distances(form(X)), expected, rtol=1e-12, atol=1e-12 * unit)


@pytest.mark.parametrize("form", FORMS)
def test_single_precision_loses_no_more_than_its_own(form):
    X = (np.round(cloud() * 2**8) / 2**8 + 2.0**12).astype(np.float32)
    X[5] = 1e9
    K = RBF(3.0)(form(X))
    assert K.dtype == np.float32
    assert_allclose(K, exact(RBF(3.0), X.astype(float), X.astype(float)), rtol=0, atol=1e-4)


@pytest.mark.parametrize("rule", ["median", "local"])
@pytest.mark.parametrize("kernel", [RBF, LaplacianKernel])
def test_widths_far_from_the_origin_and_beside_an_outlier(kernel, rule):
    X = np.round(cloud() * 2**20) / 2**20
    sigma = kernel(rule).build(X).sigma
    assert_allclose(kernel(rule).build(X + 2.0**30).sigma, sigma, rtol=1e-9)
    if rule == "median":
        for huge in (1e9, 1e300):
            outlying = kernel(rule).build(np.vstack([X, np.full(20, huge)])).sigma
            assert_allclose(outlying, sigma, rtol=1e-2)


def test_sparse_rows_are_moved_only_in_full_columns():
    X = cloud(200, 30, empty=0.9)
    X[:, 3] += 1e6
    c = center(sp.csr_array(X))
    assert_array_equal(np.flatnonzero(c), [3])
    assert_allclose(c, center(np.where(np.arange(30) == 3, X, 0.0)))


def test_indices_of_a_given_matrix_stay_as_they_are():
    X = sp.csr_array(cloud(20, 10, empty=0.5))
    X.indices, X.data = X.indices[::-1].copy(), X.data[::-1].copy()
    X.indptr = X.indptr[-1] - X.indptr[::-1]
    before = X.indices.copy()
    assert not X.has_sorted_indices
    dense = X.toarray()
    for kernel in (RBF(2.0), Cosine(), LaplacianKernel(2.0), Linear(), Matern(0.5, 1.0)):
        assert_allclose(kernel(X), kernel(dense), rtol=1e-9, atol=1e-12)
        assert_array_equal(X.indices, before)


@pytest.mark.parametrize("form", FORMS)
def test_predictions_do_not_depend_on_the_batch_and_agree_with_the_transduction(form):
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:400].copy(), truth[:400]
    y = np.where(np.arange(400) < 60, truth, -1)
    X[399] = 1e9
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)
        model = LapRLSClassifier(**BY_RULE | {"gamma_A": 1e-4, "gamma_I": 1.0}).fit(form(X), y)
    alone = model.decision_function(form(X[:100]))
    beside = model.decision_function(form(np.vstack([X[:100], np.full(64, 1e12)])))[:100]
    assert_allclose(beside, alone, atol=1e-9)
    assert_array_equal(model.predict(form(X)), model.transduction_)
