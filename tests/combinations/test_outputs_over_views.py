"""CoRLS and CoMR with related outputs, rows that lack views and any M over views: dense checks."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from numpy.testing import assert_allclose

from lapwing import CoMRClassifier, CoMRRegressor, CoRLSClassifier, CoRLSRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import OutputGraph, Ring
from lapwing.regularizers import Disagreement, Factored, Laplacian

from . import dense

rng = np.random.default_rng(3)
N, Q = 24, 3
X = rng.standard_normal((N, 5))
COLUMNS = [[0, 1], [2, 3], [3, 4]]
KERNELS = [RBF(1.3), RBF(0.9), RBF(2.0)]
GRAPH = Laplacian(KNN(4), normalized=False)
A, GAMMAS = np.array([0.5, 0.2, 0.4]), np.array([1.0, 0.5, 2.0])
GIVEN = {"gamma_A": 0.03, "gamma_C": 40.0, "gamma_I": 5.0, "tol": 1e-11}
V = rng.standard_normal((Q, Q))
RELATED = V @ V.T / Q + 0.2 * np.eye(Q)
SINGULAR = np.outer(V[0], V[0])


def targets():
    Y = np.column_stack([np.sin(X[:, 0]), X[:, 3], X[:, 1] - X[:, 4]])
    Y[10:] = np.nan
    Y[4, 1] = np.nan
    return Y


def views(m, own=False):
    tail = (GRAPH,) if own else ()
    return [(f"v{j}", KERNELS[j], COLUMNS[j], *tail) for j in range(m)]


def missing(m):
    gone = X.copy()
    gone[6, COLUMNS[0]] = np.nan  # a labeled row
    if m > 1:
        gone[[15, 20], 2] = gone[[15, 20], 3] = np.nan
        gone[[15, 20], 4] = 0.5 if m < 3 else np.nan
    return gone


def setting(m, Z):
    present = np.column_stack([~np.isnan(Z[:, c]).any(axis=1) for c in COLUMNS[:m]])
    K = [dense.masked(KERNELS[j], Z, COLUMNS[j], present[:, j]) for j in range(m)]
    return present, K, dense.shares(present, A[:m])


def laplacians(m, Z, present):
    blocks = []
    for j in range(m):
        rows = np.flatnonzero(present[:, j])
        L = np.zeros((N, N))
        L[np.ix_(rows, rows)] = GRAPH.build(Z[np.ix_(rows, COLUMNS[j])]).toarray()
        blocks.append(L)
    return scipy.linalg.block_diag(*blocks)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("Qs", ["related", "singular"])
@pytest.mark.parametrize(("m", "holes"), [(2, False), (3, True), (2, True)])
def test_corls_with_an_output_kernel(m, holes, Qs, intercept):
    Y, Z = targets(), missing(m) if holes else X
    out = RELATED if Qs == "related" else SINGULAR
    model = CoRLSRegressor(
        views(m, own=True), view_weights=A[:m], gammas=GAMMAS[:m], output_kernel=out,
        fit_intercept=intercept, **GIVEN,
    ).fit(Z, Y)  # fmt: skip
    present, K, weights = setting(m, Z)
    N_ = (40.0 * dense.disagreement(present) + 5.0 * laplacians(m, Z, present)) / N**2
    found, values = dense.least_squares(K, weights, Y, out, 0.03 * GAMMAS[:m], N_, intercept)
    assert_allclose(model.transduction_, found, atol=1e-7)
    assert_allclose(model.predict(Z), found, atol=1e-7)
    assert_allclose(model.output_kernel_, out)
    for j, (name, part) in enumerate(model.view_values(Z).items()):
        here = present[:, j]
        expected = A[:m].sum() * values[j][here] + model.intercept_
        assert name == f"v{j}" and np.isnan(part[~here]).all()
        assert_allclose(part[here], expected, atol=1e-7)
    assert model.coef_.shape == (present.sum(), Q)


@pytest.mark.parametrize("a_I", [0.0, 0.5])
def test_comr_with_an_output_kernel(a_I):
    """g has the penalty ⟨g, M g⟩ for each output: only the norm of f knows Q."""
    Y, ridge = targets(), 0.1
    model = CoMRRegressor(
        views(1, own=True), a_I=a_I, ridge=ridge, output_kernel=RELATED, fit_intercept=False,
        **GIVEN,
    ).fit(X, Y)  # fmt: skip
    present, K, _ = setting(1, X)
    M = laplacians(1, X, present) + ridge * np.eye(N)
    found = direct_comr(K[0], M, Y, 40.0 / N**2, (1.0 - a_I, a_I))
    assert_allclose(model.transduction_, found, atol=1e-6)


def direct_comr(K, M, Y, pull, a):
    phi = np.kron(dense.root(K), dense.root(RELATED))
    r = phi.shape[1]
    eye = np.eye(N * Q)
    D = np.hstack([a[0] * phi, a[1] * eye])
    w = np.where(np.isnan(Y), 0.0, 1.0 / 10).ravel()
    tie = np.hstack([phi, -eye])
    P = pull * tie.T @ tie
    P[:r, :r] += 0.03 * np.eye(r)
    P[r:, r:] += np.kron(5.0 / N**2 * M, np.eye(Q))
    u = np.linalg.solve(D.T @ (w[:, None] * D) + P, D.T @ (w * np.nan_to_num(Y).ravel()))
    return (D @ u).reshape(N, Q)


@pytest.mark.parametrize("kind", ["matrix", "sparse", "factored", "precisions"])
@pytest.mark.parametrize("holes", [False, True])
def test_any_penalty_over_all_views(kind, holes):
    """MV eq. 4 with a general M; what is not there is minimized over."""
    Y, Z, m = targets(), missing(2) if holes else X, 2
    present, K, weights = setting(m, Z)
    B = rng.standard_normal((m * N, 12)) * (rng.random((m * N, 12)) < 0.4)
    M = B @ B.T
    coupling = {
        "matrix": M,
        "sparse": sp.csr_array(M),
        "factored": Factored(B),
        "precisions": Disagreement(precisions=[2.0, 0.5]),
    }[kind]
    if kind == "precisions":
        M = 2.0 * 0.5 / 2.5 * dense.disagreement(present)
    else:
        here = present.T.ravel()
        gone = np.linalg.pinv(M[np.ix_(~here, ~here)], hermitian=True)
        left = M[np.ix_(here, here)] - M[np.ix_(here, ~here)] @ gone @ M[np.ix_(~here, here)]
        M = np.zeros_like(M)
        M[np.ix_(here, here)] = left
    model = CoRLSRegressor(
        views(m), view_weights=A[:m], gammas=GAMMAS[:m], coupling=coupling, output_kernel=RELATED,
        fit_intercept=False, **GIVEN,
    ).fit(Z, Y)  # fmt: skip
    found, _ = dense.least_squares(K, weights, Y, RELATED, 0.03 * GAMMAS[:m], 40.0 / N**2 * M)
    assert_allclose(model.transduction_, found, atol=1e-6)
    assert not model.unreached_.any()


def test_what_couplings_refuse():
    Y = targets()
    with pytest.raises(ValueError, match=r"coupling has 24 rows, expected m·n = 2·24 = 48"):
        CoRLSRegressor(views(2), coupling=np.eye(N)).fit(X, Y)
    with pytest.raises(ValueError, match="Give either a coupling M over all views or"):
        CoRLSRegressor(views(2, own=True), coupling=np.eye(2 * N)).fit(X, Y)
    with pytest.raises(TypeError, match="Laplacian belongs to one view"):
        CoRLSRegressor(views(2), coupling=GRAPH).fit(X, Y)
    with pytest.raises(ValueError, match=r"output_kernel has shape \(2, 2\); expected \(3, 3\)"):
        CoRLSRegressor(views(2), output_kernel=np.eye(2)).fit(X, Y)
    with pytest.raises(TypeError, match="expected None, a symmetric PSD matrix"):
        CoMRRegressor(views(1), output_kernel="graph").fit(X, Y)


@pytest.mark.parametrize("Model", [CoRLSClassifier, CoMRClassifier])
@pytest.mark.parametrize("loss", ["squared", "hinge", "logistic"])
def test_classes_labels_and_losses_share_strength_over_views(Model, loss):
    """The identity is no output kernel; a graph between labels moves their scores together."""
    labels = np.where(np.isnan(targets()), np.nan, targets() > 0)
    settings = {"loss": loss, "gamma_A": 1e-2, "gamma_C": 40.0, "gamma_I": 1.0, "tol": 1e-9}
    alone = Model(views(2), **settings).fit(X, labels)
    same = Model(views(2), output_kernel=np.eye(Q), **settings).fit(X, labels)
    assert_allclose(alone.decision_function(X), same.decision_function(X), atol=2e-4)
    for other in (OutputGraph(gamma_O=0.5, n_neighbors=1), Ring(3), RELATED):
        model = Model(views(2), output_kernel=other, **settings).fit(X, labels)
        assert model.output_kernel_.shape == (Q, Q)
        assert np.abs(model.decision_function(X) - alone.decision_function(X)).max() > 1e-3
        assert model.solution_.optimality < 1e-6
    classes = np.where(np.arange(N) < 12, np.arange(N) % 3, -1)
    model = Model(views(2), output_kernel=Ring(3), **settings).fit(X, classes)
    assert model.predict_proba(X).shape == (N, 3)
    assert len(model.next_to_label(2)) == 2


def test_the_search_may_choose_the_relation():
    model = CoRLSRegressor(views(2), output_kernel="auto").fit(X, targets())
    assert "output_kernel" in model.selection_.choice
