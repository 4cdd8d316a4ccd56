"""Every space keeps the contract, with and without an intercept, over every kernel."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import kernels, spaces
from lapwing.graphs import KNN
from lapwing.regularizers import Laplacian
from lapwing.spaces import (
    Blockwise,
    Deformed,
    Eigen,
    Exact,
    Features,
    LabelCoupled,
    Landmarks,
    Separable,
    SeparableSum,
    Space,
    Views,
    WithIntercept,
    WithIntrinsic,
    linear,
)
from lapwing.spaces.features import Identity
from lapwing.testing import check_space
from problems import KERNELS

X = np.random.default_rng(0).normal(size=(25, 4))
S = sp.csr_array(np.where(np.abs(X) > 0.6, X, 0.0))
M = Laplacian(KNN(k=4), degree=2).build(X)


def exact(kernel, points=X):
    kernel = kernel.build(points)
    return Exact(kernel(points), kernel, points)


def eigen(kernel, feature_map):
    kernel = kernel.build(X)
    return Eigen.from_gram(kernel(X), 6, feature_map, kernel, X)


# A graph between labels whose Laplacian is a projection, as the contract wants of P.
CENTRING = np.eye(3) - np.full((3, 3), 1 / 3)

Q = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.4]])

SPACES = {
    "separable-exact": (Separable(exact(kernels.RBF(1.0)), Q), X),
    "separable-linear": (Separable(linear(S), Q), S),
    "separable-landmarks": (Separable(Landmarks(12).build(kernels.RBF(1.0), X), Q), X),
    "separable-sum": (
        SeparableSum(
            [Separable(exact(kernels.RBF(1.0)), Q), Separable(exact(kernels.Linear()), np.eye(3))]
        ),
        X,
    ),
    "eigen-KU": (eigen(kernels.RBF(1.0), "KU"), X),
    "eigen-whitened": (eigen(kernels.Cosine(), "whitened"), X),
    "label-coupled": (LabelCoupled(eigen(kernels.RBF(1.0), "whitened"), CENTRING), X),
    "linear": (linear(X), X),
    "linear-csr": (linear(S), S),
    "landmarks": (Landmarks(12).build(kernels.RBF(1.0), X), X),
    "landmarks-csr": (Landmarks(30).build(kernels.RBF(1.0), S), S),
    "exact-csr": (exact(kernels.RBF(), S), S),
    "blockwise-csr": (Blockwise(kernels.Cosine(), S), S),
    "deformed-zero": (Deformed(exact(kernels.RBF(1.0)), M, 0.0), X),
    **{f"exact-{k}": (exact(k), X) for k in KERNELS},
    **{f"blockwise-{k}": (Blockwise(k.build(X), X), X) for k in KERNELS},
    **{f"deformed-{k}": (Deformed(exact(k), M, 0.7), X) for k in KERNELS},
}


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", SPACES)
def test_contract(name, intercept):
    space, points = SPACES[name]
    check_space(WithIntercept(space) if intercept else space, points)


def test_every_space_is_in_the_table():
    exported = {getattr(spaces, name) for name in spaces.__all__}
    concrete = {c for c in exported if isinstance(c, type) and issubclass(c, Space)}
    tested = {type(space) for space, _ in SPACES.values()} | {WithIntercept, Space}
    stacked = {Views, WithIntrinsic}  # their values are not (n, t): see test_views.py
    assert concrete == tested | stacked


def test_blockwise_walks_over_blocks(monkeypatch):
    monkeypatch.setattr("lapwing.linalg.blocks.BUFFER_BYTES", 8 * len(X) * 3)
    asked = []

    class Watched(kernels.RBF):
        def __call__(self, X, Z=None):
            asked.append(X.shape[0])
            return super().__call__(X, Z)

    space = Blockwise(Watched(1.0), X)
    c = np.random.default_rng(1).normal(size=(25, 2))
    assert_allclose(space.evaluate(c), kernels.RBF(1.0)(X) @ c, rtol=1e-12)
    assert max(asked) <= 3 and sum(asked) == 25


def test_deformed_kernel_is_its_formula():
    """k̃ = k − k_xᵀ(I + ratio M K)⁻¹ ratio M k_z on the rows, and the sections reproduce."""
    space, ratio, rows = exact(kernels.RBF(1.0)), 2.5, np.array([3, 0, 11])
    K, dense = space.gram, M.toarray()
    formula = K - K @ np.linalg.solve(np.eye(25) + ratio * dense @ K, ratio * dense @ K)
    deformed = Deformed(space, M, ratio)
    sections = deformed.sections(rows)
    assert_allclose(space.evaluate(sections), formula[:, rows], atol=1e-12)
    f = deformed.element(np.random.default_rng(2).normal(size=(25, 3)))
    inner = deformed.inner(deformed.element(sections), f)
    assert_allclose(inner, f.values[rows, np.arange(3)], rtol=1e-9)


@pytest.mark.parametrize("points", [X, S], ids=["dense", "csr"])
def test_linear_functions_are_those_of_the_linear_kernel(points):
    """w = Xᵀc: the same values, the same norm."""
    c = np.random.default_rng(3).normal(size=(25, 2))
    primal, dual = linear(points), exact(kernels.Linear(), points)
    w, c = primal.element(points.T @ c), dual.element(c)
    assert_allclose(w.values, c.values, atol=1e-12)
    assert_allclose(primal.inner(w, w), dual.inner(c, c), rtol=1e-10)


class Wrong(Features):
    """A space with a wrong adjoint, metric or prediction, as told."""

    def __init__(self, X, fault):
        super().__init__(X, Identity())
        self.fault = fault

    def represent(self, r_M, r_loss):
        return super().represent(r_M, r_loss) * (2.0 if self.fault == "represent" else 1.0)

    def inner(self, a, b):
        shift = b.coef[0] - a.coef[0] if self.fault == "inner" else 0.0
        return super().inner(a, b) + shift

    def evaluate_at(self, X, coef):
        return super().evaluate_at(X, coef) + (self.fault == "evaluate_at")

    def penalized(self, coef):
        return (0.5 if self.fault == "penalized" else 1.0) * coef


@pytest.mark.parametrize("fault", ["represent", "inner", "evaluate_at", "penalized"])
def test_the_contract_notices(fault):
    check_space(Wrong(X, None), X)
    with pytest.raises(AssertionError):
        check_space(Wrong(X, fault), X)
