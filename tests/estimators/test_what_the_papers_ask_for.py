"""VV's M over pairs, CoMR and SO (16) as kernels, names and affinities of output structures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from lapwing import (
    CoMRRegressor,
    CoRLSClassifier,
    DeformedKernel,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    StructuredLapSVC,
    VectorValuedRegressor,
)
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import Grid, JointKernel, Ordinal, OutputStructure, Ring, Tree
from lapwing.pointcloud import DeformedJointKernel
from lapwing.regularizers import ClassWise, Laplacian, Relaxed

rng = np.random.default_rng(0)
N, Q = 30, 3
X = rng.standard_normal((N, 3))
SEEN = np.arange(N) < 10
REAL = np.where(SEEN, X[:, 0], np.nan)


@pytest.mark.parametrize("sparse_entries", [False, True])
def test_a_general_penalty_over_pairs_of_rows_and_outputs(sparse_entries):
    """c = (diag(w) 𝒦 + γ_A I + λ M 𝒦)⁻¹ w∘y over (row, output), row-major (VV eq. 11)."""
    A = rng.standard_normal((N * Q, 40))
    M, lam = A @ A.T, 0.5 / N**2
    Y = np.where(SEEN[:, None], rng.standard_normal((N, Q)), np.nan)
    if sparse_entries:
        Y[3, 1] = np.nan
    model = VectorValuedRegressor(
        kernel=RBF(1.0), regularizer=M, gamma_A=1e-2, gamma_I=0.5, fit_intercept=False
    ).fit(X, Y)
    K = np.kron(RBF(1.0)(X), np.eye(Q))
    w = np.where(np.isnan(Y), 0.0, 1 / 10).ravel()
    system = w[:, None] * K + 1e-2 * np.eye(N * Q) + lam * M @ K
    c = np.linalg.solve(system, w * np.nan_to_num(Y).ravel())
    assert_allclose(model.predict(X), (K @ c).reshape(N, Q), atol=1e-7)


def test_a_penalty_on_each_output_alone_is_the_same_over_pairs():
    Y = np.where(SEEN[:, None], rng.standard_normal((N, Q)), np.nan)
    L = Laplacian().build(X).toarray()
    settings = {"kernel": "rbf", "gamma_A": 1e-2, "gamma_I": 0.5, "fit_intercept": True}
    pairs = VectorValuedRegressor(regularizer=np.kron(L, np.eye(Q)), **settings).fit(X, Y)
    rows = VectorValuedRegressor(regularizer=Laplacian(), **settings).fit(X, Y)
    assert_allclose(pairs.predict(X), rows.predict(X), atol=1e-9)
    both = VectorValuedRegressor(
        regularizer=np.kron(L, np.eye(Q)), output_regularizer=np.eye(Q), **settings
    )
    with pytest.raises(ValueError, match="leave output_regularizer"):
        both.fit(X, Y)


def test_co_regularization_is_a_regularizer_and_a_kernel():
    gamma_A, gamma_I, gamma_C = 1e-2, 0.5, 0.2
    graph = Laplacian(KNN(5))
    comr = CoMRRegressor(
        [("all", RBF(1.0), slice(None), graph)],
        gamma_A=gamma_A, gamma_I=gamma_I, gamma_C=gamma_C, fit_intercept=False,
    ).fit(X, REAL)  # fmt: skip
    relaxed = Relaxed(graph, gamma_I / gamma_C)
    settings = {"gamma_A": gamma_A, "gamma_I": gamma_I, "fit_intercept": False}
    plain = LapRLSRegressor(kernel=RBF(1.0), regularizer=relaxed, **settings).fit(X, REAL)
    new = rng.standard_normal((5, 3))
    assert_allclose(plain.predict(new), comr.predict(new), atol=1e-9)
    kernel = DeformedKernel(RBF(1.0), relaxed, gamma_I / (gamma_A * N**2)).fit(X)
    ridge = KernelRidge(kernel=kernel, alpha=gamma_A * SEEN.sum()).fit(X[SEEN], REAL[SEEN])
    assert_allclose(ridge.predict(new), comr.predict(new), atol=1e-9)
    assert_allclose(Relaxed(graph, 0.0).build(X).toarray(), graph.build(X).toarray(), atol=1e-12)


@pytest.mark.parametrize("output", [Ring(4), Ring(5), Tree(["a.b", "a.c", "d"])])
def test_the_deformed_joint_kernel_is_the_machine_with_its_graph(output):
    y = np.where(SEEN, output.build().classes.astype(object)[np.arange(N) % 3], None)
    gamma_A, ratio = 1e-2, 0.3
    model = StructuredLapSVC(
        kernel=RBF(1.0), output=output, regularizer=Laplacian(), tol=1e-9,
        gamma_A=gamma_A, gamma_I=ratio * gamma_A * N**2,
    ).fit(X, y)  # fmt: skip
    deformed = DeformedJointKernel(RBF(1.0), output, Laplacian(), ratio).fit(X)
    joint = StructuredLapSVC(
        kernel=JointKernel(deformed), output=output, gamma_A=gamma_A, gamma_I=0, tol=1e-9
    ).fit(X, y)
    new = rng.standard_normal((5, 3))
    assert_allclose(joint.decision_function(new), model.decision_function(new), atol=1e-4)
    gram = deformed(X).reshape(N * len(output.build().classes), -1)
    assert np.linalg.eigvalsh(gram)[0] > -1e-10


@pytest.mark.parametrize(
    "make, q",
    [
        (lambda **names: Ring(4, **names), 4),
        (lambda **names: Ordinal(4, **names), 4),
        (lambda **names: Grid(2, 2, **names), 4),
        (lambda **names: OutputStructure(np.eye(4), 1 - np.eye(4), **names), 4),
    ],
)
def test_outputs_have_names_and_an_affinity(make, q):
    names = np.array(["N", "E", "S", "W"], dtype=object)
    codes = np.where(SEEN, np.arange(N) % 4, -1)
    rule = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
    by_name = StructuredLapSVC(output=make(classes=names), **rule).fit(
        X, np.where(SEEN, names[np.arange(N) % 4], None)
    )
    by_code = StructuredLapSVC(output=make(), **rule).fit(X, codes)
    assert by_name.classes_.tolist() == list(names)
    assert by_name.predict(X).tolist() == names[by_code.predict(X)].tolist()
    identity = StructuredLapSVC(output=make(affinity=np.eye(q)), **rule).fit(X, codes)
    assert_allclose(identity.decision_function(X), by_code.decision_function(X), atol=1e-5)
    for wrong in ({"classes": ["N", "E"]}, {"affinity": -np.eye(q)}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            make(**wrong).build()


WORDS = np.where(SEEN, np.array(["cat", "dog"], dtype=object)[np.arange(N) % 2], None)
PART = Laplacian(KNN(3))


@pytest.mark.parametrize(
    "make",
    [
        lambda penalty: LapRLSClassifier(regularizer=penalty),
        lambda penalty: LapSVC(regularizer=0.5 * penalty + PART, gamma_A=1e-2, gamma_I=1.0),
        lambda penalty: CoRLSClassifier([("all", RBF(1.0), slice(None), penalty)]),
        lambda penalty: StructuredLapSVC(regularizer=penalty),
    ],
    ids=["LapRLS", "a sum", "views", "structured"],
)
def test_class_wise_weights_by_name(make):
    by_name = make(ClassWise(PART, {"dog": 5.0, "cat": 1.0})).fit(X, WORDS)
    by_code = make(ClassWise(PART, [1.0, 5.0])).fit(X, WORDS)
    assert_allclose(by_name.decision_function(X), by_code.decision_function(X), atol=1e-12)
    with pytest.raises(ValueError, match=r"name no weight for \['dog'\]"):
        make(ClassWise(PART, {"cat": 1.0})).fit(X, WORDS)
