"""Manifold co-regularization at a = ½ as a kernel for any kernel method."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

from lapwing import CoMRClassifier, CoMRKernel, CoMRRegressor, DeformedKernel
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian, Relaxed

rng = np.random.default_rng(5)
N, L = 30, np.arange(9)
X = rng.standard_normal((N, 4))
TARGET = np.sin(X[:, 0]) + X[:, 2]
GRAPH = Laplacian(KNN(4), normalized=False)
ONE = [("all", RBF(1.2), slice(None), GRAPH)]
TWO = [("a", RBF(1.2), [0, 1], GRAPH), ("b", RBF(0.8), [2, 3])]


def with_gaps():
    Z = X.copy()
    Z[4, :2] = Z[20, 2:] = np.nan
    return Z


@pytest.mark.parametrize("a_I", [0.5, 1.0, -0.3])
def test_it_is_the_multi_view_kernel_over_the_inverse_of_m(a_I):
    """MV: views K¹ = K and K² = (γ_I M)⁻¹ with a = (1 − a_I, a_I), γ = (γ_A, 1), M_C and λ."""
    gamma_A, gamma_I, lam, ridge = 0.2, 0.7, 1.3, 0.05
    k = CoMRKernel(ONE, a_I, gammas=gamma_A, gamma_I=gamma_I, lam=lam, ridge=ridge).fit(X)
    K = RBF(1.2)(X)
    M_inverse = np.linalg.inv(gamma_I * (GRAPH.build(X).toarray() + ridge * np.eye(N)))
    zero, eye = np.zeros((N, N)), np.eye(N)
    gram = np.block([[K / gamma_A, zero], [zero, M_inverse]])
    M_C = np.block([[eye, -eye], [-eye, eye]])
    whole = np.linalg.solve(np.eye(2 * N) + lam * gram @ M_C, gram)  # (𝒦⁻¹ + λ M_C)⁻¹
    A = np.hstack([(1 - a_I) * eye, a_I * eye])
    assert_allclose(k(X), A @ whole @ A.T, atol=1e-9 * np.abs(whole).max())
    assert_allclose(k(X[3:7], X[:5]), k(X)[3:7, :5])
    assert_allclose(k.diag(X[2:6]), np.diag(k(X))[2:6])


@pytest.mark.parametrize("a_I", [0.0, 0.5])
@pytest.mark.parametrize("gaps", [False, True])
def test_kernel_ridge_and_svc_with_it_are_comr(a_I, gaps):
    Z, gammas = with_gaps() if gaps else X, np.array([0.03, 0.06])
    kernel = CoMRKernel(TWO, a_I, gammas=gammas, gamma_I=5.0 / N**2, lam=40.0 / N**2).fit(Z)
    settings = {"a_I": a_I, "gamma_A": 0.03, "gammas": [1.0, 2.0], "gamma_C": 40.0}
    settings |= {"gamma_I": 5.0, "fit_intercept": False, "tol": 1e-10}
    ours = CoMRRegressor(TWO, **settings).fit(Z, np.where(np.arange(N) < 9, TARGET, np.nan))
    ridge = KernelRidge(alpha=9, kernel="precomputed").fit(kernel(Z[L]), TARGET[L])
    assert_allclose(ours.predict(Z), ridge.predict(kernel(Z, Z[L])), atol=1e-9)
    labels = np.where(np.arange(N) < 9, TARGET > 0, -1)
    ours = CoMRClassifier(TWO, loss="hinge", **settings | {"fit_intercept": True, "tol": 1e-8})
    svc = SVC(kernel="precomputed", C=1 / 18, tol=1e-9).fit(kernel(Z[L]), labels[L])
    found = svc.decision_function(kernel(Z, Z[L]))
    assert_allclose(ours.fit(Z, labels).decision_function(Z), found, atol=1e-5)


def test_at_a_I_0_it_is_the_relaxed_deformed_kernel_everywhere():
    new = rng.standard_normal((6, 4))
    k = CoMRKernel(ONE, 0.0, gammas=0.5, gamma_I=0.7, lam=1.3).fit(X)
    other = DeformedKernel(RBF(1.2), Relaxed(GRAPH, ratio=0.7 / 1.3), ratio=0.7 / 0.5).fit(X)
    assert_allclose(k(new, X), other(new, X) / 0.5, atol=1e-10)


def test_it_plugs_into_scikit_learn():
    kernel = CoMRKernel(ONE, gammas=0.1, gamma_I=0.1, lam=1.0).fit(X)
    labels = (TARGET > 0).astype(int)
    assert SVC(kernel=kernel, C=10.0).fit(X[L], labels[L]).predict(X).shape == (N,)
    assert KernelPCA(2, kernel=kernel).fit_transform(X).shape == (N, 2)
    gp = GaussianProcessRegressor(kernel, alpha=9.0, optimizer=None).fit(X[L], TARGET[L])
    ridge = KernelRidge(alpha=9.0, kernel=kernel).fit(X[L], TARGET[L])
    assert_allclose(gp.predict(X), ridge.predict(X), atol=1e-9)
    assert_allclose(clone(kernel)(X), kernel(X))
    assert np.linalg.eigvalsh(kernel(X)).min() > -1e-10


def test_equal_rows_share_a_value_and_other_rows_are_refused():
    Z = np.vstack([X, X[:1]])
    kernel = CoMRKernel(ONE, gammas=0.1).fit(Z)
    K = kernel(Z)
    assert_allclose(kernel(Z[:1], Z[5:6]), [[0.5 * (K[0, 5] + K[-1, 5])]])
    with pytest.raises(ValueError, match=r"1 of the 2 rows are not training rows \(row 1"):
        kernel(np.vstack([X[:1], X[:1] + 1.0]))
    with pytest.raises(ValueError, match="lam=0 must be a positive number"):
        CoMRKernel(ONE, lam=0).fit(X)
    with pytest.raises(TypeError, match="Use a_I=0"):
        kernel.fall(X)
