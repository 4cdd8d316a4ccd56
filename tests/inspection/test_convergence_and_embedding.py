"""The certificate's history and the plane of an embedding."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError

from lapwing import (
    LapLogisticClassifier,
    LapRLSClassifier,
    LapSVC,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
)
from lapwing.datasets import make_two_moons
from lapwing.inspection import ConvergenceDisplay, EmbeddingDisplay
from lapwing.inspection.convergence import FLOOR
from lapwing.inspection.embedding import spread
from lapwing.solvers import Solution, Status
from problems import BY_RULE


@pytest.fixture(scope="module")
def moons():
    return make_two_moons(80, labels_per_class=2, random_state=0)


@pytest.mark.parametrize(
    "model",
    [
        LapRLSClassifier(**BY_RULE | {"solver": "cg", "gamma_A": 1e-3}),
        LapRLSClassifier(**BY_RULE | {"solver": "direct"}),
        LapSVC(**BY_RULE | {"loss": "squared_hinge"}),
        LapLogisticClassifier(**BY_RULE),
    ],
    ids=["cg", "direct", "squared hinge", "logistic"],
)
def test_a_smooth_history_runs_from_the_start_to_the_certificate(moons, model):
    X, y, _ = moons
    model.fit(X, y)
    d = ConvergenceDisplay.from_estimator(model).plot()
    x, certificate = d.line_.get_data()
    assert_allclose(x, np.arange(model.solution_.n_iter + 1))
    assert_allclose(certificate[:-1], model.solution_.history[:-1])
    assert certificate[0] == 1.0
    assert_allclose(certificate[-1], max(model.solution_.optimality, FLOOR))
    assert d.ax_.get_yscale() == "log"
    assert_allclose(d.tol_line_.get_ydata(), 1e-8)
    assert d.line_.get_linestyle() == "-"
    assert "∇" in d.ax_.get_ylabel() and d.ax_.get_xlabel() == "iteration"


def test_a_hinge_shows_one_gap_per_column(moons):
    X, y, _ = moons
    d = ConvergenceDisplay.from_estimator(LapSVC(**BY_RULE).fit(X, y)).plot()
    assert d.line_.get_linestyle() == "None"
    assert len(d.history) == 1
    assert "duality gap" in d.ax_.get_ylabel() and "column" in d.ax_.get_xlabel()


def test_several_histories_on_one_axes_differ():
    def solution(history):
        return Solution(np.zeros((1, 1)), Status.CONVERGED, 1, history[-1], history)

    first = ConvergenceDisplay.from_solution(solution([1.0, 0.0]), name="a").plot()
    second = ConvergenceDisplay.from_solution(solution([1.0] * 100), name="b", tol=0.1)
    second.plot(first.ax_, title="both")
    assert first.line_.get_ydata()[-1] == FLOOR
    assert first.line_.get_color() != second.line_.get_color()
    assert first.tol_line_ is None
    texts = [t.get_text() for t in second.legend_.get_texts()]
    assert texts == ["a", "b", "tol = 1e-01"]
    assert second.plot(first.ax_, tol_line=False).tol_line_ is None
    with pytest.raises(ValueError, match="empty history"):
        ConvergenceDisplay.from_solution(Solution(np.zeros((1, 1)), Status.CONVERGED, 0, 0.0))


def test_convergence_errors(moons):
    with pytest.raises(NotFittedError):
        ConvergenceDisplay.from_estimator(LapSVC(**BY_RULE))
    with pytest.raises(TypeError, match="from_solution"):
        ConvergenceDisplay.from_estimator(RegularizedSpectralClustering().fit(moons[0]))


def test_an_embedding_of_training_and_of_new_rows(moons):
    X, y, _ = moons
    eigenmaps = RegularizedLaplacianEigenmaps(n_components=3).fit(X)
    d = EmbeddingDisplay.from_estimator(eigenmaps, y=y, components=(0, 2)).plot(title="maps")
    assert_allclose(d.embedding, eigenmaps.embedding_[:, [0, 2]])
    assert_allclose(d.labeled_[1].get_offsets(), d.embedding[y == 1])
    assert_allclose(d.unlabeled_.get_offsets(), d.embedding[y == -1])
    assert (d.ax_.get_xlabel(), d.ax_.get_ylabel()) == ("component 0", "component 2")
    assert d.legend_.get_title().get_text() == "class"
    assert d.thumbnails_ == []
    new = EmbeddingDisplay.from_estimator(eigenmaps, X[:7])
    assert_allclose(new.embedding, eigenmaps.transform(X[:7])[:, :2])
    clusters = RegularizedSpectralClustering(n_clusters=3, random_state=0).fit(X)
    d = EmbeddingDisplay.from_estimator(clusters, y=clusters.labels_).plot()
    assert sum(len(c.get_offsets()) for c in d.labeled_) == len(X)


def test_eleven_classes_have_eleven_looks():
    rng = np.random.default_rng(0)
    d = EmbeddingDisplay.from_embedding(rng.standard_normal((110, 2)), np.arange(110) % 11).plot()
    looks = {(tuple(c.get_facecolor()[0]), c.get_paths()[0].vertices.tobytes()) for c in d.labeled_}
    assert len(looks) == 11


def test_thumbnails_keep_their_distance():
    points = np.random.default_rng(0).random((300, 2)) * [1.0, 1e6]
    chosen = spread(points, 0.1)
    scaled = points / np.ptp(points, axis=0)
    D = np.linalg.norm(scaled[:, None] - scaled[chosen], axis=2)
    assert D.min(axis=1).max() < 0.1  # no point could be added
    assert (D[chosen] + 9 * np.eye(len(chosen))).min() >= 0.1
    d = EmbeddingDisplay.from_embedding(points, images=np.ones((300, 4, 4))).plot()
    assert len(d.thumbnails_) == len(spread(points))
    assert spread(np.zeros((5, 2))) == [0]


def test_embedding_errors(moons):
    X, y, _ = moons
    show = EmbeddingDisplay.from_estimator
    eigenmaps = RegularizedLaplacianEigenmaps().fit(X)
    with pytest.raises(NotFittedError):
        show(RegularizedLaplacianEigenmaps())
    with pytest.raises(TypeError, match="from_embedding"):
        show(LapSVC(**BY_RULE).fit(X, y))
    with pytest.raises(TypeError, match="no transform"):
        show(RegularizedSpectralClustering(n_clusters=3, random_state=0).fit(X), X)
    with pytest.raises(ValueError, match="two of the 2 columns"):
        show(eigenmaps, components=(0, 2))
    with pytest.raises(ValueError, match="two of the 1 columns"):
        show(RegularizedSpectralClustering().fit(X))
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        EmbeddingDisplay.from_embedding(np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"images must have the shape \(80, h, w\)"):
        show(eigenmaps, images=np.zeros((80, 64)))
    with pytest.raises(ValueError, match="79 labels for 80 points"):
        show(eigenmaps, y=y[:-1])
