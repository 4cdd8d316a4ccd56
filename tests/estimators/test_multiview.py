"""CoRLS and CoMR against the kernel, against each other's limits, and against the equation."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from lapwing import (
    CoMRClassifier,
    CoMRRegressor,
    CoRLSClassifier,
    CoRLSRegressor,
    KernelFeatures,
    LapRLSRegressor,
    MultiViewKernel,
)
from lapwing.exceptions import UnreachedWarning
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.losses import EpsilonInsensitive
from lapwing.regularizers import Laplacian
from lapwing.spaces import GraphValues
from problems import BY_RULE

rng = np.random.default_rng(0)
N, L = 40, np.array([0, 3, 7, 11, 22, 25, 30, 38])
X = rng.standard_normal((N, 5))
TARGET = np.sin(X[:, 0]) + X[:, 3]
Y = np.full(N, np.nan)
Y[L] = TARGET[L]
LABELS = np.full(N, -1)
LABELS[L] = (TARGET[L] > 0).astype(int)
NEW = rng.standard_normal((9, 5))
GRAPH = Laplacian(KNN(4), normalized=False)
VIEWS = [("a", RBF(1.5), [0, 1]), ("b", Linear(), [2, 3]), ("c", RBF(2.0), [3, 4])]
GAMMAS = [1.0, 0.5, 2.0]


def own(views):
    return [(*view, GRAPH) for view in views]


def as_kernel(views, gammas, gamma_A, gamma_C, a=None):
    """The kernel with the same γ_j and λ as the estimator."""
    return MultiViewKernel(views, a, gamma_A * np.asarray(gammas), gamma_C / N**2).fit(X)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_least_squares_is_kernel_ridge_at_alpha_l(m):
    views, gammas, a = VIEWS[:m], GAMMAS[:m], [0.6, 0.3, 0.4][:m]
    ours = CoRLSRegressor(
        views, view_weights=a, gammas=gammas, gamma_A=0.05, gamma_C=30.0, fit_intercept=False
    ).fit(X, Y)
    kernel = as_kernel(views, gammas, 0.05, 30.0, a)
    theirs = KernelRidge(alpha=len(L), kernel=kernel).fit(X[L], Y[L])
    np.testing.assert_allclose(ours.predict(NEW), theirs.predict(NEW), atol=1e-7)
    np.testing.assert_allclose(ours.transduction_, ours.predict(X), atol=1e-9)
    assert ours.solution_.optimality < 1e-8


def test_hinge_is_svc_at_half_over_l():
    ours = CoRLSClassifier(VIEWS, loss="hinge", gammas=GAMMAS, gamma_A=0.02, gamma_C=50.0)
    ours.fit(X, LABELS)
    svc = SVC(C=1 / (2 * len(L)), kernel=as_kernel(VIEWS, GAMMAS, 0.02, 50.0), tol=1e-8)
    svc.fit(X[L], LABELS[L])
    np.testing.assert_allclose(ours.decision_function(NEW), svc.decision_function(NEW), atol=1e-5)
    assert ours.solution_.optimality < 1e-6


def test_epsilon_insensitive_is_svr():
    loss = EpsilonInsensitive(0.05)
    ours = CoRLSRegressor(VIEWS[:2], loss=loss, gamma_A=0.02, gamma_C=50.0).fit(X, Y)
    kernel = as_kernel(VIEWS[:2], [1.0, 1.0], 0.02, 50.0)
    svr = SVR(C=1 / (2 * len(L)), epsilon=0.05, kernel=kernel, tol=1e-8).fit(X[L], Y[L])
    np.testing.assert_allclose(ours.predict(NEW), svr.predict(NEW), atol=1e-5)


def test_logistic_is_logistic_regression_on_features():
    ours = CoRLSClassifier(VIEWS[:2], loss="logistic", gamma_A=0.02, gamma_C=50.0).fit(X, LABELS)
    kernel = as_kernel(VIEWS[:2], [1.0, 1.0], 0.02, 50.0)
    # (1/l)ΣV + ‖w‖² is C ΣV + ½‖w‖² at C = 1/(2l)
    linear = LogisticRegression(C=1 / (2 * len(L)), tol=1e-10, max_iter=1000)
    model = make_pipeline(KernelFeatures(kernel), linear).fit(X[L], LABELS[L])
    np.testing.assert_allclose(ours.decision_function(NEW), model.decision_function(NEW), atol=1e-4)


@pytest.mark.parametrize("solver", ["direct", "newton", "cg"])
def test_solvers_agree(solver):
    params = {"views": own(VIEWS), "gamma_A": 0.1, "gamma_C": 40.0, "gamma_I": 20.0}
    auto = CoRLSRegressor(**params).fit(X, Y)
    other = CoRLSRegressor(**params, solver=solver, tol=1e-9).fit(X, Y)
    np.testing.assert_allclose(other.predict(NEW), auto.predict(NEW), atol=1e-6)


def joint_solution(M, readout_of, gamma_A, extra=0):
    """Direct minimization over all coefficients, one view of all columns with RBF(2)."""
    K = RBF(2.0)(X)
    zero = np.zeros((N, N))
    E = scipy.linalg.block_diag(K, np.eye(N))
    P = scipy.linalg.block_diag(K, zero)
    R = readout_of @ E
    H = R[L].T @ R[L] / len(L) + gamma_A * P + E.T @ M @ E
    c = np.linalg.lstsq(H, R[L].T @ Y[L] / len(L), rcond=None)[0]
    return R @ c, c[N:]


@pytest.mark.parametrize("a_I", [0.0, 0.5, 1.0])
def test_comr_is_joint_minimization_with_a_singular_laplacian(a_I):
    gamma_A, gamma_C, gamma_I = 0.1, 60.0, 90.0
    model = CoMRRegressor(
        [("x", RBF(2.0), slice(None), GRAPH)], a_I=a_I, gamma_A=gamma_A, gamma_C=gamma_C,
        gamma_I=gamma_I, fit_intercept=False,
    ).fit(X, Y)  # fmt: skip
    eye = np.eye(N)
    M = gamma_C * np.block([[eye, -eye], [-eye, eye]])
    M[N:, N:] += gamma_I * GRAPH.build(X).toarray()
    values, g = joint_solution(M / N**2, np.hstack([(1 - a_I) * eye, a_I * eye]), gamma_A)
    np.testing.assert_allclose(model.transduction_, values, atol=1e-7)
    np.testing.assert_allclose(model.intrinsic_["x"][:, 0], g, atol=1e-7)
    assert model.solution_.optimality < 1e-7


def test_inductive_comr_is_mr_with_the_corrected_smoothness():
    """M_I (I + γ_I/λ M_I)⁻¹, without the paper's 2."""
    M = GRAPH.build(X).toarray()
    Q = M @ np.linalg.inv(np.eye(N) + 90.0 / 60.0 * M)
    comr = CoMRRegressor([("x", RBF(2.0), slice(None), GRAPH)], gamma_A=0.1, gamma_C=60.0,
                         gamma_I=90.0).fit(X, Y)  # fmt: skip
    mr = LapRLSRegressor(
        kernel=RBF(2.0), regularizer=(Q + Q.T) / 2, gamma_A=0.1, gamma_I=90.0, fit_intercept=True
    )
    np.testing.assert_allclose(comr.predict(NEW), mr.fit(X, Y).predict(NEW), atol=1e-7)


def test_inductive_comr_tends_to_mr_and_to_the_supervised_solution():
    view = [("x", RBF(2.0), slice(None), GRAPH)]
    params = {"gamma_A": 0.1, "gamma_I": 90.0}
    mr = (
        LapRLSRegressor(**BY_RULE | {"kernel": RBF(2.0), "regularizer": GRAPH, **params})
        .fit(X, Y)
        .predict(NEW)
    )
    rls = (
        LapRLSRegressor(kernel=RBF(2.0), gamma_A=0.1, gamma_I=0.0, fit_intercept=True)
        .fit(X, Y)
        .predict(NEW)
    )
    strong, weak = (
        CoMRRegressor(view, gamma_C=c, **params).fit(X, Y).predict(NEW) for c in (1e9, 1e-7)
    )
    np.testing.assert_allclose(strong, mr, atol=1e-5)
    np.testing.assert_allclose(weak, rls, atol=1e-5)
    gone = CoMRRegressor(view, gamma_C=0.0, **params).fit(X, Y).predict(NEW)
    np.testing.assert_allclose(gone, rls, atol=1e-9)
    assert np.abs(mr - rls).max() > 0.01


def test_comr_over_several_views_ties_an_intrinsic_function_to_each():
    model = CoMRClassifier(own(VIEWS[:2]), gamma_A=0.1, gamma_C=30.0, gamma_I=50.0).fit(X, LABELS)
    assert sorted(model.intrinsic_) == ["a", "b"]
    assert model.solution_.optimality < 1e-7
    # with a_I = 0 it is CoRLS whose own penalties are the smoothed ones
    smoothed = []
    for name, kernel, columns in VIEWS[:2]:
        M = GRAPH.build(X[:, columns]).toarray()
        Q = M @ np.linalg.inv(np.eye(N) + 50.0 / 30.0 * M)
        smoothed.append((name, kernel, columns, (Q + Q.T) / 2))
    twin = CoRLSClassifier(smoothed, gamma_A=0.1, gamma_C=30.0, gamma_I=50.0).fit(X, LABELS)
    np.testing.assert_allclose(model.decision_function(NEW), twin.decision_function(NEW), atol=1e-7)


def test_transductive_comr_predicts_training_rows_and_refuses_others():
    model = CoMRClassifier(a_I=0.5).fit(X, LABELS)
    np.testing.assert_array_equal(model.predict(X[::-1]), model.transduction_[::-1])
    np.testing.assert_array_equal(model.predict(X), model.transduction_)
    with pytest.raises(ValueError, match=r"9 of the 10 rows are not training rows \(row 1 first\)"):
        model.predict(np.vstack([X[:1], NEW]))
    assert model.predict_views(NEW)["all"].shape == (9,)  # the ambient function goes anywhere
    sparse = CoMRClassifier(a_I=0.5).fit(sp.csr_array(X), LABELS)
    np.testing.assert_array_equal(sparse.predict(sp.csr_array(X)), model.transduction_)
    with pytest.raises(ValueError, match="gamma_C=0"):
        CoMRClassifier(a_I=0.5, gamma_C=0.0).fit(X, LABELS)


def test_equal_rows_keep_their_own_transduction():
    twice = np.vstack([X, X[:3]])
    y = np.append(Y, [5.0, -5.0, np.nan])
    model = CoMRRegressor(a_I=1.0).fit(twice, y)
    np.testing.assert_array_equal(model.predict(twice), model.transduction_)


@pytest.mark.parametrize("cls", [CoRLSRegressor, CoMRRegressor])
def test_rows_may_lack_views(cls):
    missing = X.copy()
    missing[5, :2], missing[6, 2:], missing[7, 4:] = np.nan, np.nan, np.nan
    views = [("a", RBF(1.5), [0, 1], GRAPH), ("b", Linear(), [2, 3], GRAPH), ("c", RBF(2.0), [4])]
    model = cls(views, gamma_A=0.1, gamma_C=30.0, gamma_I=10.0).fit(missing, Y)
    assert np.isfinite(model.transduction_).all()
    assert model.solution_.optimality < 1e-7
    np.testing.assert_allclose(model.predict(missing), model.transduction_, atol=1e-8)
    predicted = model.predict_views(missing)
    assert np.isnan(predicted["a"][5])
    assert not np.isnan(predicted["b"][5])
    spread = model.disagreement(missing)
    assert np.isnan(spread[6])
    assert (np.delete(spread, 6) >= 0).all()
    # a row with one view is read out through that view alone
    np.testing.assert_allclose(model.transduction_[6], predicted["a"][6], atol=1e-8)
    labels = CoRLSClassifier(views, gamma_A=0.1).fit(missing, LABELS).predict_views(missing)
    assert labels["a"][5] is None


def test_views_disagreement_falls_with_gamma_C():
    found = [
        CoRLSRegressor(VIEWS, gamma_A=0.01, gamma_C=c).fit(X, Y).disagreement_
        for c in (0.0, 1.0, 100.0, 1e6)
    ]
    assert (np.diff(found) < 0).all()
    model = CoRLSRegressor(VIEWS, gamma_A=0.01, gamma_C=1.0).fit(X, Y)
    f = np.stack([v[:, 0] for v in model.view_values(NEW).values()])
    pairs = ((f[0] - f[1]) ** 2 + (f[0] - f[2]) ** 2 + (f[1] - f[2]) ** 2) / 3
    np.testing.assert_allclose(model.disagreement(NEW), pairs)


def test_views_average_to_the_readout():
    model = CoRLSRegressor(VIEWS, view_weights=[0.2, 0.3, 0.5], gamma_A=0.1).fit(X, Y)
    values = model.view_values(NEW)
    mean = 0.2 * values["a"] + 0.3 * values["b"] + 0.5 * values["c"]
    np.testing.assert_allclose(mean[:, 0], model.predict(NEW), atol=1e-10)


def test_many_classes_outputs_and_weights():
    y = LABELS.copy()
    y[L[-3:]] = 2
    model = CoRLSClassifier(VIEWS).fit(X, y, sample_weight=np.linspace(0.5, 1.5, N))
    assert model.decision_function(NEW).shape == (9, 3)
    both = np.column_stack([Y, -Y])
    both[L[0], 1] = np.nan  # one entry missing
    model = CoRLSRegressor(VIEWS).fit(X, both)
    assert model.predict(NEW).shape == (9, 2)
    np.testing.assert_allclose(
        model.predict(NEW)[:, 0], CoRLSRegressor(VIEWS).fit(X, Y).predict(NEW), atol=1e-7
    )


def test_sparse_and_named_columns():
    thin = np.where(X > 0.5, X, 0.0)
    views = [("a", "linear", slice(0, 2)), ("b", "rbf", slice(2, 5))]
    dense = CoRLSClassifier(views).fit(thin, LABELS)
    sparse = CoRLSClassifier(views).fit(sp.csr_array(thin), LABELS)
    np.testing.assert_allclose(
        sparse.decision_function(sp.csr_array(NEW)), dense.decision_function(NEW), atol=1e-6
    )
    frame = pd.DataFrame(thin, columns=list("pqrst"))
    named = [("a", "linear", ["p", "q"]), ("b", "rbf", ["r", "s", "t"])]
    model = CoRLSClassifier(named).fit(frame, LABELS)
    np.testing.assert_array_equal(model.predict(frame), dense.predict(thin))


def test_precomputed_views():
    K = np.hstack([RBF(1.5)(X[:, :2]), RBF(2.0)(X[:, 2:])])
    given = [("a", "precomputed", slice(0, N)), ("b", "precomputed", slice(N, 2 * N))]
    direct = [("a", RBF(1.5), [0, 1]), ("b", RBF(2.0), [2, 3, 4])]
    params = {"gamma_A": 0.1, "gamma_C": 20.0}
    K_new = np.hstack([RBF(1.5)(NEW[:, :2], X[:, :2]), RBF(2.0)(NEW[:, 2:], X[:, 2:])])
    np.testing.assert_allclose(
        CoRLSRegressor(given, **params).fit(K, Y).predict(K_new),
        CoRLSRegressor(direct, **params).fit(X, Y).predict(NEW),
        atol=1e-9,
    )


def test_grid_search_and_pipelines_reach_into_views():
    grid = {
        "corlsregressor__gamma_C": [1.0, 100.0],
        "corlsregressor__a__kernel__sigma": [0.5, 2.0],
        "corlsregressor__a__regularizer__graph__n_neighbors": [3, 5],
    }
    model = make_pipeline(StandardScaler(), CoRLSRegressor(own(VIEWS[:2])))
    search = GridSearchCV(model, grid, cv=2).fit(X, TARGET)
    best = search.best_estimator_[-1].get_params()
    assert best["a__kernel__sigma"] == search.best_params_["corlsregressor__a__kernel__sigma"]
    twin = clone(search.best_estimator_[-1])
    assert (
        twin.get_params()["a__regularizer__graph__n_neighbors"]
        == best["a__regularizer__graph__n_neighbors"]
    )


def test_a_component_without_labels_is_reported():
    far = np.vstack([X, X[:6] + 100.0])
    y = np.append(LABELS, np.full(6, -1))
    with pytest.warns(UnreachedWarning):
        model = CoRLSClassifier(own(VIEWS[:2])).fit(far, y)
    np.testing.assert_array_equal(np.flatnonzero(model.unreached_), np.arange(N, N + 6))


@pytest.mark.parametrize("cls", [CoRLSClassifier, CoMRClassifier])
@pytest.mark.parametrize(
    "data",
    [np.zeros((6, 4)), np.ones((6, 4)) * 1e9, np.repeat(X[:2, :4], 3, axis=0), X[:6, :4] * 1e8],
)
def test_degenerate_rows_give_finite_decisions(cls, data):
    y = np.array([0, 1, -1, -1, 1, 0])
    model = cls([("a", "rbf", [0, 1]), ("b", "linear", [2, 3])]).fit(data, y)
    assert np.isfinite(model.decision_function(data)).all()


def test_two_rows_suffice():
    model = CoRLSClassifier([("a", "rbf", [0]), ("b", "rbf", [1])]).fit(
        [[0.0, 1.0], [1.0, 0.0]], [0, 1]
    )
    np.testing.assert_array_equal(model.transduction_, [0, 1])


@pytest.mark.parametrize(
    ("params", "match"),
    [
        ({"gamma_C": -1.0}, "gamma_C"),
        ({"gamma_C": "some"}, "gamma_C"),
        ({"gammas": [1.0]}, "gammas"),
        ({"view_weights": [np.nan, 1.0]}, "view_weights"),
        ({"view_weights": 0.0}, "sees none of the views"),
        ({"space": "graph"}, "has values on the given rows only"),
        ({"space": GraphValues()}, "has values on the given rows only"),
        ({"loss": "huber"}, "regression"),
        ({"views": "page"}, "non-empty list"),
        ({"views": [("a", "rbf", [0], 3)]}, "regularizer must be"),
        ({"views": [("a", "rbf", [0], None, 3)]}, "scaler"),
        ({"views": [("a__b", "rbf", [0])]}, "without '__'"),
    ],
)
def test_bad_parameters_are_refused(params, match):
    model = CoRLSClassifier(**{"views": VIEWS[:2], **params})
    with pytest.raises((ValueError, TypeError), match=match):
        model.fit(X, LABELS)


@pytest.mark.parametrize("ratio", [1e6, 1e8, 1e10, 1e12])
@pytest.mark.parametrize("gamma_A", [1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_views_pulled_together_by_far(fit_intercept, gamma_A, ratio):
    """γ_C/γ_A to 1e12: CONVERGED is the minimum by dense least squares, or it is not said."""
    views = VIEWS[:2]
    model = CoRLSRegressor(
        views, gamma_A=gamma_A, gamma_C=ratio * gamma_A, fit_intercept=fit_intercept
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, Y)
    lam, roots = ratio * gamma_A / N**2, []
    for _, kernel, columns in views:
        values, vectors = np.linalg.eigh(kernel(X[:, columns]))
        kept = values > 1e-14 * values[-1]
        roots.append(vectors[:, kept] * np.sqrt(values[kept]))
    first, second = roots
    p = first.shape[1] + second.shape[1]
    read, apart = np.hstack([first, second]) / 2.0, np.hstack([first, -second])
    A = np.vstack([read[L] / len(L) ** 0.5, np.sqrt(lam) * apart, np.sqrt(gamma_A) * np.eye(p)])
    free = np.zeros((len(A), int(fit_intercept)))
    free[: len(L)] = len(L) ** -0.5
    b = np.zeros(len(A))
    b[: len(L)] = TARGET[L] / len(L) ** 0.5
    x = np.linalg.lstsq(np.hstack([A, free]), b, rcond=None)[0]
    least = np.hstack([read, np.ones((N, free.shape[1]))]) @ x
    if model.solution_.status.name == "CONVERGED":
        np.testing.assert_allclose(model.transduction_, least, atol=1e-4 * np.abs(least).max())
    else:
        assert ratio >= 1e10
