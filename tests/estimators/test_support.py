"""Support vectors and multipliers: MR eqs. 10–12 and SO (9), against dense formulas."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import SVC

from lapwing import LapSVC, StructuredLapSVC
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import Ring
from lapwing.regularizers import Laplacian

rng = np.random.default_rng(0)
N, L = 40, 14
X = rng.standard_normal((N, 2)) + 1.2 * (np.arange(N) % 3)[:, None]
THREE = np.where(np.arange(N) < L, np.arange(N) % 3, -1)
TWO = np.where(THREE < 0, -1, np.minimum(THREE, 1))
PARTS = {"kernel": RBF(1.0), "regularizer": Laplacian(KNN(5)), "gamma_A": 0.01, "gamma_I": 3.0}


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_the_expansion_follows_from_the_multipliers(loss, y):
    """α = (2γ_A I + 2(γ_I/n²) M K)⁻¹ Jᵀ Yβ (MR eq. 12)."""
    model = LapSVC(loss=loss, fit_intercept=True, tol=1e-10, **PARTS).fit(X, y)
    K, M = RBF(1.0)(X), Laplacian(KNN(5)).build(X).toarray()
    right = np.zeros((N, model.dual_coef_.shape[0]))
    right[model.support_] = model.dual_coef_.T
    alpha = np.linalg.solve(2 * 0.01 * np.eye(N) + 2 * 3.0 / N**2 * M @ K, right)
    found = model.decision_function(X).reshape(N, -1)
    assert_allclose(K @ alpha + model.intercept_, found, atol=1e-5)
    assert_allclose(model.dual_coef_.sum(axis=1), 0.0, atol=1e-7)  # the unregularized constant
    if loss == "hinge":
        sign = np.where(y[model.support_] == np.arange(3)[:, None], 1, -1)
        sign = sign if len(model.dual_coef_) == 3 else np.where(y[model.support_] == 1, 1, -1)
        beta = sign * model.dual_coef_
        assert beta.min() > -1e-9 and beta.max() < 1 / L + 1e-9
        assert len(model.support_) <= L and set(model.support_) <= set(range(L))


def test_without_manifold_they_are_those_of_libsvm():
    model = LapSVC(fit_intercept=True, tol=1e-10, **PARTS | {"gamma_I": 0.0}).fit(X, TWO)
    svc = SVC(C=1 / (2 * 0.01 * L), gamma=0.5, tol=1e-8).fit(X[:L], TWO[:L])
    assert_allclose(model.support_, np.sort(svc.support_))
    order = np.argsort(svc.support_)
    assert_allclose(model.dual_coef_ / (2 * 0.01), svc.dual_coef_[:, order], atol=1e-3)


@pytest.mark.parametrize("rescaling", ["slack", "margin"])
def test_structured_working_set(rescaling):
    """F = ½ K̃ Σ μ s(λ(y) − λ(ȳ)), Σ_ȳ μ ≤ 1/l, complementary to the slacks (SO 9)."""
    settings = {"output": Ring(3), "rescaling": rescaling, "solver": "n-slack", "tol": 1e-9}
    model = StructuredLapSVC(**settings, **PARTS).fit(X, THREE)
    ring = Ring(3).build()
    K, M = RBF(1.0)(X), Laplacian(KNN(5)).build(X).toarray()
    G = np.zeros((N, 3))
    delta = ring.loss_matrix[THREE[model.support_], model.support_outputs_]
    scale = delta if rescaling == "slack" else np.ones(len(delta))
    np.add.at(G, (model.support_, THREE[model.support_]), scale * model.dual_coef_)
    np.add.at(G, (model.support_, model.support_outputs_), -scale * model.dual_coef_)
    # f over the pairs with K^X ⊗ K^Y and L = M ⊗ I
    pairs, joint = np.kron(K, ring.kernel), np.kron(M, np.eye(3))
    system = 0.01 * np.eye(3 * N) + 3.0 / N**2 * joint @ pairs
    f = pairs @ np.linalg.solve(system, 0.5 * G.ravel())
    assert_allclose(model.decision_function(X), f.reshape(N, 3), atol=1e-4)
    per_row = np.bincount(model.support_, weights=model.dual_coef_, minlength=N)
    assert (model.dual_coef_ > 0).all() and per_row.max() < 1 / L + 1e-9
    joint_slack = StructuredLapSVC(**settings | {"solver": "1-slack", "tol": 1e-4}, **PARTS)
    assert joint_slack.fit(X, THREE).support_ is None
