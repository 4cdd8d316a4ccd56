"""K̃ as its definition says, for every space × operator × output structure."""

import numpy as np
import pytest

from lapwing.graphs import KNN, Given
from lapwing.kernels import RBF, Linear
from lapwing.operators import (
    DisagreementOperator,
    IntrinsicCoupling,
    MatrixOperator,
    PairMatrix,
    TensorLaplacian,
    TensorOperator,
    ViewCoupling,
    ZeroOperator,
)
from lapwing.outputs import Ring, Tree
from lapwing.regularizers import Laplacian, Matrix
from lapwing.spaces import (
    Blockwise,
    CoregionalizedOutputs,
    Eigen,
    Exact,
    Features,
    Joint,
    KernelSum,
    Landmarks,
    Views,
    WithFreeFunctions,
    WithIntrinsic,
    linear,
    vectorized,
)
from lapwing.testing import check_deformation
from lapwing.views import SplitRows

rng = np.random.default_rng(0)
N, q = 16, 3
X = rng.normal(size=(N, 3))
k = RBF(1.2)
exact = Exact(k(X), k, X)
plain = Exact(Linear()(X), Linear(), X)
A = rng.normal(size=(q, q))
Q, M_out = A @ A.T, np.diag([1.0, 0.5, 2.0])
SCALAR = {
    "exact": exact,
    "low rank": plain,
    "blockwise": Blockwise(k, X),
    "linear": linear(X),
    "landmarks": Landmarks(7).build(k, X),
    "eigen": Eigen.from_gram(k(X), 6, "whitened", k, X),
    "eigen KU": Eigen.from_gram(k(X), 6, "KU", k, X),
}
GRAPH = KNN(4)
OPERATORS = {
    "laplacian": Laplacian(GRAPH).build(X),
    "squared": Laplacian(GRAPH, degree=2, normalized=False).build(X),
    "matrix": Matrix(np.cov(rng.normal(size=(N, 5)))).build(X),
    "none": ZeroOperator(N),
}
B = rng.normal(size=(N * q, N * q))
PAIRS = {
    "M_out": TensorOperator(OPERATORS["laplacian"], M_out),
    "M_out = Q": TensorOperator(OPERATORS["laplacian"], Q),
    "affinity": TensorLaplacian(GRAPH.build(X), 0.3 * np.ones((q, q)) + np.eye(q), True, 2),
    "matrix": PairMatrix(MatrixOperator(B @ B.T / N), q),
}


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("M", OPERATORS)
@pytest.mark.parametrize("name", SCALAR)
def test_scalar_spaces(name, M, intercept):
    space = SCALAR[name]
    points = None if name.startswith("eigen") or intercept else X
    space = WithFreeFunctions(space) if intercept else space
    check_deformation(space, OPERATORS[M], X=points)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("M", [*OPERATORS, *PAIRS])
@pytest.mark.parametrize("name", SCALAR)
@pytest.mark.parametrize("outputs", ["full", "singular", "tree"])
def test_related_outputs(name, M, intercept, outputs):
    kernel = {
        "full": Q,
        "singular": np.ones((q, q)),
        "tree": Tree(["a.b", "a.c", "d"]).build().kernel,
    }
    space = CoregionalizedOutputs.by_kernel(SCALAR[name], kernel[outputs])
    space = WithFreeFunctions(space) if intercept else space
    check_deformation(space, {**OPERATORS, **PAIRS}[M])


@pytest.mark.parametrize("M", PAIRS)
def test_coupled_outputs_by_iteration(M, monkeypatch):
    """Where the pairs' matrices are not formed: preconditioned conjugate gradients."""
    monkeypatch.setattr(vectorized, "FORM_LIMIT", 0)
    check_deformation(CoregionalizedOutputs.by_kernel(exact, Q), PAIRS[M])


@pytest.mark.parametrize("mu", [[1.0, 2.0, 3.0], [0.5, 0.5, 2.0]])
def test_label_coupling(mu):
    V = np.linalg.qr(A)[0]
    check_deformation(CoregionalizedOutputs(SCALAR["eigen"], V, mu=mu), OPERATORS["laplacian"])


def test_many_outputs_share_one_reduction():
    C = rng.normal(size=(7, 7))
    check_deformation(
        CoregionalizedOutputs.by_kernel(exact, C @ C.T), OPERATORS["squared"], n_columns=7
    )
    ring = Ring(8).build()
    check_deformation(
        CoregionalizedOutputs(exact, *ring.directions), OPERATORS["laplacian"], n_columns=8
    )


@pytest.mark.parametrize("M", [*OPERATORS, *PAIRS])
def test_kernels_over_pairs(M):
    operator = {**OPERATORS, **PAIRS}[M]
    check_deformation(KernelSum([(exact, Q), (plain, np.eye(q))]), operator)

    def joint(X, Z):
        return np.einsum("ij,ab->iajb", k(X, Z), Q)

    check_deformation(Joint(joint(X, X).reshape(N * q, N * q), joint, X, q), operator)


def views(m, missing, primal=False):
    rows = [np.arange(N) if not missing else np.sort(rng.choice(N, N - 2 - j, replace=False))
            for j in range(m)]  # fmt: skip
    rows[0] = np.union1d(rows[0], np.setdiff1d(np.arange(N), np.concatenate(rows)))
    points = SplitRows(tuple(rng.normal(size=(len(r), 3)) for r in rows), tuple(rows), N)
    spaces = [linear(b) if primal else Exact(k(b), k, b) for b in points.blocks]
    a, gammas = np.linspace(0.3, 0.7, m), np.linspace(1.0, 3.0, m)
    return Views(spaces, points, a, gammas), points


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("primal", [False, True])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_views(m, primal, own, missing, intercept):
    space, points = views(m, missing and m > 1, primal)
    D = DisagreementOperator(points.rows, N, weight=2.0)
    penalties = [Laplacian().build(b) if own else None for b in points.blocks]
    space_in = WithFreeFunctions(space) if intercept else space
    at = None if intercept else points
    check_deformation(space_in, ViewCoupling(D, penalties), n_columns=2, X=at)


@pytest.mark.parametrize("a_I", [0.0, 0.5])
@pytest.mark.parametrize("primal", [False, True])
@pytest.mark.parametrize("m", [1, 2])
def test_intrinsic_functions(m, primal, a_I):
    space, points = views(m, False, primal)
    D = DisagreementOperator(points.rows, N, weight=1.5)
    N_j = [Laplacian(normalized=False).build(b) for b in points.blocks]
    check_deformation(WithIntrinsic(space, a_I), IntrinsicCoupling(D, 1.5, N_j), n_columns=2)


def test_float32_factors_lend_weights_to_the_rows(monkeypatch):
    """At the size where factors are float32, K̃ is still exact, at small γ_A too."""
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MIXED_FROM", 10)
    monkeypatch.setattr("lapwing.linalg.exact.gram_system.MANY", 1)
    n = 120
    points = rng.normal(size=(n, 2))
    kernel = RBF(0.8)
    space, M = Exact(kernel(points), kernel, points), Laplacian(KNN(5), degree=2).build(points)
    rows = np.arange(6)
    for gamma in (1e-3, 1e-6):
        found = space.deformed(M, gamma, 1e-2).gram(rows).shared
        A = gamma * np.eye(n) + 1e-2 * M.toarray() @ space.gram
        expected = np.linalg.solve(A.T, space.gram.T).T[:6, :6]
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * expected.max())


def test_the_contract_notices():
    class Wrong(Features):
        def system(self, gamma_A, form):
            return super().system(2.0 * gamma_A, form)

    good = linear(X)
    check_deformation(good, MatrixOperator(np.eye(N)))
    with pytest.raises(AssertionError):
        check_deformation(Wrong(good.Z, good.feature_map), MatrixOperator(np.eye(N)))


def test_a_given_graph_reaches_what_it_joins():
    W = np.zeros((N, N))
    W[0, 1] = W[1, 0] = 1.0
    check_deformation(exact, Laplacian(Given(W)).build(X))


@pytest.mark.parametrize("lam", [0.0, 0.5])
@pytest.mark.parametrize("feature_map", ["KU", "whitened"])
def test_without_ambient_penalty_what_M_does_not_see_is_free(feature_map, lam):
    """SSSL and LapS3L: K̃ and E together give the least squares of the features."""
    space = Eigen.from_gram(k(X), 5, feature_map, k, X)
    M = MatrixOperator(space.vectors[:, :2] @ np.diag([1.0, 3.0]) @ space.vectors[:, :2].T)
    rows, targets = np.arange(9), rng.normal(size=(9, 2))
    kernel = space.deformed(M, 0.0, lam).gram(rows)
    assert kernel.free.shape == (9, 5 if lam == 0 else 3)
    K, E, l = kernel.shared, kernel.free, len(rows)
    C = np.block([[K + l * np.eye(l), E], [E.T, np.zeros((E.shape[1],) * 2)]])
    solved = np.linalg.solve(C, np.vstack([targets, np.zeros((E.shape[1], 2))]))
    readout = space.evaluate(kernel.lift(solved[:l], solved[l:]))
    Z = space.evaluate(np.eye(5))
    H = Z[rows].T @ Z[rows] / l + lam * Z.T @ M.apply(Z)
    expected = Z @ np.linalg.solve(H, Z[rows].T @ targets / l)
    np.testing.assert_allclose(readout, expected, atol=1e-8)
