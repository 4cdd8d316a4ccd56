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
    CoregionalizedOutputs,
    Eigen,
    Exact,
    Features,
    GraphValuesSpace,
    Joint,
    KernelSum,
    Landmarks,
    Space,
    Vectorized,
    Views,
    WithExtraPoints,
    WithFreeFunctions,
    WithIntrinsic,
    linear,
)
from lapwing.testing import check_space
from lapwing.views import SplitRows
from problems import KERNELS

X = np.random.default_rng(0).normal(size=(25, 4))
S = sp.csr_array(np.where(np.abs(X) > 0.6, X, 0.0))
M = Laplacian(KNN(n_neighbors=4), degree=2).build(X)


def exact(kernel, points=X):
    kernel = kernel.build(points)
    return Exact(kernel(points), kernel, points)


def eigen(kernel, feature_map):
    kernel = kernel.build(X)
    return Eigen.from_gram(kernel(X), 6, feature_map, kernel, X)


# Directions between labels whose penalty is a projection, as the contract wants of P.
V = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]


def joint():
    def kernel(A, B):
        return np.einsum("ij,ab->iajb", kernels.RBF(1.0)(A, B), Q)

    return Joint(kernel(X, X).reshape(75, 75), kernel, X, 3)


def points(missing=False):
    rows = (np.arange(25), np.r_[0:9, 12:25] if missing else np.arange(25))
    return SplitRows((X[rows[0], :2], X[rows[1], 2:]), rows, 25)


def views(missing=False):
    split = points(missing)
    spaces = [exact(kernels.RBF(1.0 + j), block) for j, block in enumerate(split.blocks)]
    return Views(spaces, split, np.array([0.3, 0.6]), np.array([1.0, 2.5]))


class Points(SplitRows):
    """Rows of both views that can be sliced, as the contract slices its points."""

    def __getitem__(self, at):
        blocks = tuple(block[at] for block in self.blocks)
        n = len(blocks[0])
        return SplitRows(blocks, (np.arange(n), np.arange(n)), n)


POINTS = Points(points().blocks, points().rows, 25)

Q = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.4]])

SPACES = {
    "related-exact": (CoregionalizedOutputs.by_kernel(exact(kernels.RBF(1.0)), Q), X),
    "related-singular": (
        CoregionalizedOutputs.by_kernel(exact(kernels.RBF(1.0)), np.ones((3, 3))),
        X,
    ),
    "related-linear": (CoregionalizedOutputs.by_kernel(linear(S), Q), S),
    "related-landmarks": (
        CoregionalizedOutputs.by_kernel(Landmarks(12).build(kernels.RBF(1.0), X), Q),
        X,
    ),
    "related-intercepts": (CoregionalizedOutputs.by_kernel(WithFreeFunctions(linear(X)), Q), X),
    "related-related": (
        CoregionalizedOutputs.by_kernel(CoregionalizedOutputs.by_kernel(linear(X), Q), Q),
        X,
    ),
    "kernel-sum": (
        KernelSum([(exact(kernels.RBF(1.0)), Q), (exact(kernels.Linear()), V @ V.T)]),
        X,
    ),
    "joint": (joint(), X),
    "first-rows": (WithExtraPoints(exact(kernels.RBF(1.0)), 18), X[:18]),
    "related-first-rows": (
        CoregionalizedOutputs.by_kernel(WithExtraPoints(exact(kernels.RBF(1.0)), 18), Q),
        X[:18],
    ),
    "flat": (Vectorized([(exact(kernels.RBF(1.0)), np.eye(4))]), None),
    "views": (views(), POINTS),
    "views-missing": (views(missing=True), None),
    "related-views": (CoregionalizedOutputs.by_kernel(views(), Q), POINTS),
    "intrinsic": (WithIntrinsic(views(), 0.0), POINTS),
    "intrinsic-transductive": (WithIntrinsic(views(), 0.4), None),
    "related-intrinsic": (CoregionalizedOutputs.by_kernel(WithIntrinsic(views(), 0.4), Q), None),
    "eigen-KU": (eigen(kernels.RBF(1.0), "KU"), X),
    "eigen-whitened": (eigen(kernels.Cosine(), "whitened"), X),
    "label-coupled": (
        CoregionalizedOutputs(eigen(kernels.RBF(1.0), "whitened"), V, mu=[1.0, 0.0, 1.0]),
        X,
    ),
    "on-points": (GraphValuesSpace(25), None),
    "linear": (linear(X), X),
    "linear-csr": (linear(S), S),
    "landmarks": (Landmarks(12).build(kernels.RBF(1.0), X), X),
    "landmarks-csr": (Landmarks(30).build(kernels.RBF(1.0), S), S),
    "exact-csr": (exact(kernels.RBF(), S), S),
    "blockwise-csr": (Blockwise(kernels.Cosine(), S), S),
    **{f"exact-{k}": (exact(k), X) for k in KERNELS},
    **{f"blockwise-{k}": (Blockwise(k.build(X), X), X) for k in KERNELS},
}


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("name", SPACES)
def test_contract(name, intercept):
    space, points = SPACES[name]
    check_space(WithFreeFunctions(space) if intercept else space, points)


def test_every_space_is_in_the_table():
    exported = {getattr(spaces, name) for name in spaces.__all__}
    concrete = {c for c in exported if isinstance(c, type) and issubclass(c, Space)}
    tested = {type(space) for space, _ in SPACES.values()} | {WithFreeFunctions, Space}
    assert concrete == tested


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
    """k̃ = k − k_xᵀ(I + ratio M K)⁻¹ ratio M k_z on the rows, and its sections reproduce."""
    space, ratio, rows = exact(kernels.RBF(1.0)), 2.5, np.array([3, 0, 11])
    K, dense = space.gram, M.toarray()
    formula = K - K @ np.linalg.solve(np.eye(25) + ratio * dense @ K, ratio * dense @ K)
    sections = space.element(space.deformed(M, 1.0, ratio).lift(np.eye(25)[:, rows]))
    assert_allclose(sections.values, formula[:, rows], atol=1e-12)
    f = space.element(np.random.default_rng(2).normal(size=(25, 3)))
    inner = space.inner(sections, f) + ratio * np.sum(sections.values * M.apply(f.values), axis=0)
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
        super().__init__(X, kernels.Linear().features)
        self.fault = fault

    def represent(self, r_M, r_loss):
        return super().represent(r_M, r_loss) * (2.0 if self.fault == "represent" else 1.0)

    def inner(self, a, b):
        shift = b.coef[0] - a.coef[0] if self.fault == "inner" else 0.0
        return super().inner(a, b) + shift

    def evaluate_at(self, X, coef):
        return super().evaluate_at(X, coef) + (self.fault == "evaluate_at")

    @property
    def penalty(self):
        return 0.5 if self.fault == "penalty" else 1.0


@pytest.mark.parametrize("fault", ["represent", "inner", "evaluate_at", "penalty"])
def test_the_contract_notices(fault):
    check_space(Wrong(X, None), X)
    with pytest.raises(AssertionError):
        check_space(Wrong(X, fault), X)
