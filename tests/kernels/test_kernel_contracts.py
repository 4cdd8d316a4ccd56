"""Every kernel keeps the contract of `lapwing.testing.kernels`."""

import numpy as np
import pytest
from sklearn.preprocessing import Normalizer, StandardScaler

from lapwing.kernels import (
    RBF,
    Cosine,
    FunctionKernel,
    LaplacianKernel,
    Linear,
    Matern,
    OnColumns,
    Polynomial,
    Precomputed,
    Tanimoto,
    Transformed,
)
from lapwing.testing.kernels import check_gram, check_kernel
from naming import stable


def inner(X, Z):
    product = X @ Z.T
    return product if isinstance(product, np.ndarray) else product.toarray()


KERNELS = [
    RBF(),
    RBF(sigma=0.7),
    LaplacianKernel(),
    LaplacianKernel(sigma=2.0),
    Matern(nu=0.5),
    Matern(),
    Matern(nu=2.5, sigma=1.3),
    Matern(nu=np.inf),
    Polynomial(),
    Polynomial(degree=2, coef0=0.0, scale=0.1),
    Linear(),
    Cosine(),
    Tanimoto(),
    FunctionKernel(inner),
    0.5 * RBF() + Linear() * Cosine(),
    RBF() * Polynomial(degree=1) + 2.0 * Matern(),
    OnColumns(RBF(), [0]) + 3.0 * OnColumns(Cosine(), slice(0, 1)),
    2.0 * Linear() + Cosine(),
    Transformed(RBF("local"), StandardScaler(with_mean=False)),
    Transformed(Linear(), Normalizer()),
]


def cloud(n=30, d=4):
    X = np.random.default_rng(0).normal(size=(n, d))
    return np.where(np.abs(X) > 0.4, X, 0.0)


@pytest.mark.parametrize("kernel", KERNELS, ids=stable)
def test_contract(kernel):
    check_kernel(kernel, cloud())


@pytest.mark.parametrize("kernel", [RBF(), LaplacianKernel(), Linear(), Cosine()], ids=stable)
def test_contract_across_tiles(kernel):
    check_kernel(kernel, cloud(257, 3))


def test_contract_of_precomputed():
    check_kernel(Precomputed(), RBF().build(cloud())(cloud()))


DEGENERATE = {
    "all equal": np.ones((5, 3)),
    "zeros": np.zeros((5, 3)),
    "two points": np.array([[0.0], [1.0]]),
    "one point": np.array([[2.0, 3.0]]),
    "duplicates": np.repeat(cloud(3), [4, 1, 1], axis=0),
    "constant column": np.column_stack([cloud()[:, 0], np.full(30, 1e6)]),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("kernel", KERNELS, ids=stable)
def test_degenerate_points_have_a_gram_matrix(kernel, name):
    X = DEGENERATE[name]
    check_gram(kernel.build(X), X)


GIVEN = FunctionKernel(inner)
KINDS = [  # (kernel, precomputed, user_given, has features)
    (RBF(), False, False, False),
    (Linear(), False, False, True),
    (0.5 * Linear() + Cosine(), False, False, True),
    (OnColumns(Linear(), [0]), False, False, True),
    (Linear() * Linear(), False, False, False),
    (Linear() + RBF(1.0), False, False, False),
    (GIVEN, False, True, False),
    (0.5 * GIVEN, False, True, False),
    (RBF() + GIVEN, False, True, False),
    (RBF() * (2 * GIVEN), False, True, False),
    (OnColumns(GIVEN, [0, 1]), False, True, False),
    (Precomputed(), True, True, False),
    (1.0 * Precomputed(), True, True, False),
    (Precomputed() + 2.0 * Precomputed(), True, True, False),
    (Precomputed() * Precomputed(), True, True, False),
    (OnColumns(Precomputed(), slice(0, 9)), True, True, False),
]


@pytest.mark.parametrize(("kernel", "precomputed", "user_given", "primal"), KINDS, ids=stable)
def test_combinations_are_what_their_parts_are(kernel, precomputed, user_given, primal):
    assert kernel.precomputed is precomputed
    assert kernel.user_given is user_given
    assert (kernel.features(cloud()) is not None) is primal
