"""Training rows are found again."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from lapwing import CoMRClassifier, LapRLSClassifier, LapRLSRegressor
from lapwing.graphs.row_keys import row_keys
from lapwing.spaces.known_rows import KnownRows

GIVEN = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}


def test_rows_of_whole_numbers_are_told_apart():
    X = np.stack(np.meshgrid(*[np.arange(-10.0, 10.0)] * 3), axis=-1).reshape(-1, 3)
    np.testing.assert_array_equal(KnownRows(X).find(X), np.arange(len(X)))
    assert len(np.unique(KnownRows(X).keys)) == len(X)
    assert (KnownRows(X).find(X + 0.5) == -1).all()


def test_zeros_of_any_sign_stored_or_not_are_zero():
    X = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 0.0]])
    stored = sp.csr_array((np.array([-0.0, 1.0]), np.array([0, 1]), np.array([0, 2, 2])), (2, 2))
    np.testing.assert_array_equal(KnownRows(X).find(stored), [0, 2])
    np.testing.assert_array_equal(KnownRows(sp.csr_array(X)).find(-1.0 * -X), [0, 1, 2])


def test_equal_rows_are_the_first():
    X = np.repeat(np.random.default_rng(0).standard_normal((5, 2)), 3, axis=0)
    np.testing.assert_array_equal(KnownRows(X).find(X), np.repeat(np.arange(0, 15, 3), 3))


@pytest.mark.parametrize("made", [np.asarray, sp.csr_array])
def test_predict_at_training_rows_is_the_transduction(made):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((300, 4))
    y = np.where(np.arange(300) < 40, (X[:, 0] > 0).astype(int), -1)
    model = LapRLSClassifier(space="graph", **GIVEN).fit(made(X), y)
    np.testing.assert_array_equal(model.predict(X), model.transduction_)
    half = np.vstack([X[:50], X[:50] + 0.1])
    mixed = model.decision_function(half)
    np.testing.assert_array_equal(mixed[:50], model.decision_function(X)[:50])
    np.testing.assert_array_equal(mixed[50:], model.decision_function(X[:50] + 0.1))
    assert 0.0 <= model.extension_error_ < 0.3


def test_the_extension_says_how_far_it_is_off():
    """Against refits of the function without each of some rows."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((150, 2))
    y = np.where(np.arange(150) < 60, np.sin(2 * X[:, 0]), np.nan)
    model = LapRLSRegressor(space="graph", **GIVEN).fit(X, y)
    np.testing.assert_allclose(model.predict(X), model.transduction_)
    view, values = model.extension_, model.transduction_[:, None] - model.intercept_
    G = model.kernel_(X)  # every row is a landmark
    for i, held in zip(view.held_rows[:5], view.held[:5], strict=True):
        rest = np.setdiff1d(np.arange(150), i)
        again = G[i, rest] @ np.linalg.solve(
            G[np.ix_(rest, rest)] + 1e-2 * np.eye(149), values[rest]
        )
        np.testing.assert_allclose(held, again, atol=1e-8)
    exact = LapRLSRegressor(space="exact", **GIVEN).fit(X, y)
    assert exact.extension_error_ == 0.0 < model.extension_error_


@pytest.mark.parametrize("made", [np.asarray, sp.csr_array, sp.csr_matrix])
def test_rows_that_were_rounded_otherwise_are_found(made):
    """TF-IDF and others round otherwise in ``transform`` than in ``fit_transform``."""
    rng = np.random.default_rng(3)
    X = (
        rng.standard_normal((400, 30))
        * (rng.random((400, 30)) < 0.3)
        * 10.0 ** rng.integers(-3, 4, 30)
    )
    known = KnownRows(made(X))
    other = X * (1.0 + 1e-14 * rng.standard_normal(X.shape))
    assert not np.isin(row_keys(other[(X != 0).any(axis=1)]), known.keys).any()
    np.testing.assert_array_equal(known.find(made(other)), known.find(made(X)))
    assert (known.find(made(X * (1.0 + 1e-5))) < 0).sum() == (np.abs(X).sum(axis=1) > 0).sum()


def test_rows_a_second_apart_are_told_apart():
    """Times count from 1970, one second is a small share of them; the other column is constant."""
    X = np.column_stack([1.6e9 + np.arange(0.0, 864_000.0, 60.0), np.full(14_400, 7.0)])
    known = KnownRows(X)
    np.testing.assert_array_equal(known.find(X), np.arange(len(X)))
    assert (known.find(X + np.array([1.0, 0.0])) < 0).all()
    assert (known.find(X + np.array([0.0, 1e-3])) < 0).all()


def test_copies_and_one_row():
    X = np.repeat([[1.0, 2.0], [3.0, 4.0]], 50, axis=0)
    np.testing.assert_array_equal(np.unique(KnownRows(X).find(X * (1 + 1e-14)) // 50), [0, 1])
    assert KnownRows(X[:1]).find(X[:1] * (1 + 1e-15)).tolist() == [0]
    assert KnownRows(X[:1]).find(X[99:]).tolist() == [-1]


@pytest.mark.parametrize("d", [2, 3, 10, 100])
def test_rows_far_from_the_origin_are_told_apart(d):
    """Such as times in milliseconds: the columns differ from their ninth digit on."""
    rng = np.random.default_rng(d)
    X, new = 1e9 + rng.integers(-(2**20), 2**20, (2, 10_000, d)) / 2**20
    found = KnownRows(X).find(new)
    matched = np.flatnonzero(found >= 0)
    np.testing.assert_allclose(X[found[matched]], new[matched], atol=1e-3)
    assert len(matched) < 5


@pytest.mark.parametrize("made", [np.asarray, sp.csr_array])
def test_small_and_large_entries_are_told_apart(made):
    """In sight of their column: 2⁻⁶⁰ of one is 0 beside 1, but not where all entries are small."""
    unit = np.array([1e-300, 1e-25, 2.0**-60, 1.0, 1e300])
    rng = np.random.default_rng(1)
    X = unit * np.where(rng.random((300, 5)) < 0.3, 0.0, rng.choice([-1.0, 1.0, 0.5], (300, 5)))
    X = np.unique(X, axis=0)
    np.testing.assert_array_equal(KnownRows(made(X)).find(made(X)), np.arange(len(X)))
    for j in range(5):
        for other in (1.0 + 1e-9, 1.0 - 1e-9, 2.0**-16):
            new = X[X[:, j] != 0].copy()
            new[:, j] *= other
            assert (KnownRows(made(X)).find(made(new)) < 0).all()
    outlier = np.vstack([X, np.full(5, 1e305)])
    np.testing.assert_array_equal(
        KnownRows(made(outlier)).find(made(X * (1 + 2e-16)))[1:], np.arange(1, len(X))
    )


@pytest.mark.parametrize("reducer", [PCA(20, svd_solver="randomized", random_state=0), PCA(5)])
def test_rows_of_components_are_found_one_by_one(reducer):
    """Components near 0 are rounded like the others, so that few of their digits agree."""
    rng = np.random.default_rng(4)
    X = rng.standard_normal((2000, 20)) @ rng.standard_normal((20, 40))
    known = KnownRows(reducer.fit_transform(X))
    np.testing.assert_array_equal(known.find(reducer.transform(X)), np.arange(2000))
    alone = np.concatenate([reducer.transform(X[i : i + 1]) for i in range(200)])
    np.testing.assert_array_equal(known.find(alone), np.arange(200))


def test_values_that_live_at_the_training_rows_are_read_one_by_one():
    """Components of a single row are rounded otherwise than those of all rows."""
    rng = np.random.default_rng(7)
    X = rng.standard_normal((200, 6)) @ rng.standard_normal((6, 12))
    y = np.where(np.arange(200) < 30, (X[:, 0] > 0).astype(int), -1)
    reducer = PCA(4, svd_solver="full")
    Z = reducer.fit_transform(X)
    model = CoMRClassifier(a_I=0.5).fit(Z, y)
    alone = np.concatenate([reducer.transform(X[i : i + 1]) for i in range(200)])
    assert (alone != Z).any()
    np.testing.assert_array_equal(model.predict(alone), model.transduction_)
    with pytest.raises(ValueError, match="not training rows"):
        model.predict(Z + 1e-9)


def test_entries_in_two_parts_are_one_entry():
    """A CSR matrix may store an entry as a sum; scikit-learn's checks keep it so."""
    rng = np.random.default_rng(6)
    X = np.where(rng.random((300, 8)) < 0.5, 0.0, rng.integers(1, 9, (300, 8)).astype(float))
    whole = sp.csr_array(X)
    data, columns = np.repeat(whole.data / 2, 2), np.repeat(whole.indices, 2)
    parts = sp.csr_array((data, columns, 2 * whole.indptr), shape=X.shape)
    assert parts.nnz == 2 * whole.nnz
    np.testing.assert_array_equal(row_keys(parts), row_keys(X))
    y = np.where(np.arange(300) < 30, (X[:, 0] > X[:, 1]).astype(int), -1)
    given, clean = (LapRLSClassifier().fit(rows, y) for rows in (parts, whole))
    assert parts.nnz == 2 * whole.nnz  # the user's matrix is as it was
    assert given.selection_.choice.keys() == clean.selection_.choice.keys()
    for model in (given, clean):
        for rows in (parts, whole, X):
            np.testing.assert_allclose(
                model.decision_function(rows), clean.decision_function(X), atol=1e-10
            )
