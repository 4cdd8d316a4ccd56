"""Separable spaces: adjointness, the metric as a Kronecker product, and sums."""

import numpy as np
import pytest

from lapwing.kernels import RBF, Linear
from lapwing.spaces import (
    Blockwise,
    CoregionalizedOutputs,
    Exact,
    KernelSum,
    WithFreeFunctions,
    linear,
    user_coef,
)

rng = np.random.default_rng(0)
X = rng.standard_normal((9, 4))
Q = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.4]])
Q2 = np.outer([1.0, -1.0, 2.0], [1.0, -1.0, 2.0])
k = RBF(1.5)


def exact(kernel=k):
    return Exact(kernel(X), kernel, X)


SPACES = {
    "exact": CoregionalizedOutputs.by_kernel(exact(), Q),
    "blockwise": CoregionalizedOutputs.by_kernel(Blockwise(k, X), Q),
    "linear": CoregionalizedOutputs.by_kernel(linear(X), Q),
    "singular": CoregionalizedOutputs.by_kernel(exact(), Q2),
    "sum": KernelSum([(exact(), Q), (exact(Linear()), Q2)]),
}


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", SPACES)
def test_represent_is_the_adjoint(name, intercept):
    space = WithFreeFunctions(SPACES[name]) if intercept else SPACES[name]
    h = space.element(rng.standard_normal((space.n_coef, 3)))
    r_M, r_loss = rng.standard_normal((2, 9, 3))
    pulled = space.element(space.represent(r_M, r_loss))
    expected = np.sum(r_M * h.values) + np.sum(r_loss * h.readout)
    np.testing.assert_allclose(space.inner(pulled, h), [expected], rtol=1e-10)
    np.testing.assert_allclose(space.inner(h, pulled), [expected], rtol=1e-10)


@pytest.mark.parametrize("name", ["exact", "blockwise", "singular"])
def test_the_gram_matrix_is_a_kronecker_product(name):
    space, kernel = SPACES[name], Q2 if name == "singular" else Q
    G = np.kron(k(X), kernel)
    a, b = rng.standard_normal((2, 9, 3))
    # coefficients A over the kernel's sections are F = AΛ in the space
    f, g = (space.element(space.mixing.pull(c)) for c in (a, b))
    np.testing.assert_allclose(f.values.ravel(), G @ a.ravel(), atol=1e-12)
    np.testing.assert_allclose(space.inner(f, g), [a.ravel() @ G @ b.ravel()], rtol=1e-10)
    np.testing.assert_allclose(user_coef(space, f.coef) @ kernel, a @ kernel, atol=1e-12)


def test_a_sum_adds_its_kernels_and_predicts_what_it_evaluates():
    space = SPACES["sum"]
    G = np.kron(k(X), Q) + np.kron(X @ X.T, Q2)
    a = rng.standard_normal((9, 3))
    np.testing.assert_allclose(space.evaluate(a).ravel(), G @ a.ravel(), atol=1e-12)
    np.testing.assert_allclose(space.evaluate_at(X[:4], a), space.evaluate(a)[:4], atol=1e-12)
