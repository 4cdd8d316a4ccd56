"""The two spaces over pairs: adjoint, metric, prediction."""

import numpy as np
import pytest

from lapwing.kernels import RBF
from lapwing.spaces import Exact, Joint, Vectorized
from lapwing.testing import check_space

X = np.random.default_rng(0).normal(size=(7, 2))
K_Y = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])


def joint_kernel(A, B):
    return np.einsum("ij,ab->iajb", RBF(1.0)(A, B), K_Y)


def test_pairs_keep_the_contract_of_a_space():
    check_space(Vectorized([(Exact(RBF(1.0)(X), RBF(1.0), X), np.eye(3))]))


def test_pairs_are_the_kronecker_product():
    K = RBF(1.0)(X)
    pairs = Vectorized([(Exact(K, RBF(1.0), X), np.eye(3))])
    c = np.random.default_rng(1).normal(size=(21, 2))
    np.testing.assert_allclose(pairs.evaluate(c), np.kron(K, np.eye(3)) @ c, atol=1e-12)


def test_joint_space_is_adjoint_and_predicts():
    gram = joint_kernel(X, X).reshape(21, 21)
    space = Joint(gram, joint_kernel, X, 3)
    rng = np.random.default_rng(2)
    h, r_M, r_loss = (rng.normal(size=(7, 3)) for _ in range(3))
    pulled = space.element(space.represent(r_M, r_loss))
    element = space.element(h)
    left = space.inner(pulled, element)[0]
    assert left == pytest.approx(np.vdot(r_M, element.values) + np.vdot(r_loss, element.readout))
    assert space.inner(element, element)[0] > 0
    np.testing.assert_allclose(space.evaluate_at(X, h), space.evaluate(h), atol=1e-12)
    flat = space.column
    np.testing.assert_allclose(flat.evaluate(h.reshape(-1, 1)).reshape(7, 3), space.evaluate(h))
