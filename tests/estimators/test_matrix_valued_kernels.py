"""VectorValued*(kernel=JointKernel(…)): any matrix-valued kernel, against VV eq. 15 written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lapwing
from lapwing import VectorValuedClassifier, VectorValuedRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import JointKernel, OutputGraph
from lapwing.regularizers import Invariance, Laplacian

rng = np.random.default_rng(0)
N, Q, L = 24, 3, 9
X = rng.standard_normal((N, 2))
Y = np.where((np.arange(N) < L)[:, None], rng.standard_normal((N, Q)), np.nan)
MIX = rng.standard_normal((2, Q, Q))
M = Laplacian(KNN(4))


def curled(A, B):
    """Σ_r k_r(x, z) T_r(x) T_r(z)ᵀ with T that turns with x: no sum of products k·Q."""
    total = 0.0
    for sigma, mix in zip((0.8, 2.0), MIX, strict=True):
        left = np.cos(A[:, :1, None]) * np.eye(Q) + mix * A[:, 1:, None]
        right = np.cos(B[:, :1, None]) * np.eye(Q) + mix * B[:, 1:, None]
        total = total + np.einsum("ij,iac,jbc->iajb", RBF(sigma)(A, B), left, right)
    return total


@pytest.mark.parametrize("holes", [False, True])
def test_the_general_system(holes):
    """(diag(w)𝒦 + γ_A I + λ(M ⊗ I)𝒦) c = w∘y over the pairs (VV eq. 15)."""
    y = Y.copy()
    if holes:
        y[2, 1] = np.nan
    model = VectorValuedRegressor(
        kernel=JointKernel(curled), regularizer=M, gamma_A=0.02, gamma_I=4.0, fit_intercept=False
    ).fit(X, y)
    gram = curled(X, X).reshape(N * Q, N * Q)
    w = np.where(np.isnan(y), 0.0, 1 / L).ravel()
    penalty = np.kron(M.build(X).toarray(), np.eye(Q))
    system = w[:, None] * gram + 0.02 * np.eye(N * Q) + 4.0 / N**2 * penalty @ gram
    c = np.linalg.solve(system, w * np.nan_to_num(y).ravel()).reshape(N, Q)
    assert_allclose(model.predict(X), np.einsum("iajb,jb->ia", curled(X, X), c), atol=1e-7)
    new = rng.standard_normal((5, 2))
    assert_allclose(model.predict(new), np.einsum("iajb,jb->ia", curled(new, X), c), atol=1e-7)


def test_a_product_is_the_product():
    outputs = MIX[0] @ MIX[0].T
    joint = JointKernel(lambda A, B: np.einsum("ij,ab->iajb", RBF(1.0)(A, B), outputs))
    settings = {"regularizer": M, "gamma_A": 0.02, "gamma_I": 4.0, "fit_intercept": True}
    found = VectorValuedRegressor(kernel=joint, **settings).fit(X, Y)
    product = VectorValuedRegressor(kernel=RBF(1.0), output_kernel=outputs, **settings).fit(X, Y)
    assert_allclose(found.predict(X), product.predict(X), atol=1e-6)


@pytest.mark.parametrize("loss", ["squared", "logistic", "hinge"])
def test_labels_choices_and_paths(loss):
    labels = np.where(np.isnan(Y), np.nan, Y > 0)
    # labels of pure noise: chosen by leave-one-out, γ_A would smooth them away
    model = VectorValuedClassifier(kernel=JointKernel(curled), loss=loss, gamma_A="rule")
    model.fit(X, labels)
    assert "gamma_I" in model.selection_.choice and len(model.selection_.trials) > 3
    right = (model.predict(X[:L]) == labels[:L]).mean()
    assert right > 0.8 and model.output_kernel_ is None
    points = lapwing.path(model, X, labels, gamma_I=[0.1, 1.0])
    assert [p.readout.shape for p in points] == [(N, Q)] * 2


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"space": "landmarks"}, "does not go with a JointKernel"),
        ({"output_kernel": OutputGraph()}, "leave output_kernel at None"),
        ({"regularizer": Invariance(lambda A: -A)}, "rows alone"),
    ],
)
def test_what_does_not_go_with_it_is_refused(parameters, text):
    with pytest.raises(ValueError, match=text):
        VectorValuedRegressor(kernel=JointKernel(curled), **parameters).fit(X, Y)
    with pytest.raises(ValueError, match="gives 3 outputs, but there are 2"):
        VectorValuedRegressor(kernel=JointKernel(curled)).fit(X, Y[:, :2])
