"""lapwing.path: every point is the fit with its parameters, and starts where the last one ended."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

import lapwing
from lapwing import (
    CoMRClassifier,
    CoMRRegressor,
    CoRLSClassifier,
    CoRLSRegressor,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapS3LRegressor,
    LapSVC,
    LSMRRegressor,
    ManifoldClassifier,
    ManifoldRegressor,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.datasets import make_two_moons
from lapwing.estimators.recipes import views as multiview
from lapwing.inspection import PathDisplay
from lapwing.kernels import RBF
from lapwing.outputs import OutputGraph
from lapwing.problem import reduce
from problems import BY_RULE

X, Y, TRUTH = make_two_moons(70, labels_per_class=5, random_state=0)
TARGET = np.where(Y >= 0, X[:, 0], np.nan)
RULE = BY_RULE | {"kernel": RBF(0.4)}
VIEWS = [("a", "rbf", [0]), ("b", "rbf", [1])]
TIED = {"gamma_C": 5.0, "fit_intercept": True}
HOLES = np.column_stack([TARGET, 2.0 * TARGET + 1.0])
HOLES[np.flatnonzero(Y >= 0)[0], 1] = np.nan
Q = np.array([[2.0, 1.0], [1.0, 2.0]])
CASES = [
    (LapRLSClassifier(**RULE), Y),
    (LapSVC(**RULE), Y),
    (LapSVC(**RULE, loss="squared_hinge"), Y),
    (LapLogisticClassifier(**RULE), Y),
    (LapRLSRegressor(**RULE), TARGET),
    (ManifoldRegressor(**RULE), TARGET),
    (StructuredLapSVC(kernel=RBF(0.4)), Y),
    (VectorValuedClassifier(**RULE), Y),
    (VectorValuedClassifier(**RULE, loss="logistic"), Y),
    (VectorValuedRegressor(**RULE, output_kernel=Q), HOLES),
    (ManifoldClassifier(**RULE), Y),
    (CoRLSRegressor(VIEWS, **TIED), HOLES),
    (CoRLSClassifier(VIEWS, **TIED, loss="logistic"), Y),
    (CoMRClassifier(VIEWS, **TIED), Y),
    (CoMRRegressor(VIEWS, **TIED), TARGET),
]
WITHOUT_AMBIENT = [
    (LSMRRegressor(kernel=RBF(0.4), n_components=5, gamma_M=0.1), HOLES),
    (LapS3LRegressor(kernel=RBF(0.4), n_components=5), HOLES),
]


@pytest.mark.parametrize("model, y", CASES, ids=lambda c: type(c).__name__)
def test_every_point_is_a_fit(model, y):
    grid = {"gamma_I": [0.1, 1.0, 10.0], "gamma_A": [1e-3, 1e-2]}
    points = list(lapwing.path(model, X, y, X_new=X[:3] + 0.01, **grid))
    asked = [(g, a) for g in grid["gamma_I"] for a in grid["gamma_A"]]
    assert_allclose([(p.gamma_I, p.gamma_A) for p in points], asked)
    for p in points[::3]:
        fit = clone(model).set_params(gamma_I=p.gamma_I, gamma_A=p.gamma_A).fit(X, y)
        expected = fit.objective_.space.element(fit.solution_.coef).readout
        assert_allclose(p.readout, expected, atol=2e-3 * np.abs(expected).max())
        assert_allclose(p.readout_new, fit._readout(X[:3] + 0.01), atol=5e-3)
        assert not p.objective.loss.smooth or p.optimality() < 1e-5


@pytest.mark.parametrize("model, y", WITHOUT_AMBIENT, ids=lambda c: type(c).__name__)
def test_points_of_eigenvectors_are_fits(model, y):
    points = list(lapwing.path(model, X, y, gamma_I=[0.1, 1.0, 10.0], X_new=X[:3] + 0.01))
    for p in points:
        fit = clone(model).set_params(gamma_I=p.gamma_I).fit(X, y)
        assert_allclose(p.readout, fit.transduction_, atol=1e-6)
        assert_allclose(p.readout_new, fit.predict(X[:3] + 0.01), atol=1e-6)


def test_no_estimator_is_left_out():
    asked = {type(model) for model, _ in [*CASES, *WITHOUT_AMBIENT]}
    public = {getattr(lapwing, name) for name in lapwing.__all__}
    minimizing = {c for c in public if isinstance(c, type) and hasattr(c, "leave_one_out_")}
    assert minimizing - asked == {SSSLRegressor}  # it has no γ: its path is one point
    (point,) = lapwing.path(SSSLRegressor(kernel=RBF(0.4)), X, HOLES)
    fit = SSSLRegressor(kernel=RBF(0.4)).fit(X, HOLES)
    assert_allclose(point.readout, fit.transduction_)


@pytest.mark.parametrize(
    "model",
    [
        LapLogisticClassifier(**RULE),
        CoRLSClassifier(VIEWS, **TIED, gamma_A=1e-3, loss="logistic"),
        StructuredLapSVC(kernel=RBF(0.4), gamma_A=1e-2),
    ],
    ids=lambda m: type(m).__name__,
)
def test_warm_starts_are_used(model):
    gammas = np.logspace(-1, 1, 12)
    warm = sum(p.n_iter for p in lapwing.path(model, X, Y, gamma_I=gammas))
    cold = sum(next(lapwing.path(model, X, Y, gamma_I=[g])).n_iter for g in gammas)
    assert warm < 0.8 * cold


def test_views_are_built_once(monkeypatch):
    model = CoRLSClassifier(VIEWS, **TIED, gamma_A=1e-3)
    calls = []
    real = multiview.build_views
    monkeypatch.setattr(multiview, "build_views", lambda *a: calls.append(1) or real(*a))
    assert len(list(lapwing.path(model, X, Y, gamma_I=np.logspace(-1, 1, 7)))) == 7
    assert len(calls) <= 2


@pytest.mark.parametrize("outputs", [None, np.array([[2.0, 1.0], [1.0, 2.0]])])
def test_a_solution_starts_at_itself(outputs):
    """The dual of a minimizer, reduced to the labels, has no gradient there."""
    labels = np.where(Y[:, None] >= 0, np.column_stack([Y, 1 - Y]), np.nan)
    model = VectorValuedClassifier(loss="logistic", kernel=RBF(0.4), output_kernel=outputs)
    model.set_params(space="exact").fit(X, labels)
    o = model.objective_
    reduced = reduce(o)
    begun = reduced.begin(o, o.space.element(model.solution_.coef))
    assert reduced.problem.optimality(begun) < 1e-5


def test_one_parameter_alone_and_errors():
    model = LSMRRegressor()
    points = list(lapwing.path(model, X, TARGET, gamma_I=[0.1, 1.0]))
    fit = LSMRRegressor(gamma_I=1.0).fit(X, TARGET)
    assert_allclose(points[1].readout[:, 0], fit.transduction_, atol=1e-6)
    assert next(lapwing.path(LapSVC(), X, Y, gamma_A=[1.0])).gamma_I > 0
    with pytest.raises(ValueError, match="gamma_O"):
        lapwing.path(LapSVC(), X, Y, gamma_O=[0.5])
    with pytest.raises(ValueError, match="no parameter gamma_A"):
        lapwing.path(model, X, TARGET, gamma_A=[1.0])
    with pytest.raises(ValueError, match=">= 0"):
        lapwing.path(LapSVC(), X, Y, gamma_I=[-1.0])
    with pytest.raises(ValueError, match="non-empty"):
        lapwing.path(LapSVC(), X, Y, gamma_I=[])


def test_the_display_counts_changes():
    points = list(lapwing.path(LapRLSClassifier(**RULE), X, Y, gamma_I=[0.0, 1.0, 100.0]))
    display = PathDisplay.from_path(points).plot()
    signs = np.array([p.readout[:, 0] > 0 for p in points])
    assert_allclose(display.share_.get_ydata(), (signs != signs[0]).mean(axis=1))
    assert len(display.lines_) == 60
    y3 = np.where(Y >= 0, (np.arange(70) % 3), -1)
    several = PathDisplay.from_path(lapwing.path(LapRLSClassifier(), X, y3, gamma_I=[0.1, 1.0]))
    assert (several.values >= 0).all() and several.changed[0] == 0


def test_grids_of_views_and_eigenvectors():
    """γ_C of views, γ_M and the number of eigenvectors: each point is the fit at its setting."""
    views = CoRLSRegressor(VIEWS, gamma_A=1e-3, gamma_I=1.0, fit_intercept=True)
    points = list(lapwing.path(views, X, TARGET, gamma_C=[0.5, 5.0], gamma_A=[1e-3, 1e-2]))
    assert [(p.gamma_C, p.gamma_A) for p in points] == [
        (0.5, 1e-3), (0.5, 1e-2), (5.0, 1e-3), (5.0, 1e-2),
    ]  # fmt: skip
    for p in points:
        fit = clone(views).set_params(gamma_C=p.gamma_C, gamma_A=p.gamma_A).fit(X, TARGET)
        assert_allclose(p.readout, np.reshape(fit.predict(X), p.readout.shape), atol=1e-7)
    targets = LSMRRegressor(kernel=RBF(0.4), gamma_I=1.0)
    grid = {"gamma_M": [0.01, 1.0], "n_components": [3, 6]}
    points = list(lapwing.path(targets, X, HOLES, **grid, X_new=X[:2]))
    assert [(p.gamma_M, p.n_components) for p in points] == [(0.01, 3), (0.01, 6), (1, 3), (1, 6)]
    for p in points:
        setting = {"gamma_M": p.gamma_M, "n_components": p.n_components}
        fit = clone(targets).set_params(**setting).fit(X, HOLES)
        assert_allclose(p.readout, fit.predict(X), atol=1e-8)
        assert_allclose(p.readout_new, fit.predict(X[:2]), atol=1e-8)
    with pytest.raises(ValueError, match="no parameter gamma_C"):
        lapwing.path(targets, X, HOLES, gamma_C=[1.0])
    with pytest.raises(ValueError, match="positive integers"):
        lapwing.path(targets, X, HOLES, n_components=[2.5])


def test_output_graphs_between_targets_of_views():
    model = CoRLSRegressor(VIEWS, gamma_A=1e-2, gamma_I=0.0, output_kernel=OutputGraph(), **TIED)
    points = list(lapwing.path(model, X, HOLES, gamma_O=[0.0, 0.5, 0.9]))
    assert [p.gamma_O for p in points] == [0.0, 0.5, 0.9]
    for p in points:
        fit = clone(model).set_params(output_kernel__gamma_O=p.gamma_O).fit(X, HOLES)
        assert_allclose(p.readout, fit.predict(X), atol=1e-7)
    with pytest.raises(ValueError, match="output_kernel"):
        lapwing.path(clone(model).set_params(output_kernel=Q), X, HOLES, gamma_O=[0.5])
