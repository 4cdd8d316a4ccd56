"""The limits of MR Table 2, each against its own dense solution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dense_solutions import hard_margin, harmonic
from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.graphs import KNN, Given
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian
from problems import BY_RULE

RNG = np.random.default_rng(0)
N = 40
X = RNG.normal(size=(N, 3))
KERNEL = RBF(0.5)  # sharp: K is well-conditioned, and γ_A → 0 can be followed far
GRAPH = KNN(n_neighbors=6)
LAPLACIAN = Laplacian(GRAPH, normalized=False)
LABELED = np.isin(np.arange(N), RNG.permutation(N)[:8])
TARGET = np.where(LABELED, RNG.normal(size=N), np.nan)
SIGNS = np.where(LABELED, np.where(RNG.random(N) < 0.5, -1.0, 1.0), 0.0)
W = GRAPH.build(X).W.toarray()


@pytest.mark.parametrize("estimator", ["regressor", "classifier"])
def test_label_propagation(estimator):
    """γ_A ≪ γ_I → 0: the harmonic solution on the graph, and it is approached linearly."""
    errors = []
    y = TARGET if estimator == "regressor" else SIGNS
    truth = harmonic(W, y, LABELED)
    for gamma_I in (1e-4, 1e-5, 1e-6):
        settings = {
            "kernel": KERNEL,
            "regularizer": LAPLACIAN,
            "gamma_A": 1e-5 * gamma_I / N**2,
            "gamma_I": gamma_I,
            "fit_intercept": False,
            "tol": 1e-4,
        }
        if estimator == "regressor":
            f = LapRLSRegressor(**BY_RULE | settings).fit(X, TARGET).transduction_
        else:
            labels = np.where(LABELED, np.where(SIGNS > 0, "yes", "no"), None)
            f = LapRLSClassifier(**BY_RULE | settings).fit(X, labels).decision_function(X)
        errors.append(np.abs(f - truth).max())
    assert errors[-1] < 1e-4
    assert errors[2] < errors[1] < errors[0] or errors[0] < 1e-4


def test_graph_regularization():
    """γ_A → 0 at a fixed γ_I: (J + λ l L) f = J y on the graph alone, whatever the kernel."""
    lam, l = 0.02, LABELED.sum()
    L = np.diag(W.sum(axis=1)) - W
    J = np.diag(LABELED.astype(float))
    truth = np.linalg.solve(J + lam * l * L, J @ np.nan_to_num(TARGET))
    for kernel in (KERNEL, RBF(0.8)):
        model = LapRLSRegressor(
            kernel=kernel,
            regularizer=LAPLACIAN,
            gamma_A=1e-9,
            gamma_I=lam * N**2,
            fit_intercept=False,
        ).fit(X, TARGET)
        assert_allclose(model.transduction_, truth, atol=1e-4)


def test_interpolated_rls():
    """γ_I = 0, γ_A → 0: K⁻¹y on the labeled rows, which it interpolates."""
    rows = LABELED
    model = LapRLSRegressor(kernel=KERNEL, gamma_A=1e-10, gamma_I=0.0, fit_intercept=False)
    model.fit(X, TARGET)
    assert_allclose(model.transduction_[rows], TARGET[rows], atol=1e-7)
    truth = KERNEL(X, X[rows]) @ np.linalg.solve(KERNEL(X[rows]), TARGET[rows])
    assert_allclose(model.transduction_, truth, atol=1e-6)


@pytest.mark.parametrize("gamma_A", [1e-4, 1e-6, 1e-9])
def test_hard_margin(gamma_A):
    """γ_I = 0, γ_A → 0: the hard-margin model; it is reached at a finite C."""
    labels = np.where(LABELED, (SIGNS > 0).astype(int), -1)
    model = LapSVC(kernel=KERNEL, gamma_A=gamma_A, gamma_I=0.0, fit_intercept=True).fit(X, labels)
    rows = LABELED
    dense = hard_margin(KERNEL(X[rows]), SIGNS[rows])
    f = model.decision_function(X[rows])
    assert (SIGNS[rows] * f > 1 - 1e-6).all()
    assert_allclose(f, dense.readout, atol=1e-6)


def test_hard_margin_on_the_manifold():
    """γ_A → 0 with γ_I/γ_A fixed: the hard-margin model of the deformed kernel."""
    ratio = 5.0
    labels = np.where(LABELED, (SIGNS > 0).astype(int), -1)
    K, L = KERNEL(X), np.diag(W.sum(axis=1)) - W
    deformed = K @ np.linalg.inv(np.eye(N) + ratio * L @ K)
    rows = LABELED
    dense = hard_margin(0.5 * (deformed + deformed.T)[np.ix_(rows, rows)], SIGNS[rows])
    model = LapSVC(
        kernel=KERNEL,
        regularizer=LAPLACIAN,
        gamma_A=1e-6,
        gamma_I=1e-6 * ratio * N**2,
        fit_intercept=True,
    ).fit(X, labels)
    assert_allclose(model.decision_function(X[rows]), dense.readout, atol=1e-6)


def test_out_of_sample_extension_continues_the_graph():
    """A new point on top of a training point gets its value, in every limit."""
    model = LapRLSRegressor(
        kernel=KERNEL,
        regularizer=Laplacian(Given(W), normalized=False),
        gamma_A=1e-9,
        gamma_I="rule",
        fit_intercept=True,
    ).fit(X, TARGET)
    assert_allclose(model.predict(X[5:6]), model.transduction_[5:6], atol=1e-8)
