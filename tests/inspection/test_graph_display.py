"""Every edge once, every label, every point that no label reaches."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lapwing import LapRLSClassifier, LapRLSRegressor, RegularizedLaplacianEigenmaps
from lapwing.datasets import make_two_moons
from lapwing.exceptions import UnreachedWarning
from lapwing.graphs import KNN, Given
from lapwing.inspection import (
    ConvergenceDisplay,
    DecisionSurfaceDisplay,
    EmbeddingDisplay,
    GraphDisplay,
    SelectionDisplay,
)
from lapwing.inspection.positions import in_the_plane
from lapwing.regularizers import Laplacian
from problems import BY_RULE


@pytest.fixture(scope="module")
def moons():
    X, y, _ = make_two_moons(80, random_state=0)
    return X, y, LapRLSClassifier(**BY_RULE).fit(X, y)


def test_edges_and_weights_are_those_of_the_graph(moons):
    X, y, model = moons
    d = GraphDisplay.from_estimator(model, X, y).plot()
    W = model.regularizer_.graph.W
    i, j = d.edges.T
    assert (i < j).all()
    assert 2 * len(d.edges) == W.nnz
    assert_allclose(W.toarray()[i, j], d.weights)
    segments = d.edges_.get_segments()
    assert len(segments) == len(d.edges)
    assert_allclose(segments, X[d.edges])
    widths = np.asarray(d.edges_.get_linewidths())
    assert_array_equal(np.argsort(widths, kind="stable"), np.argsort(d.weights, kind="stable"))


def test_labels_legend_and_limits(moons):
    X, y, model = moons
    d = GraphDisplay.from_estimator(model, X, y).plot()
    assert [len(c.get_offsets()) for c in d.labeled_] == [1, 1]
    assert len(d.unlabeled_.get_offsets()) == 78
    assert d.unreached_ is None
    assert [t.get_text() for t in d.legend_.get_texts()] == ["0", "1", "unlabeled"]
    assert d.ax_.get_xlim()[0] <= X[:, 0].min() and d.ax_.get_xlim()[1] >= X[:, 0].max()
    assert d.ax_.get_title().startswith("80 points, ")
    assert d.plot(title="mine", legend=False).ax_.get_title() == "mine"


def two_pairs():
    W = np.zeros((5, 5))
    W[0, 1] = W[1, 0] = W[2, 3] = W[3, 2] = 1.0
    return W


def test_unreached_points_are_crossed():
    X = np.array([[0.0, 0], [1, 0], [0, 5], [1, 5], [3, 3]])
    y = np.array([0, 1, -1, -1, -1])
    with pytest.warns(UnreachedWarning):
        model = LapRLSClassifier(**BY_RULE | {"regularizer": Laplacian(Given(two_pairs()))}).fit(
            X, y
        )
    for d in (
        GraphDisplay.from_estimator(model, X, y),
        GraphDisplay.from_graph(two_pairs(), X, y),
        GraphDisplay.from_graph(sp.csr_array(two_pairs()), X, y),
    ):
        d.plot()
        assert_allclose(d.unreached_.get_offsets(), X[2:])
        assert d.ax_.get_title() == "5 points, 2 edges, 3 components"
        assert "no label reaches (3)" in [t.get_text() for t in d.legend_.get_texts()]


def test_without_any_label_nothing_is_called_unreached():
    d = GraphDisplay.from_graph(two_pairs(), np.eye(5)).plot()
    assert d.unreached_ is None and not d.unreached.any()
    assert d.labeled_ == []


def test_a_graph_without_edges():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        d = GraphDisplay.from_graph(np.zeros((3, 3)), np.eye(3)[:, :2]).plot()
    assert len(d.edges_.get_segments()) == 0
    assert d.ax_.get_title() == "3 points, 0 edges, 3 components"


def test_more_dimensions_or_given_positions():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 5))
    graph = KNN(n_neighbors=4).build(X)
    d = GraphDisplay.from_graph(graph, X).plot()
    assert d.positions.shape == (30, 2)
    assert d.ax_.get_xlabel() == "t-SNE 0"
    given = rng.standard_normal((30, 2))
    assert_allclose(GraphDisplay.from_graph(graph, positions=given).positions, given)
    eigenmaps = RegularizedLaplacianEigenmaps().fit(X)
    d = GraphDisplay.from_estimator(eigenmaps, positions=eigenmaps.embedding_)
    assert_allclose(d.positions, eigenmaps.embedding_)


def test_a_regressor_marks_its_labeled_rows():
    X = np.random.default_rng(0).standard_normal((30, 2))
    target = np.where(np.arange(30) < 4, X[:, 0], np.nan)
    model = LapRLSRegressor(**BY_RULE).fit(X, target)
    d = GraphDisplay.from_estimator(model, X).plot()
    assert_allclose(d.labeled_[0].get_offsets(), X[:4])
    assert [t.get_text() for t in d.legend_.get_texts()][:2] == ["labeled", "unlabeled"]


def test_errors(moons):
    X, y, model = moons
    with pytest.raises(NotFittedError):
        GraphDisplay.from_estimator(LapRLSClassifier(**BY_RULE), X, y)
    with pytest.raises(TypeError, match="needs an estimator of lapwing"):
        GraphDisplay.from_estimator(SVC().fit(X, X[:, 0] > 0), X)
    with pytest.raises(ValueError, match="without a graph"):
        GraphDisplay.from_estimator(LapRLSClassifier(**BY_RULE | {"gamma_I": 0.0}).fit(X, y), X, y)
    with pytest.raises(ValueError, match="Give X"):
        GraphDisplay.from_estimator(model)
    with pytest.raises(ValueError, match="Give X"):
        GraphDisplay.from_graph(two_pairs())
    with pytest.raises(ValueError, match="79 positions for 80"):
        GraphDisplay.from_estimator(model, X[:-1], y)
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        GraphDisplay.from_estimator(model, positions=np.zeros((80, 3)))


def test_a_graph_in_many_dimensions_is_drawn_in_an_embedding():
    """Neighbors are drawn near each other: edges are short beside the picture."""
    X, y = load_digits(n_class=4, return_X_y=True)
    X, y = X[:150], np.where(np.arange(150) < 30, y[:150], -1)
    model = LapRLSClassifier(**BY_RULE).fit(X, y)
    display = GraphDisplay.from_estimator(model, X, y)
    assert display.axis == "t-SNE"
    projected = GraphDisplay.from_estimator(model, X, y, positions=in_the_plane(X)[0])

    def length_of_edges(shown):
        ends = shown.positions[shown.edges]
        return np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).mean() / shown.positions.std()

    assert length_of_edges(display) < 0.5 * length_of_edges(projected)
    again = GraphDisplay.from_estimator(model, X, y)
    np.testing.assert_array_equal(again.positions, display.positions)


def test_pipelines_are_shown_by_their_last_step():
    X, y, _ = make_two_moons(60, labels_per_class=10, random_state=0)
    pipeline = make_pipeline(StandardScaler(), LapRLSClassifier(regularizer=Laplacian(KNN(5))))
    pipeline.set_params(laprlsclassifier__gamma_I="rule").fit(X, y)
    scaled = pipeline[:-1].transform(X)
    np.testing.assert_allclose(GraphDisplay.from_estimator(pipeline, X, y).positions, scaled)
    assert ConvergenceDisplay.from_estimator(pipeline).name == "LapRLSClassifier"
    assert SelectionDisplay.from_estimator(pipeline).selection is pipeline[-1].selection_
    surface = DecisionSurfaceDisplay.from_estimator(pipeline, X, y, grid_resolution=20)
    np.testing.assert_array_equal(surface.X, X)
    embedding = make_pipeline(StandardScaler(), RegularizedLaplacianEigenmaps()).fit(X)
    assert EmbeddingDisplay.from_estimator(embedding, X).embedding.shape == (60, 2)


def test_the_labels_of_the_fit_are_drawn_where_none_are_given():
    X, y, _ = make_two_moons(60, labels_per_class=3, random_state=0)
    model = LapRLSClassifier(kernel="rbf", regularizer="laplacian", gamma_I="rule").fit(X, y)
    display = GraphDisplay.from_estimator(model, X)
    assert_array_equal(display.labels.codes, GraphDisplay.from_estimator(model, X, y).labels.codes)
    assert (display.labels.codes >= 0).sum() == 6
