"""Any M over CoMR's ambient and intrinsic functions, and M_out over views: dense solutions."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import CoMRClassifier, CoMRKernel, CoMRRegressor, CoRLSClassifier, CoRLSRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Disagreement, Factored, Laplacian
from lapwing.spaces import Landmarks

from . import dense

rng = np.random.default_rng(11)
N, Q, LABELED = 22, 3, 9
X = rng.standard_normal((N, 4))
COLUMNS, KERNELS = ([0, 1], [2, 3]), (RBF(1.3), RBF(0.9))
GRAPH = Laplacian(KNN(4), normalized=False)
VIEWS = [(f"v{j}", KERNELS[j], COLUMNS[j], GRAPH) for j in range(2)]
A, GAMMAS = np.array([0.6, 0.3]), np.array([1.0, 0.5])
GIVEN = {
    "view_weights": A, "gammas": GAMMAS, "gamma_A": 0.03, "gamma_C": 40.0, "gamma_I": 5.0,
    "fit_intercept": False, "tol": 1e-11,
}  # fmt: skip
REAL = np.where(np.arange(N) < LABELED, np.sin(X[:, 0]) + X[:, 3], np.nan)
BOTH = np.where(
    np.arange(N)[:, None] < LABELED, np.column_stack([REAL, X[:, 1], X[:, 0] - X[:, 2]]), np.nan
)
BOTH[4, 1] = np.nan
V = rng.standard_normal((Q, Q))
RELATED = V @ V.T / Q + 0.2 * np.eye(Q)
between = rng.standard_normal((Q, 2))
M_OUT = between @ between.T  # singular


def holes():
    """A labeled row without the first view, an unlabeled one without the second."""
    Z = X.copy()
    Z[3, COLUMNS[0]] = np.nan
    Z[15, COLUMNS[1]] = np.nan
    return Z


def solved(Z, Y, pair_penalty, a_I=None, Qm=None):
    """Dense normal equations over f^j, and g^j where a_I is given, at the rows that have them.

    ``pair_penalty`` is over (values, outputs), row-major; the values are those of f^1, f^2 (and
    g^1, g^2) at all N rows, absent ones being free.
    """
    q = Y.shape[1]
    present = np.column_stack([~np.isnan(Z[:, c]).any(axis=1) for c in COLUMNS])
    mix = dense.root(np.eye(q) if Qm is None else Qm)
    f = [
        np.kron(dense.root(dense.masked(KERNELS[j], Z, COLUMNS[j], present[:, j])), mix)
        for j in range(2)
    ]
    own = [0.03 * GAMMAS[j] * np.ones(part.shape[1]) for j, part in enumerate(f)]
    weights = dense.shares(present, A)
    spread = [np.kron(np.diag(weights[:, j]), np.eye(q)) for j in range(2)]
    phi = scipy.linalg.block_diag(*f)
    read = np.hstack(spread)
    if a_I is not None:
        phi = scipy.linalg.block_diag(phi, np.eye(2 * N * q))
        read = np.hstack([(1 - a_I) * read, a_I * read])
        own.append(np.zeros(2 * N * q))
    here = np.tile(np.repeat(present.T.ravel(), q), 2 if a_I is not None else 1)
    gone = ~here
    S = (
        pair_penalty[np.ix_(here, here)]
        - pair_penalty[np.ix_(here, gone)]
        @ np.linalg.pinv(pair_penalty[np.ix_(gone, gone)], hermitian=True)
        @ pair_penalty[np.ix_(gone, here)]
    )
    P = np.diag(np.concatenate(own)) + phi[here].T @ S @ phi[here]
    D = read @ phi
    w = np.where(np.isnan(Y), 0.0, 1.0 / LABELED).ravel()
    u = np.linalg.lstsq(
        D.T @ (w[:, None] * D) + P, D.T @ (w * np.nan_to_num(Y).ravel()), rcond=1e-13
    )[0]
    return (D @ u).reshape(N, q)


def own_penalties(Z):
    """⟨f^j, L_j f^j⟩ over the rows that have view j."""
    blocks = []
    for c in COLUMNS:
        rows = np.flatnonzero(~np.isnan(Z[:, c]).any(axis=1))
        L = np.zeros((N, N))
        L[np.ix_(rows, rows)] = GRAPH.build(Z[np.ix_(rows, c)]).toarray()
        blocks.append(L)
    return scipy.linalg.block_diag(*blocks)


def intrinsic(Z):
    return scipy.linalg.block_diag(np.zeros((2 * N, 2 * N)), own_penalties(Z))


def any_M(kind):
    """PSD over (f^1, f^2, g^1, g^2)."""
    if kind == "sparse":
        C = np.array([[2, -1, -1, 0], [-1, 3, 0, -2], [-1, 0, 1.5, 0], [0, -2, 0, 2.5]], float)
        return np.kron(C, np.eye(N))
    F = rng.standard_normal((4 * N, 30 if kind == "factored" else 5 * N)) / np.sqrt(N)
    return F if kind == "factored" else F @ F.T


@pytest.mark.parametrize("lacking", [False, True])
@pytest.mark.parametrize("a_I", [0.0, 0.5])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_comr_with_any_M_over_both_kinds_of_functions(kind, a_I, lacking):
    Z, M = holes() if lacking else X, any_M(kind)
    given = sp.csr_array(M) if kind == "sparse" else M
    model = CoMRRegressor(VIEWS, coupling=given, a_I=a_I, **GIVEN).fit(Z, REAL)
    expected = solved(Z, REAL[:, None], (40.0 * M + 5.0 * intrinsic(Z)) / N**2, a_I)[:, 0]
    if lacking:  # M alone is minimized over absent values: they have no penalty of their own
        assert np.isfinite(model.predict(Z)).all()
    assert_allclose(model.transduction_, expected, atol=1e-8)
    assert model.solution_.optimality < 1e-8


@pytest.mark.parametrize("a_I", [0.0, 0.5])
@pytest.mark.parametrize("space", [Landmarks(N), "blockwise"], ids=str)
def test_any_M_in_any_space(space, a_I):
    """By conjugate gradients where no Gram matrix is held."""
    M = any_M("sparse")
    model = CoMRRegressor(VIEWS, coupling=sp.csr_array(M), a_I=a_I, space=space, **GIVEN)
    expected = solved(X, REAL[:, None], (40.0 * M + 5.0 * intrinsic(X)) / N**2, a_I)[:, 0]
    assert_allclose(model.fit(X, REAL).transduction_, expected, atol=1e-6)


def test_comr_with_a_factor_as_M():
    """V of few columns leaves intrinsic values free: they take part only where γ_I ties them."""
    F = any_M("factored")
    model = CoMRRegressor(VIEWS, coupling=Factored(F), **GIVEN).fit(X, REAL)
    expected = solved(X, REAL[:, None], (40.0 * F @ F.T + 5.0 * intrinsic(X)) / N**2, 0.0)
    assert_allclose(model.transduction_, expected[:, 0], atol=1e-7)


def tie(weight=1.0):
    eye = np.eye(2 * N)
    pulled = np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.eye(N)) * weight
    return np.block([[pulled + eye, -eye], [-eye, eye]])


def test_the_default_is_one_of_them():
    """The tie and the disagreement written out as a matrix, and by precisions."""
    plain = CoMRRegressor(VIEWS, a_I=0.5, **GIVEN).fit(X, REAL).transduction_
    as_matrix = CoMRRegressor(VIEWS, a_I=0.5, coupling=tie(), **GIVEN).fit(X, REAL).transduction_
    assert_allclose(as_matrix, plain, atol=1e-8)
    w = np.array([1.0, 3.0])
    unequal = CoMRRegressor(VIEWS, coupling=Disagreement(w), **GIVEN).fit(X, REAL).transduction_
    other = CoMRRegressor(VIEWS, coupling=tie(0.75), **GIVEN).fit(X, REAL).transduction_
    assert_allclose(unequal, other, atol=1e-8)
    assert np.abs(unequal - plain).max() > 1e-3


def test_as_a_kernel():
    """KernelRidge over the kernel with M is CoMR with M."""
    M = any_M("dense")
    kernel = CoMRKernel(
        VIEWS, a_I=0.5, view_weights=A, gammas=0.03 * GAMMAS, gamma_I=5.0 / N**2,
        lam=40.0 / N**2, coupling=M,
    ).fit(X)  # fmt: skip
    seen = np.arange(LABELED)
    dual = np.linalg.solve(kernel(X[seen]) + LABELED * np.eye(LABELED), REAL[seen])
    model = CoMRRegressor(VIEWS, coupling=M, a_I=0.5, **GIVEN).fit(X, REAL)
    assert_allclose(kernel(X, X[seen]) @ dual, model.transduction_, atol=1e-8)


@pytest.mark.parametrize("out", [None, RELATED], ids=["independent", "related"])
def test_any_M_goes_with_related_outputs(out):
    M = any_M("dense")
    model = CoMRRegressor(VIEWS, coupling=M, a_I=0.5, output_kernel=out, **GIVEN).fit(X, BOTH)
    penalty = np.kron((40.0 * M + 5.0 * intrinsic(X)) / N**2, np.eye(Q))
    assert_allclose(model.transduction_, solved(X, BOTH, penalty, 0.5, out), atol=1e-7)


def test_intrinsic_values_that_nothing_penalizes_are_refused():
    M = np.zeros((4 * N, 4 * N))
    M[: 2 * N, : 2 * N] = np.eye(2 * N)
    with pytest.raises(ValueError, match="without a penalty, and the loss sees them"):
        CoMRRegressor(VIEWS, coupling=M, a_I=0.5, **GIVEN).fit(X, REAL)
    inductive = CoMRRegressor(VIEWS, coupling=M, **GIVEN).fit(X, REAL).transduction_
    expected = solved(X, REAL[:, None], (40.0 * M + 5.0 * intrinsic(X)) / N**2, 0.0)
    assert_allclose(inductive, expected[:, 0], atol=1e-8)


def test_what_is_no_coupling_is_refused():
    with pytest.raises(ValueError, match=r"expected 2m·n = 4·22 = 88: .* the f\^j, then the g\^j"):
        CoMRRegressor(VIEWS, coupling=np.eye(2 * N), **GIVEN).fit(X, REAL)
    with pytest.raises(TypeError, match="belongs to one view"):
        CoMRRegressor(VIEWS, coupling=GRAPH, **GIVEN).fit(X, REAL)
    with pytest.raises(ValueError, match="positive semi-definite"):
        CoMRRegressor(VIEWS, coupling=-np.eye(4 * N), **GIVEN).fit(X, REAL)


COMMUTING = 0.3 * np.eye(Q) + 0.7 * RELATED


@pytest.mark.parametrize("lacking", [False, True])
@pytest.mark.parametrize("M_out", [M_OUT, COMMUTING], ids=["any", "commuting"])
@pytest.mark.parametrize("out", [None, RELATED], ids=["independent", "related"])
def test_corls_with_a_penalty_between_outputs(out, M_out, lacking):
    Z = holes() if lacking else X
    model = CoRLSRegressor(VIEWS, output_kernel=out, output_regularizer=M_out, **GIVEN).fit(Z, BOTH)
    present = np.column_stack([~np.isnan(Z[:, c]).any(axis=1) for c in COLUMNS])
    penalty = np.kron(40.0 * dense.disagreement(present), np.eye(Q))
    penalty += np.kron(5.0 * own_penalties(Z), M_out)
    assert_allclose(model.transduction_, solved(Z, BOTH, penalty / N**2, Qm=out), atol=1e-7)
    assert_allclose(model.predict(Z), model.transduction_, atol=1e-7)


@pytest.mark.parametrize("a_I", [0.0, 0.5])
@pytest.mark.parametrize("M_out", [M_OUT, COMMUTING], ids=["any", "commuting"])
@pytest.mark.parametrize("out", [None, RELATED], ids=["independent", "related"])
def test_comr_with_a_penalty_between_outputs(out, M_out, a_I):
    model = CoMRRegressor(
        VIEWS, a_I=a_I, output_kernel=out, output_regularizer=M_out, **GIVEN
    ).fit(X, BOTH)  # fmt: skip
    penalty = np.kron(40.0 * tie(), np.eye(Q)) + np.kron(5.0 * intrinsic(X), M_out)
    assert_allclose(model.transduction_, solved(X, BOTH, penalty / N**2, a_I, out), atol=1e-6)


def test_the_identity_between_outputs_changes_nothing():
    plain = CoRLSRegressor(VIEWS, **GIVEN).fit(X, BOTH).transduction_
    with_eye = CoRLSRegressor(VIEWS, output_regularizer=np.eye(Q), **GIVEN).fit(X, BOTH)
    assert_allclose(with_eye.transduction_, plain, atol=1e-8)


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
@pytest.mark.parametrize("Model", [CoRLSClassifier, CoMRClassifier])
def test_other_losses_and_several_labels(Model, loss):
    """With M_out = I the outputs are fitted one by one."""
    labels = np.where(np.isnan(BOTH), np.nan, BOTH > 0)
    given = {**GIVEN, "tol": 1e-7}
    both = Model(VIEWS, loss=loss, output_regularizer=np.eye(Q), **given).fit(X, labels)
    plain = Model(VIEWS, loss=loss, **given).fit(X, labels)
    assert_allclose(both.decision_function(X), plain.decision_function(X), atol=1e-3)


def test_what_has_nothing_to_act_on_is_refused():
    bare = [view[:3] for view in VIEWS]
    with pytest.raises(ValueError, match="no view has one"):
        CoRLSRegressor(bare, output_regularizer=M_OUT, **GIVEN).fit(X, BOTH)
    with pytest.raises(ValueError, match=r"shape \(2, 2\); expected \(3, 3\)"):
        CoRLSRegressor(VIEWS, output_regularizer=np.eye(2), **GIVEN).fit(X, BOTH)
