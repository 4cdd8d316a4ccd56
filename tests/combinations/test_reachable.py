"""What the papers speak of can be typed: each name, from a user's side."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lapwing
from lapwing import (
    CoMRRegressor,
    CoRLSRegressor,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    LSMRRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
    metrics,
)
from lapwing.graphs import KNN, Given, laplacian
from lapwing.kernels import RBF
from lapwing.outputs import OutputGraph, Ring
from lapwing.regularizers import Heat, Laplacian, LaplacianPolynomial, Matrix

rng = np.random.default_rng(5)
N = 40
X = rng.standard_normal((N, 4))
SEEN = np.arange(N) < 16
REAL = np.where(SEEN, X[:, 0], np.nan)
BOTH = np.where(SEEN[:, None], X[:, :3] + 0.3 * X[:, [1, 2, 0]], np.nan)
TWO = np.where(SEEN, (X[:, 0] > 0) * 1, -1)
CODES = np.where(SEEN, np.arange(N) % 4, -1)
GRAPH = Laplacian(KNN(5), normalized=False)
GIVEN = {"kernel": RBF(1.2), "gamma_A": 1e-2, "gamma_I": 2.0}
W = np.array([[0.0, 1.0, 0.2], [1.0, 0.0, 0.5], [0.2, 0.5, 0.0]])


def test_losses_and_scores_of_structured_outputs_are_metrics():
    names = {"ring_loss", "tree_loss", "structured_loss", "structured_scorer"}
    assert names | {"macro_precision_recall_f1", "prbep", "macro_auc"} <= set(metrics.__all__)


def test_support_vectors_and_beta_of_lapsvc():
    """f = K̃ β over the support: MR's α = (2γ_A I + 2γ_I/n² L K)⁻¹ Jᵀ Y β*."""
    model = LapSVC(regularizer=GRAPH, fit_intercept=True, tol=1e-9, **GIVEN).fit(X, TWO)
    K, L = RBF(1.2)(X), GRAPH.build(X).toarray()
    r = np.zeros(N)
    r[model.support_] = np.ravel(model.dual_coef_)
    assert SEEN[model.support_].all() and 0 < len(model.support_) <= 16
    alpha = np.linalg.solve(2e-2 * np.eye(N) + 2 * 2.0 / N**2 * L @ K, r)
    assert_allclose(model.decision_function(X) - model.intercept_, K @ alpha, atol=1e-5)


def test_working_set_of_structured_outputs():
    model = StructuredLapSVC(output=Ring(4), regularizer=GRAPH, **GIVEN).fit(X, CODES)
    assert len(model.support_) == len(model.support_outputs_) == len(model.dual_coef_) > 0
    assert (CODES[model.support_] != model.support_outputs_).all() and (model.dual_coef_ > 0).all()


@pytest.mark.parametrize("graph", [W, Given(W), "correlation", KNN(1)], ids=str)
def test_each_graph_between_outputs_is_said_alike(graph):
    settings = {"n_components": 6, "gamma_I": 1.0, "gamma_M": 0.5, "kernel": RBF(1.2)}
    plain = LSMRRegressor(label_graph=graph, **settings).fit(X, BOTH)
    wrapped = LSMRRegressor(label_graph=OutputGraph(0.3, graph=graph), **settings).fit(X, BOTH)
    assert_allclose(wrapped.label_laplacian_, plain.label_laplacian_)
    assert_allclose(wrapped.transduction_, plain.transduction_)
    Q = VectorValuedRegressor(output_kernel=OutputGraph(1.0, graph=graph), **GIVEN)
    assert Q.fit(X, BOTH).output_kernel_.shape == (3, 3)


def test_neighbors_of_an_output_graph_are_those_of_lsmr():
    settings = {"n_components": 6, "gamma_I": 1.0, "gamma_M": 0.5, "kernel": RBF(1.2)}
    found = LSMRRegressor(label_graph=OutputGraph(n_neighbors=1), **settings).fit(X, BOTH)
    plain = LSMRRegressor(label_graph=KNN(1), **settings).fit(X, BOTH)
    assert_allclose(found.label_laplacian_, plain.label_laplacian_)


VIEWS = [("a", RBF(1.0), [0, 1]), ("b", RBF(1.5), [2, 3], GRAPH)]


@pytest.mark.parametrize(
    ("model", "y", "grid"),
    [
        (CoRLSRegressor(VIEWS, gamma_A=1e-2, gamma_I=1.0), REAL, {"gamma_C": [1.0, 10.0]}),
        (CoMRRegressor(VIEWS, gamma_A=1e-2, gamma_I=1.0), REAL, {"gamma_C": [1.0, 10.0]}),
        (LSMRRegressor(n_components=6, gamma_I=1.0), BOTH, {"gamma_M": [0.1, 1.0]}),
        (LSMRRegressor(gamma_I=1.0, gamma_M=0.1), BOTH, {"n_components": [3, 6]}),
        (VectorValuedRegressor(output_kernel=OutputGraph(), **GIVEN), BOTH, {"gamma_O": [0.1, 1]}),
    ],
    ids=["CoRLS", "CoMR", "LSMR", "components", "VV"],
)
def test_paths_over_what_only_some_have(model, y, grid):
    assert len(list(lapwing.path(model, X, y, **grid))) == 2


@pytest.mark.parametrize(
    ("typed", "times"),
    [
        (lambda s: Laplacian(KNN(5), scaling=s), 1),
        (lambda s: Laplacian(KNN(5), normalized=False, degree=2, scaling=s), 1),
        (lambda s: LaplacianPolynomial(KNN(5), (0.5, 0.0, 2.0), scaling=s), 1),
        (lambda s: Heat(KNN(5), 0.7, scaling=s), 1),
    ],
    ids=["normalized", "squared", "polynomial", "heat"],
)
def test_weights_without_a_division_by_n(typed, times):
    """scaling="none": γ_I ⟨f, M f⟩ as VV, SO, MV and MT write it; "weights": divided by ΣW."""
    M = typed("points").build(X)
    assert_allclose(typed("none").build(X).toarray(), N**2 * M.toarray(), rtol=1e-12)
    total = M.graph.W.sum()
    assert_allclose(typed("weights").build(X).toarray(), N**2 / total * M.toarray(), rtol=1e-10)
    given = {"kernel": RBF(1.2), "gamma_A": 1e-2, "fit_intercept": False}
    ours = LapRLSRegressor(regularizer=typed("none"), gamma_I=0.1, **given).fit(X, REAL)
    theirs = LapRLSRegressor(regularizer=typed("points"), gamma_I=0.1 * N**2, **given).fit(X, REAL)
    assert_allclose(ours.transduction_, theirs.transduction_, atol=1e-9)


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC, LapLogisticClassifier])
def test_several_labels_point_to_the_estimator_for_them(Model):
    labels = np.where(np.isnan(BOTH), np.nan, BOTH > 0)
    with pytest.raises(ValueError, match="VectorValuedClassifier"):
        Model().fit(X, labels)
    assert VectorValuedClassifier(**GIVEN).fit(X, labels).transduction_.shape == (N, 3)


@pytest.mark.parametrize("q", [3, 4])
def test_a_joint_penalty_may_be_a_matrix_or_a_Matrix(q):
    S = laplacian(Given(W).build(None)).toarray()
    J = np.kron(GRAPH.build(X).toarray(), np.eye(q))
    if q == 3:
        J += 0.1 * np.kron(np.eye(N), S)
        model, y = VectorValuedRegressor(fit_intercept=False, **GIVEN), BOTH
    else:
        model, y = StructuredLapSVC(output=Ring(4), tol=1e-9, **GIVEN), CODES
    plain = model.set_params(regularizer=J).fit(X, y).solution_.coef
    assert_allclose(model.set_params(regularizer=Matrix(J)).fit(X, y).solution_.coef, plain)


def test_the_width_of_a_kernel_by_its_other_name():
    with pytest.raises(TypeError, match=r"sigma=1/sqrt\(2\*gamma\)"):
        RBF(gamma=0.5)
