"""What a hostile reading broke, each as the relation that should have held."""

import warnings

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from lapwing import (
    CoMRRegressor,
    CoRLSClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    ManifoldClassifier,
    ManifoldRegressor,
    MultiViewKernel,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.exceptions import LabelWarning, UnreachedWarning
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.losses import EpsilonInsensitive, Huber
from lapwing.outputs import LabelSets, OutputGraph, OutputStructure, Ring, Tree
from lapwing.regularizers import Laplacian
from lapwing.selection.rules import operator_norm
from problems import BY_RULE

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 3))
TRUTH = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
Y = np.where(np.arange(60) < 20, TRUTH, -1)
REAL = np.where(Y < 0, np.nan, X[:, 0] + 0.3 * rng.standard_normal(60))


@pytest.mark.parametrize("scale", [1.0, 1e4, 1e8, 1e12])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_structured_fit_is_converged_only_where_dual_and_primal_meet(scale):
    for gamma_A in (1e-6, 1.0):
        model = StructuredLapSVC(kernel="linear", gamma_A=gamma_A, gamma_I=0).fit(X * scale, Y)
        found = model.solution_
        if found.status.name == "CONVERGED":
            assert abs(found.primal - found.dual) <= 2e-6 * max(found.primal, 1.0)
        else:
            assert not found.optimality <= 1e-6


@pytest.mark.parametrize("unit", [1e-170, 1e170])
def test_targets_whose_squares_are_no_numbers_are_refused(unit):
    with pytest.raises(ValueError, match="another unit"):
        LapRLSRegressor(solver="cg").fit(X, REAL * unit)


def test_the_automatic_gamma_does_not_depend_on_the_order_of_rows():
    points = X.copy()
    points[:5] *= 10
    rule = Laplacian(KNN(), normalized=False, degree=2)
    norms = []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(60)
        norms.append(operator_norm(rule.build(points[order])))
    np.testing.assert_allclose(norms, norms[0], rtol=1e-7)
    dense = np.linalg.eigvalsh(rule.build(points).toarray())[-1]
    np.testing.assert_allclose(norms[0], dense, rtol=1e-7)


@pytest.mark.parametrize("loss", ["huber", "epsilon_insensitive", "squared"])
@pytest.mark.parametrize("unit", [1e-6, 1e3])
def test_targets_in_another_unit_give_predictions_in_that_unit(loss, unit):
    given = BY_RULE | {"loss": loss, "gamma_A": 1e-3, "gamma_I": 0.1}
    plain = ManifoldRegressor(**given).fit(X, REAL)
    other = ManifoldRegressor(**given)
    other.fit(X, REAL * unit)
    scale = np.abs(plain.predict(X)).max()
    np.testing.assert_allclose(other.predict(X) / unit, plain.predict(X), atol=2e-3 * scale)


def test_each_target_has_a_width_of_its_own():
    both = np.column_stack([REAL, 1e3 * REAL])
    settings = {"loss": "huber", "gamma_A": 1e-3, "gamma_I": 0.1}
    model = ManifoldRegressor(**settings).fit(X, both)
    np.testing.assert_allclose(model.predict(X)[:, 1], 1e3 * model.predict(X)[:, 0], rtol=1e-5)
    missing = both.copy()
    missing[3, 1] = np.nan  # observed pairs, each with its own output's width
    related = VectorValuedRegressor(output_kernel=np.eye(2), **settings).fit(X, missing)
    assert related.solution_.status.name == "CONVERGED"


def test_huber_converges_far_from_its_width():
    for seed in range(3):
        r = np.random.default_rng(seed)
        points = r.standard_normal((80, 3))
        y = 100 * (points[:, 0] ** 2 + points[:, 1])
        y[30:] = np.nan
        for gamma_A in (1e-6, 1e-3):
            model = ManifoldRegressor(loss=Huber(1.0), gamma_A=gamma_A, gamma_I=0.1)
            assert model.fit(points, y).solution_.status.name == "CONVERGED"


@pytest.mark.parametrize("marker", ["-1", ""])
def test_a_marker_written_as_text_is_said(marker):
    y = np.where(Y < 0, marker, np.array(["a", "b", "c"])[TRUTH])
    with pytest.warns(LabelWarning, match=f"y holds {marker!r}.*pass unlabeled={marker!r}"):
        LapRLSClassifier().fit(X, y)


@pytest.mark.parametrize("output", [Ring(4), Ring(5), Tree([-1, 0, 0, 1, 1], outputs="all")])
def test_unreached_points_are_reported_for_singular_output_kernels(output):
    far = np.vstack([X[:, :2], X[:12, :2] + 100.0])
    y = np.append(np.where(np.arange(60) < 8, np.arange(60) % 4, -1), np.full(12, -1))
    with pytest.warns(UnreachedWarning):
        model = StructuredLapSVC(output=output).fit(far, y)
    assert model.unreached_.sum() == 12


def test_missing_views_cost_the_same_whether_the_penalty_is_a_rule_or_a_matrix():
    points = rng.standard_normal((20, 4))
    points[3, :2] = np.nan
    points[7, 2:] = np.nan
    views = [("a", RBF(1.0), [0, 1]), ("b", RBF(1.0), [2, 3])]
    eye = np.eye(20)
    M = np.block([[eye, -eye], [-eye, eye]])
    by_rule = MultiViewKernel(views).fit(points)(points)
    np.testing.assert_allclose(
        MultiViewKernel(views, regularizer=M).fit(points)(points), by_rule, atol=1e-12
    )


def test_a_redefined_function_is_not_mistaken_for_the_old_one():
    def function(A, B):
        return A @ B.T

    model = StructuredLapSVC(warm_start=True, kernel=function).fit(X, Y)

    def function(A, B):
        return np.exp(-((A[:, None] - B[None]) ** 2).sum(-1))

    model.set_params(kernel=function).fit(X, Y)
    fresh = StructuredLapSVC(kernel=function).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), fresh.decision_function(X))


def test_transduction_knows_its_rows_dense_or_sparse_and_averages_twins():
    points, y = X.copy(), REAL.copy()
    points[5] = points[6]
    y[5], y[6] = -3.0, 3.0
    model = CoMRRegressor(a_I=0.5).fit(sp.csr_array(points), y)
    np.testing.assert_array_equal(model.predict(points), model.transduction_)
    twins = model.predict(points[[6, 5, 0]])
    np.testing.assert_allclose(twins[:2], model.transduction_[[5, 6]].mean())
    assert twins[2] == model.transduction_[0]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::lapwing.exceptions.UnreachedWarning")
@pytest.mark.parametrize("gamma_A", [1e-14, 1e-16, 1e-18, 1e-20])
@pytest.mark.parametrize("gamma_I", [0.0, 1e5])
def test_every_loss_ends_honestly_as_gamma_A_vanishes(gamma_A, gamma_I):
    labels = np.where(Y < 0, -1, (Y > 0).astype(int))
    for loss in ("hinge", "squared_hinge", "logistic", "squared"):
        for kernel in ("rbf", "linear"):
            model = ManifoldClassifier(loss=loss, kernel=kernel, gamma_A=gamma_A, gamma_I=gamma_I)
            found = model.fit(X, labels).solution_
            tol = 1e-6 if loss == "hinge" else 1e-8
            assert (found.status.name == "CONVERGED") == (found.optimality <= tol)
    for loss in ("huber", "epsilon_insensitive"):
        ManifoldRegressor(loss=loss, gamma_A=gamma_A, gamma_I=gamma_I).fit(X, REAL)


def test_random_labels_and_a_linear_kernel_end_in_seconds():
    r = np.random.default_rng(0)
    points, y = r.standard_normal((150, 2)), r.integers(0, 2, 150)
    assert LapSVC(kernel="linear", gamma_I=0).fit(points, y).solution_.status.name == "CONVERGED"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_two_views_at_an_extreme_gamma_end_with_a_clear_error():
    """Or they are finite and said to be rough: rounding, and so the processor, decides which."""
    views = [("a", "rbf", [0]), ("b", "rbf", [1, 2])]
    for gamma_I in (1e15, 1e12):
        model = CoMRRegressor(views, gamma_I=gamma_I)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                model.fit(X, REAL)
            except ValueError as error:
                assert "raise gamma_A" in str(error)
                continue
        assert any("stalled" in str(one.message) for one in said)
        assert np.isfinite(model.predict(X)).all()
    assert np.isfinite(CoMRRegressor(views, gamma_I=1e6).fit(X, REAL).predict(X)).all()


def test_a_structured_problem_scales_with_its_loss_and_its_gammas():
    def fitted(scale):
        output = OutputStructure(np.eye(3), scale * (1 - np.eye(3)))
        settings = {"gamma_A": 1e-3 * scale, "gamma_I": 0.1 * scale}
        return StructuredLapSVC(kernel=RBF(1.0), output=output, **settings).fit(X, Y)

    plain = fitted(1.0).decision_function(X)
    np.testing.assert_allclose(fitted(1e-12).decision_function(X), plain, atol=1e-2)


def test_sets_of_labels_separate_into_hinges_under_margin_rescaling():
    sets = np.where(Y[:, None] < 0, np.nan, rng.random((60, 6)) > 0.6)
    settings = {"output": LabelSets(6), "rescaling": "margin", "gamma_A": 1e-2, "tol": 1e-8}
    apart = StructuredLapSVC(**settings).fit(X, sets)
    cuts = StructuredLapSVC(solver="n-slack", **settings).fit(X, sets)
    np.testing.assert_allclose(apart.decision_function(X), cuts.decision_function(X), atol=1e-3)
    np.testing.assert_allclose(apart.solution_.primal, cuts.solution_.primal, rtol=1e-6)
    np.testing.assert_allclose(apart.solution_.dual, cuts.solution_.dual, rtol=1e-6)


def test_sets_of_labels_are_read_as_sets_sparse_rows_and_missing_ones():
    rows = np.array([[1, 0, 1], [0, 1, 0], [np.nan] * 3] * 20)
    sets = [{0, 2}, {1}, np.nan] * 20
    by_rows = StructuredLapSVC(output=LabelSets(3)).fit(X, rows)
    by_sets = StructuredLapSVC(output=LabelSets(3)).fit(X, sets)
    np.testing.assert_array_equal(by_sets.decision_function(X), by_rows.decision_function(X))
    full = np.nan_to_num(rows)
    sparse = StructuredLapSVC(output=LabelSets(3)).fit(X, sp.csr_array(full))
    dense = StructuredLapSVC(output=LabelSets(3)).fit(X, full)
    np.testing.assert_array_equal(sparse.decision_function(X), dense.decision_function(X))
    assert len(VectorValuedClassifier().fit(X, sets).predict(X)) == 60


def test_one_labeled_output_is_enough_for_a_structure_that_knows_the_others():
    y = np.where(Y == 1, 1, -1)
    model = StructuredLapSVC(output=Ring(4)).fit(X, y)
    assert (model.predict(X[Y == 1]) == 1).all()


@pytest.mark.parametrize(
    "attempt, error",
    [
        (lambda: LapRLSRegressor().fit(X, sp.csr_array(np.ones((60, 2)))), "toarray"),
        (lambda: LapRLSClassifier().fit(X, Y).score(X, Y[:-1]), "inconsistent"),
        (lambda: LapRLSRegressor().fit(X, REAL).score(X, REAL[:-1]), "inconsistent"),
        (lambda: StructuredLapSVC().fit(X, Y).score(X, Y[:-1]), "inconsistent"),
        (lambda: StructuredLapSVC(output=Tree(nx.DiGraph())).fit(X, Y), "not empty"),
        (lambda: StructuredLapSVC(output=LabelSets(2)).fit(X, [{7}] * 60), "labels 0 … 1"),
    ],
)
def test_one_clear_error(attempt, error):
    with pytest.raises(ValueError, match=error):
        attempt()


def test_nested_parameters_work_from_the_default():
    with pytest.raises(ValueError, match="Spell the part out"):
        LapRLSClassifier().set_params(regularizer__graph__n_neighbors=3)
    model = LapRLSClassifier(kernel="rbf", regularizer="laplacian")
    model.set_params(regularizer__graph__n_neighbors=3, kernel__sigma=2.0)
    assert model.regularizer.graph.n_neighbors == 3
    assert model.kernel.sigma == 2.0
    view = MultiViewKernel([("lam", "rbf", [0]), ("b", "rbf", [1])]).set_params(lam=2.0)
    assert view.lam == 2.0


def test_widths_are_checked_and_needed():
    with pytest.raises(ValueError, match="before build"):
        Huber().value(np.zeros((1, 1)), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="got 'wide'"):
        ManifoldRegressor(loss=EpsilonInsensitive("wide")).fit(X, REAL)


def test_no_warning_is_raised_by_an_ordinary_vector_valued_hinge():
    sets = np.where(Y[:, None] < 0, np.nan, 2 * np.eye(3)[TRUTH] - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        VectorValuedClassifier(loss="hinge", output_kernel=OutputGraph(0.3, 1)).fit(X, sets)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_far_point_does_not_hide_the_slope_along_the_intercept(loss):
    points = X.copy()
    points[0] = 1e9
    labels = np.where(Y < 0, -1, (Y > 0).astype(int))
    model = ManifoldClassifier(
        loss=loss, kernel="linear", gamma_A=1.0, gamma_I=0.0, fit_intercept=True
    ).fit(points, labels)
    objective, coef = model.objective_, model.solution_.coef.copy()
    assert objective.optimality(objective.space.element(coef)) == model.solution_.optimality
    coef[-1] += 0.5
    assert objective.optimality(objective.space.element(coef)) > 1e-3


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::lapwing.exceptions.GraphWarning")
def test_conjugate_gradients_with_an_intercept_and_a_far_point_are_as_good_as_they_say():
    points = X.copy()
    points[0] *= 1e9
    settings = {"kernel": "linear", "regularizer": np.eye(60), "gamma_A": 1e-3, "gamma_I": 0.1}
    labels = np.where(Y < 0, -1, (Y > 0).astype(int))
    by_cg = LapRLSClassifier(**settings, fit_intercept=True, solver="cg").fit(points, labels)
    direct = LapRLSClassifier(**settings, fit_intercept=True, solver="direct").fit(points, labels)
    if by_cg.solution_.status.name == "CONVERGED":
        np.testing.assert_allclose(by_cg.intercept_, direct.intercept_, atol=1e-5)
    else:
        assert by_cg.solution_.optimality > 1e-8


def test_hinge_with_linear_views_works_for_many_rows():
    n = 4200  # above, linear views are in the primal
    points = rng.standard_normal((n, 6))
    labels = np.where(np.arange(n) < 40, (points[:, 0] + points[:, 3] > 0).astype(int), -1)
    views = [("a", "linear", [0, 1, 2]), ("b", "linear", [3, 4, 5])]
    model = CoRLSClassifier(views, loss="hinge").fit(points, labels)
    assert model.solution_.status.name == "CONVERGED"
    assert np.mean(model.predict(points) == (points[:, 0] + points[:, 3] > 0)) > 0.8


@pytest.mark.parametrize("model", [LapRLSClassifier(), LapSVC(), StructuredLapSVC()])
def test_the_callers_sparse_matrix_is_left_as_it_was(model):
    points = sp.csr_array(np.where(X > 0, X, 0.0))
    for start, stop in zip(points.indptr[:-1], points.indptr[1:], strict=True):
        for part in (points.indices, points.data):
            part[start:stop] = part[start:stop][::-1].copy()
    points.has_sorted_indices = False
    before = points.indices.copy()
    model.fit(points, Y).predict(points)
    np.testing.assert_array_equal(points.indices, before)
