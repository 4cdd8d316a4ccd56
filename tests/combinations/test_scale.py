"""Every family above the limit of exact fits: no n³, and the same answers where both can be had."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import adjusted_rand_score

import lapwing.estimators.spectral as spectral
from lapwing import (
    CoMRClassifier,
    CoMRKernel,
    CoMRRegressor,
    CoRLSClassifier,
    CoRLSRegressor,
    DeformedKernel,
    LapRLSRegressor,
    MultiViewKernel,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
    StructuredLapSVC,
)
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.operators import relaxed
from lapwing.outputs import Ring
from lapwing.pointcloud import DeformedJointKernel
from lapwing.regularizers import Heat, KernelNorm, Laplacian
from lapwing.spaces import Features, GraphValues, Landmarks, choose

rng = np.random.default_rng(0)
N = 60
X = rng.standard_normal((N, 4))
Y = np.where(np.arange(N) < 15, np.sin(X[:, 0]) + X[:, 2], np.nan)
GRAPH = Laplacian(KNN(5))
VIEWS = [("a", RBF(1.0), [0, 1], GRAPH), ("b", RBF(1.5), [2, 3], GRAPH)]
GIVEN = {"gamma_A": 0.03, "gamma_C": 40.0, "gamma_I": 5.0}
NEW = rng.standard_normal((7, 4))
RELATED = np.array([[1.0, 0.5], [0.5, 1.0]])


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("Model", "extra"),
    [
        (CoRLSRegressor, {}),
        (CoRLSRegressor, {"output_kernel": RELATED}),
        (CoMRRegressor, {}),
        (CoMRRegressor, {"a_I": 0.5}),
        (CoMRRegressor, {"output_kernel": RELATED}),
    ],
)
def test_all_rows_as_landmarks_are_the_exact_views(Model, gaps, extra):
    Z = X.copy()
    if gaps:
        Z[3, :2] = Z[40, 2:] = np.nan
    y = np.column_stack([Y, -Y]) if "output_kernel" in extra else Y
    exact = Model(VIEWS, **GIVEN, **extra).fit(Z, y)
    model = Model(VIEWS, space=Landmarks(N), **GIVEN, **extra).fit(Z, y)
    assert_allclose(model.transduction_, exact.transduction_, atol=1e-9)
    assert model.solution_.optimality < 1e-8
    assert isinstance(model._views.spaces[0], Features)


KERNELS = [
    DeformedKernel(RBF(1.0), GRAPH),
    MultiViewKernel(VIEWS),
    MultiViewKernel(VIEWS[:1], lam=3.0),
    CoMRKernel(VIEWS, a_I=0.0),
    CoMRKernel(VIEWS),
    DeformedJointKernel(RBF(1.0), Ring(4), GRAPH),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
def test_all_rows_as_landmarks_are_the_exact_kernel(kernel):
    points = X[:7] if getattr(kernel, "a_I", 0) else NEW
    exact = kernel.set_params(space="exact").fit(X)(X[3:9], X)
    found = kernel.set_params(space=Landmarks(N)).fit(X)
    assert_allclose(found(X[3:9], X), exact, atol=1e-9)
    K = found(points)
    K = K.reshape(int(K.size**0.5), -1)
    assert np.linalg.eigvalsh(K).min() > -1e-10
    with pytest.raises(ValueError, match="has values on the given rows only"):
        kernel.set_params(space="graph").fit(X)
    kernel.set_params(space="auto")


def test_above_the_limit_landmarks_are_automatic(monkeypatch):
    monkeypatch.setattr(choose, "EXACT_UP_TO", 30)
    monkeypatch.setattr(relaxed, "DENSE_UP_TO", 30)
    for Model in (CoRLSRegressor, CoMRRegressor):
        model = Model(VIEWS, **GIVEN).fit(X, Y)
        assert isinstance(model._views.spaces[0], Features)
        same = Model(VIEWS, space=Landmarks(N), **GIVEN).fit(X, Y)
        assert_allclose(model.predict(NEW), same.predict(NEW), atol=1e-8)
    l = np.arange(15)
    kernel = DeformedKernel(RBF(1.0), GRAPH, ratio=5.0 / (0.03 * N**2)).fit(X)
    ridge = KernelRidge(alpha=0.03 * 15, kernel=kernel).fit(X[l], Y[l])
    settings = {"gamma_A": 0.03, "gamma_I": 5.0, "fit_intercept": False}
    ours = LapRLSRegressor(kernel=RBF(1.0), regularizer=GRAPH, space=Landmarks(1000), **settings)
    assert_allclose(ridge.predict(NEW), ours.fit(X, Y).predict(NEW), atol=1e-8)
    linear = CoRLSRegressor([("all", "linear", slice(None), GRAPH)], **GIVEN).fit(X, Y)
    assert linear._views.spaces[0].n_coef == X.shape[1]


def test_structured_models_take_the_graph_above_the_limit(monkeypatch):
    hour = np.arange(120) // 15
    angle = 2 * np.pi * (np.arange(120) + 0.5) / 120
    Z = np.column_stack([np.cos(angle), np.sin(angle)])
    y = np.where(np.arange(120) % 5 == 2, hour, -1)
    settings = {"kernel": RBF(0.3), "output": Ring(8), "regularizer": GRAPH, "gamma_A": 1e-4}
    exact = StructuredLapSVC(gamma_I=10.0, **settings).fit(Z, y)
    monkeypatch.setattr(choose, "EXACT_UP_TO", 60)
    model = StructuredLapSVC(gamma_I=10.0, **settings).fit(Z, y)
    assert model.extension_ is not None and exact.extension_ is None
    assert (model.transduction_ == exact.transduction_).mean() > 0.95
    assert (model.predict(Z + 1e-3) == model.transduction_).mean() > 0.9
    without = StructuredLapSVC(gamma_I=0.0, **settings).fit(Z, y)
    monkeypatch.setattr(choose, "EXACT_UP_TO", 8_000)
    plain = StructuredLapSVC(gamma_I=0.0, **settings).fit(Z, y)
    assert_allclose(without.decision_function(Z), plain.decision_function(Z), atol=1e-4)
    for space in ("exact", "graph", "landmarks", "blockwise", GraphValues(), Landmarks(50)):
        found = StructuredLapSVC(gamma_I=10.0, space=space, **settings).fit(Z, y)
        assert (found.transduction_ == exact.transduction_).mean() > 0.85


@pytest.mark.parametrize("Model", [RegularizedSpectralClustering, RegularizedLaplacianEigenmaps])
def test_values_on_the_graph_are_the_smallest_eigenvectors_of_m(Model):
    """PMP on mean-free values, whatever γ_A is."""
    Z, _, _ = make_two_moons(150, noise=0.15, random_state=1)
    model = Model(space="graph", regularizer=Laplacian(KNN(8))).fit(Z)
    M, P = Laplacian(KNN(8)).build(Z).toarray(), np.eye(150) - 1 / 150
    values, vectors = np.linalg.eigh(P @ M @ P + 10.0 * (np.eye(150) - P))
    s = model.embedding_.shape[1]
    assert_allclose(np.abs(vectors[:, :s]), np.abs(model.embedding_), atol=1e-6)
    gamma = 1e-6 / 1e-3  # of the mean square, in units of ⟨f, M f⟩
    ratio = model.eigenvalues_ - values[:s]
    assert_allclose(ratio, ratio[0], rtol=1e-4) if s > 1 else None
    assert 0 < ratio[0] < gamma
    new = model.predict(Z) if s == 1 else model.transform(Z)
    assert new.shape == ((150,) if s == 1 else (150, 2))


def test_the_graph_clusters_where_the_kernel_drowns_it(monkeypatch):
    Z, _, truth = make_two_moons(400, random_state=0)
    new, _, truth_new = make_two_moons(100, random_state=1)
    monkeypatch.setattr(spectral, "EXACT_CLUSTERS_UP_TO", 300)
    model = RegularizedSpectralClustering().fit(Z)
    assert model.extension_ is not None
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert adjusted_rand_score(truth_new, model.predict(new)) > 0.95
    same = RegularizedSpectralClustering(space="exact").fit(Z)
    assert adjusted_rand_score(same.labels_, model.labels_) == 1.0
    three = RegularizedSpectralClustering(3).fit(Z)
    assert set(three.predict(new)) <= {0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("Model", [CoRLSClassifier, CoMRClassifier])
def test_many_rows_of_two_views_in_little_memory(Model):
    """20,000 rows: one Gram matrix alone would be 3.2 GB."""
    Z, _, truth = make_two_moons(20_000, random_state=0)
    Z = np.hstack([Z, Z + 0.05 * np.random.default_rng(1).standard_normal(Z.shape)])
    y = np.full(20_000, -1)
    known = np.concatenate([np.flatnonzero(truth == c)[:20] for c in (0, 1)])
    y[known] = truth[known]
    views = [(name, RBF(0.3), at, GRAPH) for name, at in (("a", [0, 1]), ("b", [2, 3]))]
    tracemalloc.start()
    model = Model(views, gamma_A=1e-6, gamma_C="rule", gamma_I="100*rule", fit_intercept=True)
    model.fit(Z, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5e9
    assert (
        model.transduction_ == truth
    ).mean() > 0.75  # it guards memory: a narrow kernel, 40 labels


@pytest.mark.parametrize(
    "penalty", [Heat(KNN(5), t=10.0), KernelNorm(RBF()), Laplacian() + 0.5 * KernelNorm(RBF())]
)
def test_clusters_of_a_costly_penalty_stay_in_the_space_of_the_kernel(monkeypatch, penalty):
    monkeypatch.setattr(spectral, "EXACT_CLUSTERS_UP_TO", 50)
    X = np.random.default_rng(0).standard_normal((80, 2))
    model = RegularizedSpectralClustering(regularizer=penalty).fit(X)
    assert model.extension_ is None and np.isfinite(model.embedding_).all()
    assert RegularizedSpectralClustering().fit(X).extension_ is not None
