"""Every family takes the points that an Invariance adds, or refuses them in one sentence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing import (
    CoMRClassifier,
    CoRLSRegressor,
    DeformedKernel,
    LapRLSRegressor,
    LapS3LRegressor,
    LSMRRegressor,
    MultiViewKernel,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
    StructuredLapSVC,
    VectorValuedRegressor,
)
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import Flat, JointKernel, Ring
from lapwing.pointcloud import DeformedJointKernel
from lapwing.regularizers import Invariance, Laplacian
from lapwing.spaces import GraphValues

rng = np.random.default_rng(0)
N = 40
X = rng.standard_normal((N, 2)) + np.where(np.arange(N) % 2, 2.0, -2.0)[:, None]
TRUTH = np.arange(N) % 2
Y = np.where(np.arange(N) < 8, TRUTH, -1)
MIRROR = Laplacian(KNN(5)) + 0.5 * Invariance(lambda A: A[:, ::-1])
ALL = np.vstack([X, X[:, ::-1]])


def deformed_gram(ratio):
    """K̃ over rows and images from its definition, (I + ratio K M)⁻¹ K."""
    K, M = RBF(1.0)(ALL), MIRROR.build(X).toarray()
    return np.linalg.solve(np.eye(len(K)) + ratio * K @ M, K)


def test_deformed_kernel():
    kernel = DeformedKernel(RBF(1.0), MIRROR, ratio=0.7).fit(X)
    assert_allclose(kernel(ALL), deformed_gram(0.7), atol=1e-9)


def test_deformed_joint_kernel():
    kernel = DeformedJointKernel(RBF(1.0), Flat(2), MIRROR, ratio=0.7).fit(X)
    assert_allclose(kernel(ALL)[:, 0, :, 0], deformed_gram(0.7), atol=1e-9)


def test_structured_is_the_joint_kernel_over_rows_and_images():
    settings = {"output": Ring(2), "gamma_A": 1e-2, "tol": 1e-9}
    model = StructuredLapSVC(kernel=RBF(1.0), regularizer=MIRROR, gamma_I=1.6, **settings)
    joint = DeformedJointKernel(RBF(1.0), Ring(2), MIRROR, ratio=1.6 / (1e-2 * N**2)).fit(X)
    same = StructuredLapSVC(kernel=JointKernel(joint), gamma_I=0.0, **settings)
    found, expected = model.fit(X, Y), same.fit(X, Y)
    assert_allclose(found.decision_function(ALL), expected.decision_function(ALL), atol=1e-4)
    assert (found.transduction_ == TRUTH).mean() > 0.9


def test_structured_keeps_nothing_of_another_regularizer():
    model = StructuredLapSVC(kernel=RBF(1.0), regularizer=MIRROR, gamma_I=1.0, warm_start=True).fit(
        X, Y
    )
    model.set_params(gamma_I=0.0).fit(X, Y)
    fresh = StructuredLapSVC(kernel=RBF(1.0), regularizer=MIRROR, gamma_I=0.0).fit(X, Y)
    assert_allclose(model.decision_function(X), fresh.decision_function(X), atol=1e-4)


def test_eigenmaps_are_mean_free_at_the_rows_and_smooth_at_the_images():
    """The smallest eigenvector of B⁻¹ on the complement of 1, B the rows' block of K̃."""
    ratio = 1.0 / (1e-2 * N**2)
    maps = RegularizedLaplacianEigenmaps(
        1, kernel=RBF(1.0), regularizer=MIRROR, gamma_A=1e-2, gamma_I=1.0
    ).fit(X)
    B = deformed_gram(ratio)[:N, :N]
    P = np.eye(N) - 1.0 / N
    B1 = B.sum(axis=1)
    A = B - np.outer(B1, B1) / B1.sum()
    theta, F = np.linalg.eigh(P @ A @ P)
    f = maps.embedding_[:, 0]
    assert abs(f.sum()) < 1e-8
    assert_allclose(np.abs(f @ F[:, -1]), np.linalg.norm(f), rtol=1e-6)
    assert_allclose(maps.eigenvalues_[0], 1 / (theta[-1] * ratio), rtol=1e-8)
    clusters = RegularizedSpectralClustering(2, kernel=RBF(1.0), regularizer=MIRROR).fit(X)
    agree = (clusters.labels_ == TRUTH).mean()
    assert max(agree, 1 - agree) > 0.9
    assert (clusters.predict(X) == clusters.labels_).all()


@pytest.mark.parametrize("Model", [LapRLSRegressor, VectorValuedRegressor])
def test_values_on_the_graph_have_no_images(Model):
    y = np.where(np.arange(N) < 8, X[:, 0], np.nan)
    with pytest.raises(ValueError, match="on the given rows only"):
        Model(regularizer=MIRROR, gamma_I=1.0, space=GraphValues()).fit(X, y)


@pytest.mark.parametrize("Model", [LapS3LRegressor, LSMRRegressor])
def test_eigenvectors_of_the_rows_refuse(Model):
    y = np.where(np.arange(N) < 8, X[:, 0], np.nan)
    with pytest.raises(ValueError, match=r"adds points .* use LapRLSRegressor"):
        Model(regularizer=MIRROR).fit(X, y)


def test_views_and_joint_kernels_refuse():
    views = [("left", "rbf", [0], Invariance(lambda A: -A)), ("right", "rbf", [1])]
    with pytest.raises(ValueError, match="view 'left' adds points"):
        CoMRClassifier(views).fit(X, Y)
    with pytest.raises(ValueError, match="view 'left' adds points"):
        CoRLSRegressor(views).fit(X, np.where(Y < 0, np.nan, Y))
    with pytest.raises(ValueError, match="view 'left' adds points"):
        MultiViewKernel(views).fit(X)
    with pytest.raises(ValueError, match="adds points"):
        MultiViewKernel([("all", "rbf", slice(None))], regularizer=MIRROR).fit(X)
    product = JointKernel(lambda A, B: np.einsum("ij,ab->iajb", A @ B.T, np.eye(2)))
    with pytest.raises(ValueError, match="over the rows alone"):
        StructuredLapSVC(kernel=product, regularizer=MIRROR).fit(X, Y)
