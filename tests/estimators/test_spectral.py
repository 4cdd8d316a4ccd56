"""Clustering and eigenmaps: MR eq. 14 on the range of P, and its extension to new points."""

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from lapwing import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.regularizers import Heat, HessianEnergy, KernelNorm, Laplacian
from lapwing.solvers import smoothest_functions
from lapwing.spaces import Exact
from problems import Problem


def eq14(K, M, gamma, s):
    """(γ K + K M K) v = θ K P K v with P = I − 11ᵀ/n, on range(P) of the values f = K v.

    On values: min γ fᵀK⁻¹f + fᵀMf over f = Q z, QᵀQ = I, 1ᵀQ = 0: a plain eigenproblem.
    """
    n = len(K)
    Q = scipy.linalg.null_space(np.ones((1, n)))
    A = Q.T @ (gamma * np.linalg.inv(K) + M) @ Q
    theta, Z = np.linalg.eigh(0.5 * (A + A.T))
    return theta[:s], Q @ Z[:, :s]


def same_up_to_sign(F, G, atol):
    signs = np.sign(np.einsum("it,it->t", F, G))
    assert_allclose(F, signs * G, atol=atol)


@pytest.mark.parametrize("dense_below", [0, 10**9], ids=["lanczos", "dense"])
@pytest.mark.parametrize("seed", range(4))
def test_eq14(monkeypatch, seed, dense_below):
    monkeypatch.setattr("lapwing.solvers.spectral.LANCZOS_FROM", dense_below)
    p = Problem(seed)
    kernel = RBF(0.4)
    K, M = kernel(p.X), p.M / np.linalg.norm(p.M, 2)
    found = smoothest_functions(Exact(K, kernel, p.X), _Given(M), ratio=1 / 0.05, n_functions=3)
    theta, F = eq14(K, M, 0.05, 3)
    assert_allclose(found.eigenvalues, theta, rtol=1e-6)
    same_up_to_sign(found.values, F, 1e-5)
    assert_allclose(found.values.sum(axis=0), 0.0, atol=1e-8)
    assert_allclose(found.values.T @ found.values, np.eye(3), atol=1e-8)
    assert_allclose(K @ found.coef, found.values, atol=1e-8)
    assert found.optimality < 1e-8


def _Given(M):
    from lapwing.operators import MatrixOperator

    return MatrixOperator(M)


def test_singular_kernel():
    """A linear kernel of rank 3: three functions exist, in the range of K, and no fourth."""
    p = Problem(0)
    K = p.X @ p.X.T
    space = Exact(K, Linear(), p.X)
    M = p.M / np.linalg.norm(p.M, 2)
    found = smoothest_functions(space, _Given(M), 4.0, 2)
    # the same problem over w with f = X w
    C = p.X - p.X.mean(axis=0)
    Q = scipy.linalg.null_space(np.ones((1, p.n)) @ p.X)  # w with 1ᵀXw = 0
    A = Q.T @ (np.eye(3) / 4.0 + p.X.T @ M @ p.X) @ Q
    theta = scipy.linalg.eigh(A, Q.T @ C.T @ C @ Q, eigvals_only=True)
    assert_allclose(found.eigenvalues, theta[:2], rtol=1e-6)
    with pytest.raises(ValueError, match="fewer"):
        smoothest_functions(space, _Given(M), 4.0, 4)


SETTINGS = {
    "kernel": RBF(0.8),
    "regularizer": Laplacian(KNN(n_neighbors=6)),
    "gamma_A": 1e-3,
    "gamma_I": 100,
}


def blobs(k, n=90, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    angles = 2 * np.pi * truth / k
    return np.column_stack([np.cos(angles), np.sin(angles)]) * 4 + rng.normal(
        scale=0.3, size=(n, 2)
    ), truth


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_clusters(k):
    X, truth = blobs(k)
    model = RegularizedSpectralClustering(n_clusters=k, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert_array_equal(model.predict(X), model.labels_)
    near = X + 1e-3
    assert_array_equal(model.predict(near), model.labels_)
    assert set(model.labels_) == set(range(k))
    assert_array_equal(clone(model).fit_predict(X), model.labels_)


def test_eigenmaps_extend_to_new_points():
    p = Problem(5)
    model = RegularizedLaplacianEigenmaps(n_components=3, **SETTINGS).fit(p.X)
    assert_allclose(model.transform(p.X), model.embedding_, atol=1e-8)
    assert_allclose(model.fit_transform(p.X), model.embedding_, atol=1e-10)
    assert_allclose(model.transform(p.X[4:5]), model.embedding_[4:5], atol=1e-8)
    assert model.transform(p.new).shape == (len(p.new), 3)
    assert (np.diff(model.eigenvalues_) >= 0).all()


def test_permuted_rows_permuted_embedding():
    p = Problem(5)
    order = np.random.default_rng(0).permutation(p.n)
    a = RegularizedLaplacianEigenmaps(**SETTINGS).fit(p.X)
    b = RegularizedLaplacianEigenmaps(**SETTINGS).fit(p.X[order])
    same_up_to_sign(b.embedding_, a.embedding_[order], 1e-6)
    same_up_to_sign(b.transform(p.new), a.transform(p.new), 1e-6)


def test_only_the_ratio_of_the_gammas_matters():
    p = Problem(5)
    a = RegularizedLaplacianEigenmaps(**SETTINGS).fit(p.X)
    b = RegularizedLaplacianEigenmaps(**SETTINGS | {"gamma_A": 7e-3, "gamma_I": 700}).fit(p.X)
    assert_allclose(b.embedding_, a.embedding_, atol=1e-8)


def test_precomputed_kernel():
    p = Problem(5)
    K = RBF(0.8)(p.X)
    settings = SETTINGS | {"regularizer": p.M / np.linalg.norm(p.M, 2)}
    a = RegularizedLaplacianEigenmaps(**settings).fit(p.X)
    b = RegularizedLaplacianEigenmaps(**settings | {"kernel": "precomputed"}).fit(K)
    assert_allclose(b.transform(RBF(0.8)(p.new, p.X)), a.transform(p.new), atol=1e-8)


def test_output_as_a_data_frame():
    pd = pytest.importorskip("pandas")
    p = Problem(5)
    frame = pd.DataFrame(p.X, columns=["a", "b", "c"])
    model = RegularizedLaplacianEigenmaps(**SETTINGS).set_output(transform="pandas")
    out = model.fit_transform(frame)
    assert list(out.columns) == [
        "regularizedlaplacianeigenmaps0",
        "regularizedlaplacianeigenmaps1",
    ]
    assert list(model.feature_names_in_) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gamma_I": 0}, "gamma_I=0"),
        ({"gamma_A": 0.0}, "gamma_A"),
        ({"tol": 0}, "tol"),
    ],
)
def test_errors(settings, message):
    X, _ = blobs(2)
    for model in (RegularizedSpectralClustering, RegularizedLaplacianEigenmaps):
        with pytest.raises(ValueError, match=message):
            model(**settings).fit(X)


def test_too_many_functions():
    X, _ = blobs(2, n=6)
    with pytest.raises(ValueError, match="at most 5"):
        RegularizedLaplacianEigenmaps(n_components=6).fit(X)
    with pytest.raises(ValueError, match="integer"):
        RegularizedLaplacianEigenmaps(n_components=0).fit(X)
    with pytest.raises(ValueError, match="integer"):
        RegularizedSpectralClustering(n_clusters=2.5).fit(X)


COSTLY = [Heat(), HessianEnergy(n_components=1), KernelNorm("rbf"), Laplacian() + 0.5 * Heat()]


@pytest.mark.parametrize("regularizer", COSTLY, ids=["heat", "hessian", "norm", "sum"])
def test_costly_penalties_find_the_same_clusters_on_both_sides_of_the_limit(
    monkeypatch, regularizer
):
    """Above it by landmarks, in a solution that converges; on the graph they would take minutes."""
    X, truth = make_blobs(210, 3, centers=2, random_state=0)
    below = RegularizedSpectralClustering(regularizer=regularizer).fit(X)
    monkeypatch.setattr("lapwing.spaces.choose.EXACT_UP_TO", 150)
    above = clone(below).fit(X)
    assert isinstance(below.space_, Exact) and not isinstance(above.space_, Exact)
    assert above.space_.n_coef <= len(X)
    for model in (below, above):
        assert model.solution_.optimality < 1e-6
        assert adjusted_rand_score(truth, model.labels_) == 1.0
    with pytest.raises(ValueError, match="no factor"):
        clone(below).set_params(space="graph").fit(X)
