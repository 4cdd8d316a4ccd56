"""Data without shape has a defined result: duplicates, constants, two points, zeros, any scale."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from lapwing import (
    CoMRClassifier,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldRegressor,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
)
from lapwing.graphs import KNN, Given, Radius
from lapwing.kernels import Polynomial
from lapwing.pointcloud import (
    DeformedJointKernel,
    DeformedKernel,
    KernelFeatures,
    MultiViewKernel,
)
from lapwing.regularizers import KernelNorm, Laplacian
from problems import BY_RULE

pytestmark = [
    pytest.mark.filterwarnings("ignore::lapwing.exceptions.UnreachedWarning"),
    pytest.mark.filterwarnings("error::RuntimeWarning"),
]

RNG = np.random.default_rng(0)
N = 24
X = RNG.normal(size=(N, 3))
TRUTH = (X[:, 0] > 0).astype(int)
Y = np.where(np.arange(N) < 14, TRUTH, -1)
REAL = np.where(Y >= 0, X[:, 0], np.nan)
CLASSIFIERS = [LapRLSClassifier, LapSVC, LapLogisticClassifier]
ALL = [*CLASSIFIERS, LapRLSRegressor, ManifoldRegressor]
KERNELS = ["rbf", "laplacian", "matern", "polynomial", "linear", "cosine"]


def target(estimator):
    return REAL if estimator in (LapRLSRegressor, ManifoldRegressor) else Y


def finite(model, points):
    assert np.isfinite(model.coef_).all()
    out = model.decision_function(points) if hasattr(model, "classes_") else model.predict(points)
    assert np.isfinite(out).all()
    return out


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("estimator", ALL)
def test_duplicated_points(estimator, kernel):
    """Copies get the value of their original; a labeled copy labels it."""
    points = np.vstack([X, X[:5], X[:5]])
    y = np.concatenate(
        [target(estimator), *2 * [np.full(5, -1 if estimator in CLASSIFIERS else np.nan)]]
    )
    model = estimator(kernel=kernel, gamma_A=1e-2, gamma_I=10.0).fit(points, y)
    out = finite(model, points)
    assert_allclose(out[N : N + 5], out[:5], atol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("estimator", ALL)
def test_constant_columns(estimator, kernel):
    points = np.column_stack([X, np.full(N, 7.0), np.zeros(N)])
    finite(estimator(kernel=kernel, gamma_A=1e-2).fit(points, target(estimator)), points)


def test_constant_columns_change_nothing_for_distances():
    points = np.column_stack([X, np.full(N, 7.0)])
    a = LapRLSClassifier(**BY_RULE).fit(X, Y).decision_function(X)
    b = LapRLSClassifier(**BY_RULE).fit(points, Y).decision_function(points)
    assert_allclose(b, a, atol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("value", [0.0, 1.0, -3.5])
@pytest.mark.parametrize("estimator", ALL)
def test_all_points_equal(estimator, value, kernel):
    """Every point gets the same value: for the squared loss with intercept, the mean label."""
    points = np.full((N, 2), value)
    y = target(estimator)
    model = estimator(kernel=kernel, gamma_A=1e-2, gamma_I="rule", fit_intercept=True).fit(
        points, y
    )
    out = finite(model, points)
    assert_allclose(out, out[0], atol=1e-8)
    if estimator is LapRLSClassifier:
        assert_allclose(out[0], np.mean(2 * Y[Y >= 0] - 1), atol=1e-6)
    if estimator is LapRLSRegressor:
        assert_allclose(out[0], np.nanmean(y), atol=1e-6)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_two_points(estimator):
    points = np.array([[0.0, 1.0], [2.0, 0.0]])
    model = estimator().fit(points, [1, 0])
    assert_array_equal(model.transduction_, [1, 0])
    assert_allclose(model.decision_function(points).sum(), 0.0, atol=1e-6)  # by symmetry


def test_two_points_one_value():
    model = LapRLSRegressor(**BY_RULE).fit([[0.0], [2.0]], [3.0, np.nan])
    assert_allclose(model.transduction_, [3.0, 3.0], atol=1e-3)
    points = np.array([[0.0], [2.0]])
    assert_array_equal(np.sort(RegularizedSpectralClustering().fit_predict(points)), [0, 1])
    embedding = RegularizedLaplacianEigenmaps(n_components=1).fit_transform(points)
    assert_allclose(np.abs(embedding), np.sqrt(0.5), atol=1e-8)
    assert_allclose(embedding.sum(), 0.0, atol=1e-8)


@pytest.mark.parametrize("points", [np.asarray, sp.csr_matrix], ids=["dense", "csr"])
@pytest.mark.parametrize("kernel", ["linear", "cosine", "polynomial", "rbf"])
@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_rows_of_zeros(estimator, kernel, points):
    """f(0) = 0 for a linear or cosine kernel: such a row is told by the intercept."""
    some = X.copy()
    some[[0, 15, 16]] = 0.0
    for graph in (KNN(n_neighbors=4), KNN(n_neighbors=4, metric="cosine", weight="cosine")):
        model = estimator(
            kernel=kernel,
            regularizer=Laplacian(graph),
            gamma_A=1e-2,
            gamma_I="rule",
            fit_intercept=True,
        )
        out = finite(model.fit(points(some), Y), points(some))
        if kernel in ("linear", "cosine"):
            assert_allclose(out[[0, 15, 16]], model.intercept_[0], atol=1e-7)


@pytest.mark.parametrize("scale", [1e150, 1e-150])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "matern", "cosine"])
@pytest.mark.parametrize("estimator", ALL)
def test_scale_free_kernels_do_not_see_the_scale(estimator, kernel, scale):
    """Widths, weights and γ's follow the data: X and 1e±150 X give the same answer."""
    a = finite(estimator(kernel=kernel).fit(X, target(estimator)), X)
    b = finite(estimator(kernel=kernel).fit(scale * X, target(estimator)), scale * X)
    assert_allclose(b, a, atol=1e-5 * np.abs(a).max())


@pytest.mark.parametrize("scale", [1e100, 1e-100])
@pytest.mark.parametrize("estimator", [LapRLSClassifier, LapRLSRegressor])
def test_linear_kernel_at_any_scale(estimator, scale):
    """γ_A = 1e-6 · mean k(x, x) takes the scale out of the linear kernel."""
    a = finite(estimator(kernel="linear").fit(X, target(estimator)), X)
    b = finite(estimator(kernel="linear").fit(scale * X, target(estimator)), scale * X)
    assert_allclose(b, a, atol=1e-5 * np.abs(a).max())


@pytest.mark.parametrize("kernel", ["polynomial", "linear"])
@pytest.mark.parametrize("estimator", [*CLASSIFIERS, RegularizedLaplacianEigenmaps])
def test_overflow_is_an_error(estimator, kernel):
    """1e200 squared or cubed is no float: one clear error, not NaN."""
    with pytest.raises(ValueError, match="kernel overflows"):
        estimator(kernel=kernel).fit(1e200 * X, Y)


CUBIC = Polynomial(3)
VIEWS = [("a", CUBIC, slice(0, 2)), ("b", CUBIC, slice(2, 3))]


@pytest.mark.parametrize(
    "fit",
    [
        lambda X: CoRLSClassifier(VIEWS).fit(X, Y),
        lambda X: CoRLSClassifier(VIEWS, gamma_A=1e-3, space="landmarks").fit(X, Y),
        lambda X: CoMRClassifier(VIEWS, gamma_A=1e-3, gamma_C=1.0).fit(X, Y),
        lambda X: LapRLSClassifier(kernel="rbf", regularizer=KernelNorm(CUBIC)).fit(X, Y),
        lambda X: MultiViewKernel(VIEWS).fit(X),
        lambda X: DeformedKernel(CUBIC, "laplacian", 1.0).fit(X),
        lambda X: DeformedJointKernel(CUBIC).fit(X),
        lambda X: KernelFeatures(CUBIC).fit(X),
    ],
)
def test_overflow_is_an_error_wherever_a_kernel_is_built(fit):
    """Parts that build their kernel themselves had NaN, or an error of another room."""
    fit(X)
    with pytest.raises(ValueError, match="kernel overflows"):
        fit(1e160 * X)


@pytest.mark.parametrize("scale", [1e12, 1e-12])
def test_targets_at_any_scale(scale):
    a = LapRLSRegressor(**BY_RULE).fit(X, REAL).predict(X)
    b = LapRLSRegressor(**BY_RULE).fit(X, scale * REAL).predict(X)
    assert_allclose(b, scale * a, atol=1e-7 * scale * np.abs(a).max())


def test_targets_of_zero():
    model = LapRLSRegressor(**BY_RULE).fit(X, np.where(Y >= 0, 0.0, np.nan))
    assert_allclose(model.predict(X), 0.0, atol=1e-12)
    both = LapRLSRegressor(**BY_RULE).fit(X, np.column_stack([REAL, np.zeros(N)]))
    assert_allclose(both.predict(X)[:, 1], 0.0, atol=1e-9)


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("estimator", ALL)
def test_isolated_vertices(estimator, normalized):
    """A vertex without an edge costs nothing and is told by the kernel; one with a label fits."""
    W = np.zeros((N, N))
    W[:10, :10] = 1.0 - np.eye(10)
    regularizer = Laplacian(Given(W), normalized=normalized)
    given = {"regularizer": regularizer, "gamma_A": 1e-4}
    model = estimator(**BY_RULE | given).fit(X, target(estimator))
    finite(model, X)
    expected = np.zeros(N, dtype=bool)
    expected[14:] = True
    assert_array_equal(model.unreached_, expected)


def test_graph_without_edges_is_no_graph():
    kernel = {"gamma_A": 1e-3, "gamma_I": 50.0}
    a = LapRLSClassifier(**BY_RULE | {"regularizer": Laplacian(Radius(1e-9)), **kernel}).fit(X, Y)
    b = LapRLSClassifier(gamma_A=1e-3, gamma_I=0.0, kernel="rbf", fit_intercept=True).fit(X, Y)
    assert_allclose(a.decision_function(X), b.decision_function(X), atol=1e-9)
    assert_array_equal(a.unreached_, Y < 0)


def test_everything_labeled_and_one_of_each():
    model = LapRLSClassifier(**BY_RULE).fit(X, TRUTH)
    assert model.labeled_.all() and model.score(X, TRUTH) > 0.9
    y = np.full(N, -1)
    y[np.argmax(X[:, 0])], y[np.argmin(X[:, 0])] = 1, 0
    for estimator in CLASSIFIERS:
        fitted = estimator().fit(X, y)
        assert_array_equal(fitted.predict(X[y >= 0]), y[y >= 0])


def test_clustering_points_that_are_all_equal():
    points = np.ones((10, 2))
    with pytest.raises(ValueError, match="duplicates"):
        RegularizedSpectralClustering().fit(points)


@pytest.mark.parametrize("estimator", [LapRLSRegressor, ManifoldRegressor])
def test_a_single_target(estimator):
    y = np.where(np.arange(N) == 0, 2.5, np.nan)
    assert_allclose(estimator().fit(X, y).transduction_, 2.5)


def test_one_row_beyond_the_range_of_floats_is_named():
    points = X.copy()
    points[7] *= 1e200
    with pytest.raises(ValueError, match="distances between rows of X are too large"):
        LapRLSClassifier().fit(points, Y)
