"""f(x) ≈ f(T x), with the transformed points in the space."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.base import clone

from lapwing import (
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    VectorValuedClassifier,
)
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import FeatureDropout, Invariance, Laplacian, Noise, Rotation, Shift
from lapwing.testing.regularizers import check_operator

X, Y, TRUTH = make_two_moons(50, labels_per_class=4, random_state=0)


def mirrored(X):
    return X * [-1.0, 1.0]


def turned(X):
    return X[:, ::-1]


def test_the_fit_is_least_squares_over_all_points():
    """Against the dense problem over the rows and their images."""
    laplacian = Laplacian(KNN(5))
    model = LapRLSClassifier(
        kernel=RBF(0.5), regularizer=laplacian + 3.0 * Invariance([mirrored, turned]),
        gamma_A=0.01, gamma_I=7.0, fit_intercept=False,
    ).fit(X, Y)  # fmt: skip
    Z = np.vstack([X, mirrored(X), turned(X)])
    K, n, rows = RBF(0.5)(Z), 50, np.flatnonzero(Y >= 0)
    M = np.zeros((150, 150))
    M[:n, :n] = laplacian.build(X).toarray()
    for j in (1, 2):
        D = np.zeros((n, 150))
        D[:, :n], D[:, j * n : (j + 1) * n] = np.eye(n), -np.eye(n)
        M += 3.0 / 2 * D.T @ D
    assert_allclose(model.regularizer_.toarray(), M, atol=1e-12)
    W = np.zeros(150)
    W[rows] = 1 / len(rows)
    t = np.zeros(150)
    t[rows] = 2.0 * Y[rows] - 1
    a = np.linalg.solve(np.diag(W) @ K + 0.01 * np.eye(150) + 7.0 / n**2 * M @ K, W * t)
    new = np.random.default_rng(0).normal(size=(6, 2))
    assert_allclose(model.decision_function(new), RBF(0.5)(new, Z) @ a, atol=1e-6)
    assert_allclose(model.decision_function(X), (K @ a)[:n], atol=1e-6)


MODELS = [
    LapRLSClassifier(kernel=RBF(0.5)),
    LapSVC(kernel=RBF(0.5)),
    LapLogisticClassifier(kernel=RBF(0.5)),
    VectorValuedClassifier(kernel=RBF(0.5)),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_a_strong_invariance_is_kept_at_and_beside_the_rows(model):
    y = np.where(Y >= 0, X[:, 1] > 0.25, -1).astype(int)
    regularizer = Laplacian(KNN(5)) + 1e4 * Invariance(mirrored)
    fit = clone(model).set_params(regularizer=regularizer, gamma_I=1.0, gamma_A=1e-3).fit(X, y)
    plain = clone(model).set_params(regularizer=Laplacian(KNN(5)), gamma_I=1.0, gamma_A=1e-3)
    plain.fit(X, y)
    f = [np.reshape(m.decision_function(Z), -1) for m in (fit, plain) for Z in (X, mirrored(X))]
    assert np.abs(f[0] - f[1]).max() < 0.05 * np.abs(f[0]).max() < np.abs(f[2] - f[3]).max()
    np.testing.assert_array_equal(fit.predict(X), fit.transduction_)
    assert fit.unreached_.shape == (50,)
    assert_allclose(fit.predict_proba(X).sum(axis=1), 1.0)
    assert len(fit.next_to_label(2)) == 2


def test_variances_and_leave_one_out_over_more_points_than_rows():
    target = np.where(Y >= 0, X[:, 1], np.nan)
    model = LapRLSRegressor(
        kernel=RBF(0.5), regularizer=Laplacian(KNN(5)) + Invariance(mirrored), gamma_A=1e-2,
        gamma_I=1.0,
    ).fit(X, target)  # fmt: skip
    _, spread = model.predict(mirrored(X), return_std=True)
    assert (spread > 0).all()
    row = np.flatnonzero(Y >= 0)[0]
    without = target.copy()
    without[row] = np.nan
    refit = clone(model).fit(X, without)
    assert model.leave_one_out_[row, 0] == pytest.approx(refit.transduction_[row], abs=1e-6)


def test_few_points_take_the_labeled_rows_first():
    regularizer = Invariance([mirrored, turned], max_points=24)
    codes = np.where(Y >= 0, Y, -1)
    extra = regularizer.extra_points(X, codes)
    assert extra.shape == (24, 2)
    M = regularizer.build(X, codes)
    joined = np.flatnonzero(M.graph.degrees[:50])
    assert set(np.flatnonzero(Y >= 0)) <= set(joined) and len(joined) == 12
    assert_allclose(extra, np.vstack([mirrored(X[joined]), turned(X[joined])]))
    assert_allclose(M.value(np.ones((74, 1))), 0.0, atol=1e-12)


@pytest.mark.parametrize("several", [mirrored, [mirrored, turned]])
def test_the_operator_keeps_the_contract(several):
    check_operator(Invariance(several).build(X))
    check_operator((Laplacian(KNN(5)) + 2.0 * Invariance(several, max_points=20)).build(X, Y))
    check_operator((Invariance(mirrored) + Invariance(turned)).build(X))


def test_transforms():
    image = np.arange(16.0)[None]
    assert_allclose(Shift((4, 4), 1, 0)(image).reshape(4, 4)[1:], image.reshape(4, 4)[:-1])
    assert_allclose(Rotation((4, 4), 90)(image).reshape(4, 4), np.rot90(image.reshape(4, 4)))
    many = np.zeros((4000, 2))
    assert np.std(Noise(0.3)(many)) == pytest.approx(0.3, rel=0.05)
    assert np.mean(FeatureDropout(0.2)(np.ones((4000, 2)))) == pytest.approx(0.8, abs=0.02)
    sparse = FeatureDropout(0.5)(sp.csr_array(np.ones((50, 40))))
    assert sp.issparse(sparse) and sparse.sum() == pytest.approx(1000, rel=0.1)


def test_sparse_rows_and_no_penalty():
    words = sp.random_array((40, 30), density=0.3, rng=np.random.default_rng(0), format="csr")
    y = np.where(np.arange(40) < 10, np.arange(40) % 2, -1)
    regularizer = Laplacian(KNN(5)) + Invariance(FeatureDropout(0.2))
    model = LapRLSClassifier(kernel="linear", regularizer=regularizer).fit(words, y)
    assert model.predict(words).shape == (40,)
    off = LapRLSClassifier(kernel=RBF(0.5), regularizer=Invariance(mirrored), gamma_I=0.0)
    none = LapRLSClassifier(kernel=RBF(0.5), gamma_I=0.0).fit(X, Y)
    assert_allclose(off.fit(X, Y).decision_function(X), none.decision_function(X))


@pytest.mark.parametrize(
    "regularizer, error, message",
    [
        (Invariance("mirror"), TypeError, "callable"),
        (Invariance([]), TypeError, "callable"),
        (Invariance(mirrored, max_points=0), ValueError, "max_points"),
        (Invariance(lambda X: X[:, :1]), ValueError, "as many rows and columns"),
        (Invariance(lambda X: X * np.nan), ValueError, "NaN"),
    ],
)
def test_errors(regularizer, error, message):
    with pytest.raises(error, match=message):
        LapRLSClassifier(regularizer=regularizer).fit(X, Y)
    with pytest.raises(ValueError, match="precomputed"):
        LapRLSClassifier(kernel="precomputed", regularizer=Invariance(mirrored)).fit(X @ X.T, Y)


def test_values_on_the_points_cannot_be_transformed():
    with pytest.raises(ValueError, match="transforms points"):
        LapRLSClassifier(kernel="rbf", regularizer=Invariance(mirrored), space="graph").fit(X, Y)
