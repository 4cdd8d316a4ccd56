"""The decision surface shows the classifier, and the points that it learned from."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC
from lapwing.datasets import keep_labels, make_two_moons
from lapwing.inspection import DecisionSurfaceDisplay
from problems import BY_RULE


@pytest.fixture(scope="module")
def moons():
    X, y, _ = make_two_moons(80, labels_per_class=3, random_state=0)
    return X, y, LapRLSClassifier(**BY_RULE).fit(X, y)


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(0)
    truth = np.repeat(["ant", "bee", "cow"], 20)
    X = np.repeat([[0.0, 0.0], [4.0, 0.0], [2.0, 4.0]], 20, axis=0)
    X = X + 0.4 * rng.standard_normal(X.shape)
    y = keep_labels(truth, 2, random_state=0)
    return X, y, LapSVC(**BY_RULE | {"gamma_A": 1e-3}).fit(X, y)


def test_the_surface_is_the_decision_function(moons):
    X, y, model = moons
    d = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=20)
    grid = np.column_stack([d.xx.ravel(), d.yy.ravel()])
    assert_allclose(d.response.ravel(), model.decision_function(grid))
    assert_allclose(d.limit, np.abs(model.decision_function(X)).max())
    shown = d.plot().surface_.get_array()
    assert_allclose(np.ravel(shown), d.response.ravel())


def test_the_boundary_is_where_f_vanishes(moons):
    X, y, model = moons
    d = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=150).plot()
    (line,) = d.boundary_
    vertices = np.vstack([p.vertices for p in line.get_paths()])
    assert np.abs(model.decision_function(vertices)).max() < 0.02 * np.abs(d.response).max()


def test_points_axes_and_legend(moons):
    X, y, model = moons
    d = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=20).plot(title="moons")
    assert d.ax_.get_title() == "moons"
    assert d.figure_ is d.ax_.figure
    assert_allclose(d.unlabeled_.get_offsets(), X[y == -1])
    assert len(d.labeled_) == 2
    for c, drawn in enumerate(d.labeled_):
        assert_allclose(drawn.get_offsets(), X[y == c])
        assert drawn.get_sizes()[0] > 4 * d.unlabeled_.get_sizes()[0]
    assert [t.get_text() for t in d.legend_.get_texts()] == ["0", "1", "unlabeled"]
    (left, right), (low, high) = d.ax_.get_xlim(), d.ax_.get_ylim()
    assert left < X[:, 0].min() and right > X[:, 0].max()
    assert low < X[:, 1].min() and high > X[:, 1].max()


def test_several_classes_show_the_predicted_regions(three):
    X, y, model = three
    d = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=25).plot()
    grid = np.column_stack([d.xx.ravel(), d.yy.ravel()])
    shown = np.ravel(d.surface_.get_array()).astype(int)
    assert (model.classes_[shown] == model.predict(grid)).all()
    assert len(d.labeled_) == len(d.boundary_) == 3
    assert [t.get_text() for t in d.legend_.get_texts()] == ["ant", "bee", "cow", "unlabeled"]


def test_given_axes_are_used_and_no_figure_is_made(moons):
    X, y, model = moons
    figure, ax = plt.subplots()
    before = plt.get_fignums()
    d = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=5)
    assert d.plot(ax).ax_ is ax and d.figure_ is figure
    assert d.plot(ax, legend=False).legend_ is None
    assert plt.get_fignums() == before


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", [SVC(), LinearSVC(), KNeighborsClassifier(3)])
def test_classifiers_of_scikit_learn(three, model, classes):
    X, truth = three[0][: 20 * classes], np.repeat(np.arange(classes), 20)
    model.fit(X, truth)
    d = DecisionSurfaceDisplay.from_estimator(model, X, truth, grid_resolution=15).plot()
    grid = np.column_stack([d.xx.ravel(), d.yy.ravel()])
    code = (d.response > 0).astype(int) if classes == 2 else d.response.argmax(axis=2)
    clear = np.abs(d.response).ravel() > 1e-9 if classes == 2 else slice(None)
    assert (code.ravel() == model.predict(grid))[clear].all()
    assert d.unlabeled_ is None


@pytest.mark.filterwarnings("error")
def test_a_data_frame_names_the_axes(moons):
    pandas = pytest.importorskip("pandas")
    X, y, model = moons
    frame = pandas.DataFrame(X, columns=["width", "height"])
    named = LapRLSClassifier(**BY_RULE).fit(frame, y)
    d = DecisionSurfaceDisplay.from_estimator(named, frame, y, grid_resolution=9).plot()
    assert (d.ax_.get_xlabel(), d.ax_.get_ylabel()) == ("width", "height")
    plain = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=9)
    assert_allclose(d.response, plain.response)


@pytest.mark.parametrize(("stretch", "aspect"), [(1.0, 1.0), (100.0, "auto")])
def test_the_plane_is_to_scale_unless_that_makes_it_a_line(moons, stretch, aspect):
    X, y, _ = moons
    X = X * [1.0, stretch]
    model = LapRLSClassifier(**BY_RULE).fit(X, y)
    d = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=9).plot()
    assert d.ax_.get_aspect() == aspect


def test_predict_alone_is_enough(three):
    class OnlyPredict(KNeighborsClassifier):
        predict_proba = property()

    for classes in (2, 3):
        X, truth = three[0][: 20 * classes], np.repeat(np.arange(classes), 20)
        model = OnlyPredict(1).fit(X, truth)
        d = DecisionSurfaceDisplay.from_estimator(model, X, truth, grid_resolution=9)
        grid = np.column_stack([d.xx.ravel(), d.yy.ravel()])
        code = (d.response > 0).astype(int) if classes == 2 else d.response.argmax(axis=2)
        assert (code.ravel() == model.predict(grid)).all()


def test_points_on_a_line_and_equal_points():
    for X in (np.array([[0.0, 1.0], [1.0, 1.0]]), np.ones((2, 2)), np.full((2, 2), 1e9)):
        model = LapRLSClassifier(**BY_RULE).fit(X, [0, 1])
        d = DecisionSurfaceDisplay.from_estimator(model, X, [0, 1], grid_resolution=5)
        assert np.ptp(d.xx) > 0 and np.ptp(d.yy) > 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            d.plot()


def test_errors(moons):
    X, y, model = moons
    show = DecisionSurfaceDisplay.from_estimator
    with pytest.raises(NotFittedError):
        show(LapRLSClassifier(**BY_RULE), X, y)
    with pytest.raises(TypeError, match="needs a classifier or a regressor"):
        show(KMeans(2).fit(X), X)
    with pytest.raises(ValueError, match="two features, but X has 3"):
        show(model, np.column_stack([X, X[:, 0]]), y)
    with pytest.raises(ValueError, match="fitted on 1"):
        show(LapRLSClassifier(**BY_RULE).fit(X[:, :1], y), X, y)
    with pytest.raises(ValueError, match="grid_resolution=1"):
        show(model, X, y, grid_resolution=1)
    with pytest.raises(ValueError, match="labels for 80 points"):
        show(model, X, y[:-1])


@pytest.mark.parametrize("in_pipeline", [False, True])
def test_real_values_are_shown_with_a_scale(in_pipeline):
    X = np.random.default_rng(0).standard_normal((50, 2))
    y = np.where(np.arange(50) < 20, 100.0 + X[:, 0], np.nan)
    model = LapRLSRegressor(**BY_RULE)
    model = (make_pipeline(StandardScaler(), model) if in_pipeline else model).fit(X, y)
    display = DecisionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=30).plot()
    grid = np.column_stack([display.xx.ravel(), display.yy.ravel()])
    np.testing.assert_allclose(display.response.ravel(), model.predict(grid))
    assert display.span == (model.predict(X).min(), model.predict(X).max())
    assert display.labels.labeled.sum() == 20
    assert len(display.boundary_) == 1
    two = LapRLSRegressor(**BY_RULE).fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="one target"):
        DecisionSurfaceDisplay.from_estimator(two, X, y)
