"""Every operator keeps its contract: on each column alone, or on the outputs together."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import operators
from lapwing.graphs import KNN
from lapwing.graphs.laplacian import laplacian
from lapwing.operators import (
    BlockOperator,
    DisagreementOperator,
    FactoredOperator,
    IntrinsicCoupling,
    MatrixOperator,
    Operator,
    PairMatrix,
    PairOperator,
    PairSum,
    RelaxedOperator,
    ScaledOperator,
    SumOperator,
    TensorLaplacian,
    TensorOperator,
    ViewCoupling,
    ZeroOperator,
    combined,
    power,
)
from lapwing.regularizers import Heat, KernelNorm
from lapwing.testing import check_operator

N, q = 14, 3
rng = np.random.default_rng(0)
X = rng.normal(size=(N, 3))
graph = KNN(4).build(X)
L = laplacian(graph)
A = rng.normal(size=(N, N))
V = rng.normal(size=(q, q))
M_out, affinity = V @ V.T, np.eye(q) + 0.4 * np.ones((q, q))
matrix, dense = MatrixOperator(L, graph), MatrixOperator(A @ A.T / N)
B = rng.normal(size=(N * q, 8))
rows = [np.arange(N), np.arange(2, N)]
disagreement = DisagreementOperator(rows, N, weight=1.5)
OPERATORS = {
    "zero": ZeroOperator(N),
    "matrix": matrix,
    "dense": dense,
    "scaled": ScaledOperator(matrix, 2.5),
    "sum": SumOperator([matrix, dense]),
    "block": BlockOperator(N, [(np.arange(5), MatrixOperator(np.eye(5)))]),
    "power": power(L, 3, 0.5, graph),
    "heat": Heat(KNN(4), t=0.7).build(X),
    "kernel norm": KernelNorm("rbf").build(X),
    "relaxed": RelaxedOperator(matrix, 0.7),
    "factored": FactoredOperator(rng.normal(size=(N, 4))),
    "factored sparse": FactoredOperator(sp.csr_array(np.eye(N)[:, :3])),
    "disagreement": disagreement,
    "views": ViewCoupling(disagreement, [matrix, None]),
    "intrinsic": IntrinsicCoupling(disagreement, 0.8, [matrix, MatrixOperator(L[2:][:, 2:])]),
    "own penalties": ViewCoupling(disagreement.times(0.0), [matrix, None]),
    "tie": IntrinsicCoupling(disagreement, 1.0, [None, None]),
    "tensor": TensorOperator(matrix, M_out),
    "pair matrix": PairMatrix(MatrixOperator(B @ B.T), q),
    "pair sum": PairSum([(0.7, dense), (2.0, TensorOperator(matrix, M_out))]),
    "tensor laplacian": TensorLaplacian(graph, affinity, True, 2),
    "tensor laplacian, plain": TensorLaplacian(graph, affinity, False, 1, 0.5),
}
# their graphs are over rows, not values
OVER_VIEWS = {"disagreement", "views", "intrinsic", "own penalties", "tie"}


@pytest.mark.parametrize("name", OPERATORS)
def test_contract(name):
    operator = OPERATORS[name]
    if name in OVER_VIEWS:
        operator = type(operator).__new__(type(operator))
        vars(operator).update(vars(OPERATORS[name]), graph=None)
    check_operator(operator)


def test_every_operator_is_in_the_table():
    exported = {getattr(operators, name) for name in operators.__all__}
    concrete = {
        c
        for c in exported
        if isinstance(c, type) and issubclass(c, Operator) and not c.__abstractmethods__
    }
    assert concrete == {type(operator) for operator in OPERATORS.values()}


@pytest.mark.parametrize("name", [n for n in OPERATORS if n not in OVER_VIEWS])
def test_along_directions_it_decouples_or_says_that_it_does_not(name):
    """⟨F Vᵀ, M F Vᵀ⟩ = Σ_j c_j ⟨F_j, N_j F_j⟩ wherever ``along`` answers."""
    operator = OPERATORS[name]
    F = rng.normal(size=(N, q))
    bases = [np.linalg.eigh(M_out)[1], np.linalg.eigh(affinity)[1]]
    answers = [operator.along(basis) for basis in bases]
    for basis, along in zip(bases, answers, strict=True):
        if along:
            apart = sum(c * part.value(F[:, [j]])[0] for j, (c, part) in enumerate(along))
            assert_allclose(apart, operator.value(F @ basis.T).sum(), rtol=1e-9, atol=1e-12)
    expected = {"tensor": [True, False], "pair matrix": [False, False]}.get(name)
    if name == "tensor laplacian":
        expected = [False, True]
    if expected is not None:
        assert [bool(along) for along in answers] == expected
    elif not isinstance(operator, PairOperator):
        assert all(answers)


@pytest.mark.parametrize("name", ["tensor", "tensor laplacian"])
def test_the_nearest_that_decouples_is_psd_and_close(name):
    W, along = OPERATORS[name].nearby()
    assert_allclose(W.T @ W, np.eye(q), atol=1e-12)
    assert all(c >= 0 and part.value(X[:, :1])[0] >= -1e-12 for c, part in along)


@pytest.mark.parametrize("sparse", [False, True])
def test_absent_values_are_free(sparse):
    """restricted(at) is the minimum over the other values: a Schur complement."""
    M = sp.csr_array(np.kron([[1.0, -1.0], [-1.0, 1.0]], np.eye(4)))
    operator = MatrixOperator(M if sparse else M.toarray())
    at = np.array([0, 1, 2, 3, 4, 6])  # the second view lacks rows 1 and 3
    f = rng.normal(size=(6, 1))
    value = operator.restricted(at).value(f)[0]
    assert value == pytest.approx((f[0, 0] - f[4, 0]) ** 2 + (f[2, 0] - f[5, 0]) ** 2)
    V = rng.normal(size=(8, 3))
    expected = MatrixOperator(V @ V.T).restricted(at).toarray()
    assert_allclose(FactoredOperator(V).restricted(at).toarray(), expected, atol=1e-10)


def test_terms_over_views_add_up_to_one_coupling():
    """Σ weight_k M_k, whatever structure the sum is known by."""
    own, none = [matrix, MatrixOperator(L[2:][:, 2:])], disagreement.times(0.0)
    apart = [(1.7, disagreement), (0.3, ViewCoupling(none, own))]
    beside = [
        (1.7, IntrinsicCoupling(disagreement, 1.0, [None, None])),
        (0.3, IntrinsicCoupling(none, 0.0, own)),
    ]
    plain = [(1.7, matrix), (0.3, dense)]
    for terms, kind in [(apart, ViewCoupling), (beside, IntrinsicCoupling), (plain, SumOperator)]:
        lam, M = combined(terms)
        assert type(M) is kind
        np.testing.assert_allclose(lam * M.toarray(), sum(w * N.toarray() for w, N in terms))
    assert combined([(2.0, matrix)]) == (2.0, matrix)


def test_a_sum_decouples_where_its_parts_do():
    """Along V that diagonalizes M_out each column has one operator; alike ones share it."""
    W = np.eye(3)
    total = PairSum([(0.7, dense), (2.0, TensorOperator(matrix, np.diag([1.0, 3.0, 3.0])))])
    along = total.along(W)
    F = rng.normal(size=(N, 3))
    each = [c * M.value(F[:, [j]])[0] for j, (c, M) in enumerate(along)]
    assert_allclose(total.value(F @ W.T), sum(each))
    assert along[1][1] is along[2][1] and along[0][1] is not along[1][1]
    assert total.along(np.linalg.qr(rng.normal(size=(3, 3)))[0]) == []
    turned, nearby = total.nearby()
    assert_allclose(total.value(F @ turned.T), sum(c * M.value(F[:, [j]])[0] for j, (c, M)
                                                  in enumerate(nearby)))  # fmt: skip
