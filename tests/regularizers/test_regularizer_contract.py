"""Every regularizer fulfils the contract."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from lapwing import regularizers
from lapwing.graphs import KNN, Complete
from lapwing.kernels import RBF
from lapwing.operators import MatrixOperator
from lapwing.regularizers import (
    ClassWise,
    Disagreement,
    Factored,
    Heat,
    HessianEnergy,
    Invariance,
    KernelNorm,
    Laplacian,
    LaplacianPolynomial,
    Matrix,
    NoRegularizer,
    Regularizer,
    Relaxed,
    Scaled,
    Sum,
    get_regularizer,
)
from lapwing.testing.regularizers import check_operator, check_regularizer
from naming import stable

N = 60
X = np.random.default_rng(0).normal(size=(N, 3))
Y = np.random.default_rng(1).integers(-1, 3, size=N)
B = np.random.default_rng(2).normal(size=(N, 4))

SEES_X = [
    Laplacian(),
    Laplacian(KNN(n_neighbors=3), normalized=False),
    Laplacian(KNN(n_neighbors=5), degree=3, scaling="weights"),
    Laplacian(Complete(), degree=2),
    LaplacianPolynomial(),
    LaplacianPolynomial(KNN(n_neighbors=4), coefficients=(1.0, -2.0, 1.0)),
    LaplacianPolynomial(KNN(n_neighbors=4), coefficients=(2.0,), normalized=False),
    Heat(),
    Heat(KNN(n_neighbors=5), t=4.0),
    Heat(KNN(n_neighbors=5), t=0.5, normalized=False),
    HessianEnergy(),
    HessianEnergy(n_neighbors=15, n_components=3),
    HessianEnergy(n_neighbors=4, n_components=1),
    KernelNorm(RBF(sigma=0.5)),
    ClassWise(),
    ClassWise(Laplacian(KNN(n_neighbors=3)), weights={0: 2.0, 1: 0.0, 2: 1.0}),
    ClassWise(KernelNorm(RBF(sigma=0.5)), weights=(1.0, 2.0, 3.0)),
    NoRegularizer(),
    Relaxed(Laplacian(KNN(n_neighbors=5), degree=2), ratio=0.5),
    Scaled(Laplacian(), 3.0),
    Sum(Laplacian(), HessianEnergy()),
    0.5 * Heat() + Laplacian(KNN(n_neighbors=3)) * 2 + KernelNorm(RBF(sigma=0.5)),
]
SEES_ROWS = [
    Matrix(B @ B.T),
    Matrix(sp.csr_array(np.diag(np.arange(N)))),
    Laplacian() + Matrix(np.eye(N)),
    Factored(np.eye(N)[:, :3] - np.eye(N)[:, 1:4]),
]


@pytest.mark.parametrize("regularizer", SEES_X, ids=stable)
def test_contract(regularizer):
    check_regularizer(regularizer, X, Y)


@pytest.mark.parametrize("regularizer", SEES_ROWS, ids=stable)
def test_contract_of_given_matrices(regularizer):
    check_regularizer(regularizer, X, Y, equivariant=False)


def test_the_table_is_complete():
    concrete = {
        part
        for name in regularizers.__all__
        if isinstance(part := getattr(regularizers, name), type)
        and issubclass(part, Regularizer)
        and not part.__abstractmethods__
    }
    by_views = {Disagreement}  # built over rows split into views: see tests/spaces/test_views.py
    beyond = {Invariance}  # over more points than rows: see test_invariance.py
    assert concrete == {type(part) for part in SEES_X + SEES_ROWS} | by_views | beyond


class Lopsided(MatrixOperator):
    def apply(self, F):
        G = super().apply(F)
        return G + np.roll(G, 1, axis=0)


class Doubling(MatrixOperator):
    def gradient(self, F):
        return super().gradient(F) * 2


class Promoting(MatrixOperator):
    def apply(self, F):
        return super().apply(F).astype(np.float64)


@pytest.mark.parametrize(
    "operator",
    [
        MatrixOperator(-np.eye(5)),
        Lopsided(np.diag(np.arange(5.0))),
        Doubling(np.eye(5)),
        Promoting(np.eye(5)),
    ],
    ids=["negative", "asymmetric", "wrong gradient", "wrong dtype"],
)
def test_the_contract_rejects_a_wrong_operator(operator):
    with pytest.raises(AssertionError):
        check_operator(operator)


def test_a_matrix_is_not_equivariant():
    with pytest.raises(AssertionError):
        check_regularizer(Matrix(B @ B.T), X)


def test_nested_parameters():
    regularizer = Laplacian(KNN(n_neighbors=7)) + 0.5 * Heat(KNN(n_neighbors=3))
    assert regularizer.get_params()["left__graph__n_neighbors"] == 7
    regularizer.set_params(right__regularizer__graph__n_neighbors=4, right__weight=2.0)
    assert clone(regularizer).right.regularizer.graph.n_neighbors == 4
    assert Laplacian(KNN()).set_params(graph__n_neighbors=2, degree=3).graph.n_neighbors == 2


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, NoRegularizer),
        ("laplacian", Laplacian),
        (np.eye(3), Matrix),
        (sp.csr_array(np.eye(3)), Matrix),
    ],
)
def test_get_regularizer(given, meant):
    assert type(get_regularizer(given)) is meant


def test_laplacian_by_name_is_the_iterated_laplacian_of_knn():
    default = get_regularizer("laplacian")
    assert (type(default.graph), default.degree, default.normalized) == (KNN, 2, True)


@pytest.mark.parametrize("given", ["laplace", 3.0, {}])
def test_get_regularizer_says_what_it_takes(given):
    with pytest.raises(TypeError, match="regularizer must be a Regularizer"):
        get_regularizer(given)


def test_a_class_is_not_an_instance():
    with pytest.raises(TypeError, match=r"write Laplacian\(\)"):
        get_regularizer(Laplacian)
    with pytest.raises(TypeError, match=r"write KNN\(\)"):
        Laplacian(KNN).build(X)
