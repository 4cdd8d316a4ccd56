"""Leave-one-out in closed form against fits in which the label really is taken away."""

import warnings

import numpy as np
import pytest
import scipy.stats
from sklearn.base import clone

from lapwing import (
    CoMRRegressor,
    CoRLSRegressor,
    LapRLSRegressor,
    LapS3LRegressor,
    LSMRRegressor,
    ManifoldClassifier,
    ManifoldRegressor,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedRegressor,
)
from lapwing.confidence.scores import unseen_scores
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.linalg.labeled import Labeled
from lapwing.regularizers import Laplacian
from lapwing.selection import held_out, log_evidence
from lapwing.selection.leave_one_out import refitted
from lapwing.solvers import choose_solver, libsvm
from lapwing.solvers.dual import Dual

rng = np.random.default_rng(3)
N = 40
X = rng.standard_normal((N, 4))
Y = np.stack([np.sin(X[:, 0]) + X[:, 1], X[:, 2] ** 2, X[:, 0] * X[:, 3]], axis=1)
LABELED = rng.permutation(N)[:13]
Y_ROWS = np.full(Y.shape, np.nan)
Y_ROWS[LABELED] = Y[LABELED]
Y_ENTRIES = Y_ROWS.copy()
Y_ENTRIES[LABELED[0], 1] = Y_ENTRIES[LABELED[5], 0] = Y_ENTRIES[LABELED[5], 2] = np.nan
A = rng.standard_normal((3, 3))
Q = A @ A.T
GRAPH = Laplacian(KNN(4))
COMMON = {"gamma_A": 0.02, "gamma_I": 3.0}
VIEWS = [("a", RBF(1.5), [0, 1]), ("b", Linear(), [2, 3])]
OWN = [(*view, GRAPH) for view in VIEWS]


def scalar(**given):
    return LapRLSRegressor(kernel=RBF(1.5), regularizer=GRAPH, **COMMON, **given)


def vector(Q, **given):
    return VectorValuedRegressor(
        output_kernel=Q, kernel=RBF(1.5), regularizer=GRAPH, tol=1e-12, **COMMON, **given
    )


LABELS = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.2], [0.5, 0.2, 0.0]])
EIGEN = {"kernel": RBF(1.5), "n_components": 5}


def lsmr(**given):
    return LSMRRegressor(regularizer=GRAPH, gamma_M=0.05, label_graph=LABELS, **EIGEN, **given)


MODELS = {
    "scalar": (scalar, Y_ROWS[:, 0]),
    "several targets": (scalar, Y_ROWS),
    "missing entries": (scalar, Y_ENTRIES),
    "linear kernel": (
        lambda **g: LapRLSRegressor(kernel="linear", regularizer=GRAPH, **COMMON, **g),
        Y_ROWS[:, 0],
    ),
    "vector-valued": (lambda **g: vector(Q, **g), Y_ROWS),
    "vector-valued, singular Q": (lambda **g: vector(np.ones((3, 3)), **g), Y_ROWS),
    "vector-valued, missing entries": (lambda **g: vector(Q, **g), Y_ENTRIES),
    "corls": (
        lambda **g: CoRLSRegressor(VIEWS, gamma_A=0.05, gamma_C=30.0, **g),
        Y_ROWS[:, 0],
    ),
    "comr": (
        lambda **g: CoMRRegressor(OWN, gamma_A=0.05, gamma_C=30.0, gamma_I=2.0, **g),
        Y_ROWS[:, 0],
    ),
    "transductive comr": (
        lambda **g: CoMRRegressor(OWN, a_I=0.5, gamma_A=0.05, gamma_C=30.0, gamma_I=2.0, **g),
        Y_ROWS[:, 0],
    ),
    "sssl": (lambda **g: SSSLRegressor(**EIGEN, **g), Y_ENTRIES),
    "laps3l": (lambda **g: LapS3LRegressor(regularizer=GRAPH, gamma_I=3.0, **EIGEN, **g), Y_ROWS),
    "lsmr": (lambda **g: lsmr(gamma_I=3.0, **g), Y_ROWS),
    "lsmr, free along one direction": (lambda **g: lsmr(gamma_I=0.0, **g), Y_ROWS),
    "lsmr, free, missing entries": (lambda **g: lsmr(gamma_I=0.0, **g), Y_ENTRIES),
}


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("name", MODELS)
def test_closed_form_is_the_refit_without_the_label(name, weighted, intercept):
    make, y = MODELS[name]
    weight = rng.uniform(0.3, 3.0, N) if weighted else None
    model = make(fit_intercept=intercept).fit(X, y, sample_weight=weight)
    found = held_out(model.objective_)
    rows = model.objective_.rows
    assert list(rows) == sorted(LABELED)
    for at, i in enumerate(rows):
        without = y.copy()
        without[i] = np.nan
        refit = clone(model).fit(X, without, sample_weight=weight)
        expected = np.where(np.isnan(y[i]), np.nan, refit.transduction_[i])
        assert np.allclose(found[at], expected, rtol=0, atol=1e-8, equal_nan=True)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
def test_other_losses_are_refitted(loss):
    labels = np.where(np.isin(np.arange(N), LABELED), (Y[:, 0] > 0).astype(int), -1)
    model = ManifoldClassifier(loss=loss, kernel=RBF(1.5), regularizer=GRAPH, **COMMON)
    objective = model.fit(X, labels).objective_
    found = held_out(objective)
    n = objective.n_rows
    for at, i in enumerate(objective.rows):
        w, target = np.zeros((n, 1)), np.zeros((n, 1))
        w[objective.rows], target[objective.rows] = objective.w, objective.y
        w[i] = 0.0
        other = objective.relabeled(target, w / w.sum())
        refit = other.space.element(choose_solver("auto", other).solve(other).coef)
        tol = 2e-3 if loss == "hinge" else 1e-6
        assert abs(found[at, 0] - refit.readout[i, 0]) < tol


WIDE = Y_ENTRIES * [1.0, 1.0, 9.0]  # unequal tubes
OTHERS = {
    f"{loss}, {name}": (loss, relation, y)
    for loss in ("epsilon_insensitive", "huber")
    for name, (relation, y) in {
        "one": (None, WIDE[:, :1]),
        "alone": (None, WIDE),
        "related": (Q, np.where(np.isnan(WIDE).any(axis=1, keepdims=True), np.nan, WIDE)),
        "related, entries": (Q, WIDE),
    }.items()
}


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("name", OTHERS)
def test_refits_with_a_width_for_each_output(name, weighted):
    """One fit after the other, with the widths of all labels."""
    loss, relation, y = OTHERS[name]
    weight = rng.uniform(0.3, 3.0, N) if weighted else None
    # without an intercept the minimizer is unique
    given = {"loss": loss, "fit_intercept": False, "kernel": RBF(1.5), "regularizer": GRAPH}
    model = VectorValuedRegressor(output_kernel=relation, tol=1e-11, **given, **COMMON)
    objective = model.fit(X, y, sample_weight=weight).objective_
    found = refitted(objective, tol=1e-11)
    assert held_out(objective).shape == found.shape
    assert (np.isnan(found) == np.isnan(y[objective.rows])).all()
    built = objective.loss
    for at, i in enumerate(objective.rows[::3]):
        without = y.copy()
        without[i] = np.nan
        widths = {key: getattr(built, key) for key in built.get_params()}
        refit = clone(model).set_params(loss=type(built)(**widths))
        expected = refit.fit(X, without, sample_weight=weight).transduction_.reshape(y.shape)[i]
        seen = ~np.isnan(found[3 * at])
        assert np.abs(found[3 * at] - expected)[seen].max() < 1e-3


def test_labels_without_a_part_in_an_svm_are_left_out_at_once(monkeypatch):
    """Only the others are fitted again, as columns of one problem."""
    labels = np.where(np.isin(np.arange(N), LABELED), (X[:, 0] > 0).astype(int), -1)
    points = X + 9.0 * np.sign(X[:, :1])
    model = ManifoldClassifier(loss="hinge", kernel="linear", gamma_A=1e-3, gamma_I=0.0)
    objective = model.fit(points, labels).objective_
    asked, solve = [], Dual.solve

    def counted(self, problem, start=None):
        asked.append(problem.n_columns)
        return solve(self, problem, start)

    monkeypatch.setattr(Dual, "solve", counted)
    found = held_out(objective)
    supports = np.count_nonzero(np.abs(model.solution_.coef[:-1]).max(axis=1) > 1e-12)
    assert asked == [1, 1, supports] and supports < len(LABELED) / 2
    assert (np.sign(found) == objective.y).all()


def test_refits_have_a_limit():
    points, labels = np.linspace(0, 1, 301)[:, None], np.arange(301) % 2
    model = ManifoldClassifier(loss="logistic", kernel=RBF(0.2), gamma_A=1.0, gamma_I=0.0)
    assert held_out(model.fit(points, labels).objective_) is None


def test_refits_of_coupled_outputs_are_counted_in_pairs():
    points, labels = np.linspace(0, 1, 40)[:, None], np.arange(40) % 10
    model = StructuredLapSVC(kernel=RBF(0.2), gamma_A=1.0, gamma_I=0.0)
    assert held_out(model.fit(points, labels).objective_) is None
    few = model.fit(points, np.where(np.arange(40) < 20, labels, -1))
    assert held_out(few.objective_).shape == (20, 10)
    assert np.isfinite(unseen_scores(model.fit(points, labels).objective_)).all()


def hopeless():
    """A linear ε-insensitive fit at a tiny γ_A: libsvm does not end within its limit."""
    r = np.random.default_rng(0)
    x, y = r.standard_normal((60, 1)), r.standard_normal(60)
    model = ManifoldRegressor(
        loss="epsilon_insensitive", kernel="linear", gamma_A=1e-7, gamma_I=0.0, fit_intercept=False
    )
    return model.fit(x, y).objective_


def test_what_libsvm_missed_once_it_is_not_asked_again(monkeypatch):
    asked, engine = [], libsvm.libsvm
    objective = hopeless()
    monkeypatch.setattr(libsvm, "libsvm", lambda *a, **k: asked.append(1) or engine(*a, **k))
    found = refitted(objective)
    assert len(asked) == 1
    for i in (0, 30):
        w = np.where(np.arange(60)[:, None] == i, 0.0, 1.0 / 59)
        other = objective.relabeled(objective.y, w)
        refit = other.space.element(choose_solver("auto", other).solve(other).coef)
        assert found[i, 0] == pytest.approx(refit.readout[i, 0], abs=1e-4)


def test_slow_refits_have_a_limit_of_their_own():
    objective = hopeless()
    assert refitted(objective, slow=59) is None
    assert refitted(objective, slow=60).shape == (60, 1)


def test_one_system_serves_every_gamma():
    model = scalar().fit(X, Y_ROWS[:, 0])
    objective = model.objective_
    kernel = objective.deformation.gram(objective.rows)
    system = Labeled(kernel.shared, objective.w[:, 0], kernel.free)
    for scale in (0.1, 7.0):
        # K̃ has γ_A inside: with the ratio kept, both γ's times s is K̃/s
        other = scalar().set_params(gamma_A=0.02 * scale, gamma_I=3.0 * scale).fit(X, Y_ROWS[:, 0])
        residuals = system.residuals(objective.y, [scale])[0][0]
        assert np.allclose(objective.y - residuals, held_out(other.objective_), atol=1e-9)


def test_the_dual_is_the_fit():
    model = scalar().fit(X, Y_ROWS[:, 0])
    objective = model.objective_
    kernel = objective.deformation.gram(objective.rows)
    beta = Labeled(kernel.shared, objective.w[:, 0], kernel.free).duals(objective.y, [1.0])[0]
    missed = objective.y[:, 0] - model.transduction_[objective.rows]
    assert np.allclose(beta[:, 0], objective.w[:, 0] * missed, atol=1e-9)


def test_evidence_is_the_gaussian_density():
    weight = rng.uniform(0.3, 3.0, N)
    objective = scalar(fit_intercept=False).fit(X, Y_ROWS[:, 0], weight).objective_
    kernel = objective.deformation.gram(objective.rows)
    system = Labeled(kernel.shared, objective.w[:, 0])
    tau2 = system.noise(objective.y)[0]
    C = tau2 * (kernel.shared + np.diag(1 / objective.w[:, 0]))
    density = scipy.stats.multivariate_normal(cov=C).logpdf(objective.y[:, 0])
    assert np.isclose(log_evidence(kernel, objective.y, objective.w), density)
    # τ² is the most likely one
    for factor in (0.8, 1.25):
        assert system.log_evidence(objective.y, noise=[factor * tau2])[0] < density


def test_a_row_that_a_free_function_needs_has_no_answer():
    E = np.zeros((4, 2))
    E[:3, 0] = E[3, 1] = 1.0
    system = Labeled(np.eye(4) + 0.1, np.full(4, 0.25), E)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        residuals = system.residuals(np.ones((4, 1)))[0][0]
    assert list(np.isnan(residuals[:, 0])) == [False, False, False, True]
