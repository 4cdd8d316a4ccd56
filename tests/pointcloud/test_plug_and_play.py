"""The kernels inside scikit-learn: every kernel method, clone, grid search, pipelines."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, OneClassSVM
from sklearn.utils.estimator_checks import check_estimator

from lapwing.kernels import RBF
from lapwing.pointcloud import DeformedKernel, KernelFeatures, MultiViewKernel
from lapwing.regularizers import Laplacian

rng = np.random.default_rng(0)
y = np.repeat([0, 1], 40)
X = rng.standard_normal((80, 4)) + 2.5 * y[:, None]
ROWS = np.r_[0:8, 40:48]
VIEWS = [("left", RBF(1.5), [0, 1]), ("right", RBF(2.0), [2, 3])]


def kernels():
    return [DeformedKernel(RBF(2.0), ratio=0.1).fit(X), MultiViewKernel(VIEWS, lam=0.5).fit(X)]


def on_gram(model, kernel, target):
    """The same method on the precomputed Gram matrix."""
    return model.fit(kernel(X[ROWS]), target)


@pytest.mark.parametrize("kernel", kernels(), ids=lambda k: type(k).__name__)
@pytest.mark.parametrize(
    ("method", "score"),
    [
        (SVC(C=2.0), "decision_function"),
        (SVR(C=2.0), "predict"),
        (OneClassSVM(nu=0.3), "decision_function"),
        (KernelRidge(alpha=0.5), "predict"),
        (KernelPCA(n_components=2), "transform"),
    ],
    ids=lambda v: v if isinstance(v, str) else type(v).__name__,
)
def test_kernel_methods_agree_with_their_precomputed_selves(method, score, kernel):
    plugged = clone(method).set_params(kernel=kernel).fit(X[ROWS], y[ROWS])
    given = on_gram(clone(method).set_params(kernel="precomputed"), kernel, y[ROWS])
    K = kernel(X, X[ROWS])
    np.testing.assert_allclose(
        np.abs(getattr(plugged, score)(X)), np.abs(getattr(given, score)(K)), atol=1e-6
    )


@pytest.mark.parametrize("kernel", kernels(), ids=lambda k: type(k).__name__)
def test_gaussian_processes(kernel):
    gp = GaussianProcessRegressor(kernel, alpha=0.1).fit(X[ROWS], y[ROWS].astype(float))
    K = kernel(X[ROWS]) + 0.1 * np.eye(len(ROWS))
    expected = kernel(X, X[ROWS]) @ np.linalg.solve(K, y[ROWS])
    mean, std = gp.predict(X, return_std=True)
    np.testing.assert_allclose(mean, expected, atol=1e-8)
    variance = np.diag(kernel(X) - kernel(X, X[ROWS]) @ np.linalg.solve(K, kernel(X[ROWS], X)))
    np.testing.assert_allclose(std**2, variance, atol=1e-7)
    noisy = GaussianProcessRegressor(kernel + WhiteKernel(0.1)).fit(X[ROWS], y[ROWS] * 1.0)
    assert noisy.kernel_.k2.noise_level != 0.1  # the noise was optimized, the cloud kept
    proba = GaussianProcessClassifier(kernel).fit(X[ROWS], y[ROWS]).predict_proba(X)
    assert (proba.argmax(axis=1) == y).mean() > 0.9
    three = y + (X[:, 0] > 2.5)
    multi = GaussianProcessClassifier(kernel).fit(X, three)
    assert multi.predict(X).shape == (80,)


@pytest.mark.parametrize("kernel", kernels(), ids=lambda k: type(k).__name__)
def test_clone_and_pickle_keep_the_cloud(kernel):
    for twin in (clone(kernel), pickle.loads(pickle.dumps(kernel)), clone(clone(kernel))):
        assert twin is not kernel
        np.testing.assert_array_equal(twin(X[:5], X[5:9]), kernel(X[:5], X[5:9]))


def test_set_params_keeps_the_cloud_and_drops_the_factor():
    kernel = MultiViewKernel(VIEWS, lam=0.5).fit(X)
    twin = clone(kernel).set_params(lam=3.0)
    expected = MultiViewKernel(VIEWS, lam=3.0).fit(X)
    np.testing.assert_array_equal(twin(X[:5]), expected(X[:5]))
    assert not np.allclose(kernel(X[:5]), twin(X[:5]))
    twin.set_params(left__kernel__sigma=0.5, right__columns=[3])
    changed = MultiViewKernel([("left", RBF(0.5), [0, 1]), ("right", RBF(2.0), [3])], lam=3.0)
    np.testing.assert_array_equal(twin(X[:5]), changed.fit(X)(X[:5]))
    assert kernel.views[0][1].sigma == 1.5  # the original is untouched
    with pytest.raises(ValueError, match="Invalid parameter"):
        twin.set_params(left__color=1)


def test_grid_search_over_lambda_widths_and_graphs():
    grid = {"kernel__lam": [0.0, 1.0], "kernel__left__kernel__sigma": [0.5, 2.0]}
    search = GridSearchCV(SVC(kernel=MultiViewKernel(VIEWS).fit(X)), grid, cv=2)
    search.fit(X[ROWS], y[ROWS])
    assert search.best_estimator_.kernel.lam == search.best_params_["kernel__lam"]
    assert search.best_estimator_.score(X, y) > 0.9
    kernel = DeformedKernel(RBF(2.0), Laplacian(), ratio=1.0).fit(X)
    grid = {"kernel__ratio": [0.1, 1.0], "kernel__regularizer__degree": [1, 2]}
    search = GridSearchCV(KernelRidge(kernel=kernel), grid, cv=2).fit(X[ROWS], y[ROWS])
    assert np.isfinite(search.best_score_)


@pytest.mark.parametrize(
    "model",
    [SVC(), KernelRidge(), GaussianProcessRegressor(alpha=0.1)],
    ids=lambda m: type(m).__name__,
)
def test_cross_validation_keeps_the_cloud(model):
    kernel = DeformedKernel(RBF(2.0), ratio=0.1).fit(X)
    scores = cross_val_score(model.set_params(kernel=kernel), X[ROWS], y[ROWS], cv=4)
    assert np.isfinite(scores).all()


def test_an_unfitted_kernel_says_so():
    with pytest.raises(NotFittedError, match="no point cloud"):
        SVC(kernel=MultiViewKernel(VIEWS)).fit(X, y)


def test_logistic_regression_on_features_is_kernel_logistic_regression():
    kernel = MultiViewKernel(VIEWS).fit(X)
    model = make_pipeline(KernelFeatures(kernel), LogisticRegression(C=3.0, tol=1e-10))
    model.fit(X[ROWS], y[ROWS])
    # stationarity over coefficients: α = C (y − p), y ∈ {0, 1}
    z = model.decision_function(X[ROWS])
    b = model[-1].intercept_[0]
    alpha = 3.0 * (y[ROWS] - 1 / (1 + np.exp(-z)))
    np.testing.assert_allclose(kernel(X[ROWS]) @ alpha + b, z, atol=1e-4)
    np.testing.assert_allclose(
        kernel(X, X[ROWS]) @ alpha + b, model.decision_function(X), atol=1e-4
    )


def test_features_reproduce_the_kernel():
    kernel = DeformedKernel(RBF(2.0), ratio=0.5).fit(X)
    features = KernelFeatures(kernel).fit(X[ROWS])
    np.testing.assert_allclose(
        features.transform(X) @ features.transform(X[ROWS]).T, kernel(X, X[ROWS]), atol=1e-8
    )
    few = KernelFeatures(kernel, n_components=3).fit(X[ROWS])
    assert few.transform(X).shape == (80, 3)
    np.testing.assert_allclose(few.transform(X), features.transform(X)[:, :3], atol=1e-8)
    assert list(few.get_feature_names_out()) == [f"kernelfeatures{i}" for i in range(3)]
    unfitted = KernelFeatures(DeformedKernel(RBF(2.0), ratio=0.5)).fit(X[ROWS])
    expected = DeformedKernel(RBF(2.0), ratio=0.5).fit(X[ROWS])
    np.testing.assert_allclose(
        unfitted.transform(X[ROWS]) @ unfitted.transform(X[ROWS]).T, expected(X[ROWS]), atol=1e-8
    )


def test_features_follow_scikit_learn():
    check_estimator(KernelFeatures())


def test_data_frames_name_their_columns():
    frame = pd.DataFrame(X, columns=list("abcd"))
    views = [("left", RBF(1.5), ["a", "b"]), ("right", RBF(2.0), slice("c", "d"))]
    named = MultiViewKernel(views, lam=0.5).fit(frame)
    np.testing.assert_array_equal(named(frame.iloc[:4]), kernels()[1](X[:4]))
    assert SVC(kernel=named).fit(frame.iloc[ROWS], y[ROWS]).score(frame, y) > 0.9


def test_a_view_may_have_its_own_scaler():
    views = [("left", RBF(1.0), [0, 1], None, StandardScaler()), ("right", RBF(2.0), [2, 3])]
    scaled = np.column_stack([StandardScaler().fit_transform(X[:, :2]), X[:, 2:]])
    expected = MultiViewKernel([("left", RBF(1.0), [0, 1]), views[1]]).fit(scaled)
    np.testing.assert_allclose(
        MultiViewKernel(views).fit(X)(X[:6]), expected(scaled[:6]), atol=1e-12
    )
