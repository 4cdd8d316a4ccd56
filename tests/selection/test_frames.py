"""Which ways to look at the points are tried, and which is the default."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN, Distances
from lapwing.graphs import Transformed as TransformedGraph
from lapwing.kernels import RBF, Precomputed
from lapwing.kernels import Transformed as TransformedKernel
from lapwing.regularizers import Laplacian
from lapwing.selection.frames import Frame, few_entries, frames


def named(X):
    """The transformers' names, joined where they follow each other."""
    return [type(f.transformer).__name__ if f.transformer else "" for f in frames(X)]


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_unequal_columns_are_standardized_by_default(load):
    assert named(load().data)[:2] == ["StandardScaler", ""]


@pytest.mark.parametrize("load", [load_digits, load_iris])
def test_columns_in_one_unit_stay_as_they_are(load):
    assert named(load().data)[:2] == ["", "StandardScaler"]


def test_many_columns_have_leading_components():
    X = np.random.default_rng(0).normal(size=(400, 30))
    X /= np.linalg.norm(X, axis=1)[:, None]
    assert named(X) == ["", "PCA"]  # rows of one length, columns of one scale
    assert named(X[:, :15])[-1] != "PCA"
    angles = np.linspace(0, np.pi, 30, endpoint=False)
    plane = X[:, :2] @ [np.cos(angles), np.sin(angles)]
    assert named(plane) == ["", "Normalizer", "PCA"]  # rows of all lengths


def test_words_are_not_standardized():
    X = np.random.default_rng(0).poisson(0.02, size=(100, 50)).astype(float)
    assert few_entries(X)
    assert "StandardScaler" not in named(X)
    assert "Pipeline" not in named(X)
    assert "TruncatedSVD" in named(sp.csr_array(X))


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_sizes_whose_squares_are_no_numbers_stay_as_they_are(size):
    X = size * np.random.default_rng(0).normal(size=(60, 30))
    assert named(X) == [""]


def test_kernel_and_graph_see_the_same_points():
    X = np.random.default_rng(0).normal(size=(40, 3)) * [1.0, 10.0, 100.0]
    Z, frame = StandardScaler().fit_transform(X), Frame(StandardScaler())
    kernel = frame.kernel(RBF("local")).build(X)
    assert np.allclose(kernel(X), RBF("local").build(Z)(Z))
    # new points by the training rows' means and deviations
    assert np.allclose(kernel(X[:3] + 1.0, X), RBF("local").build(Z)(Z[:3] + 1.0 / X.std(0), Z))
    graph = frame.graph(KNN(4)).build(X)
    assert np.allclose(graph.W.toarray(), KNN(4).build(Z).W.toarray())


def test_what_cannot_be_transformed_says_so():
    with pytest.raises(ValueError, match="precomputed Gram matrix"):
        TransformedKernel(Precomputed(), StandardScaler()).build(np.eye(3))
    with pytest.raises(ValueError, match="not fitted yet"):
        TransformedKernel(RBF(1.0), StandardScaler())(np.eye(3))
    with pytest.raises(ValueError, match="given distances"):
        TransformedGraph(KNN(), StandardScaler()).build(Distances(1.0 - np.eye(3)))


def test_directions_are_chosen_where_short_rows_are_near_to_all():
    """Swings of four sizes and frequencies: those at rest are the neighbors of all others."""
    random, truth = np.random.default_rng(0), np.repeat(np.arange(4), 30)
    size, often = np.array([[0.1, 1.0, 5.0, 10.0], [0.0, 0.05, 0.1, 0.17]])[:, truth, None]
    swing = np.sin(2 * np.pi * (often * np.arange(100) + random.random((120, 1))))
    X = size * (swing + random.normal(size=(120, 100)))
    y = np.where(np.arange(120) % 30 < 5, truth, -1)
    plain = LapRLSClassifier(
        kernel=RBF("local"), regularizer=Laplacian(KNN(6)), gamma_A="rule", gamma_I="10*rule"
    )
    errors = [np.mean(m.fit(X, y).transduction_ != truth) for m in (LapRLSClassifier(), plain)]
    assert errors[0] < 0.2 and errors[1] > 0.4


def test_clouds_are_looked_at_along_their_leading_components():
    random = np.random.default_rng(0)
    X, truth = random.normal(size=(400, 100)), np.repeat([0, 1], 200)
    X[truth == 1, 0] += 6.0
    y = np.where(np.arange(400) % 200 < 8, truth, -1)
    model = LapRLSClassifier().fit(X, y)
    assert np.mean(model.transduction_ != truth) < 0.15


def test_new_messages_are_seen_in_all_columns_where_the_graph_sees_components():
    """Components of 300 messages fit their own words better than those of new ones."""
    draw = np.random.default_rng(0)
    base = draw.dirichlet(np.full(2000, 0.05))
    topics = [0.7 * base + 0.3 * draw.dirichlet(np.full(2000, 0.02)) for _ in range(3)]
    truth = np.arange(300) % 3
    X = sp.csr_array(np.log1p([draw.multinomial(40, topics[c]) for c in truth]))
    y = np.where(np.arange(300) < 24, truth, -1)
    trials = LapRLSClassifier().fit(X, y).selection_.trials
    along = [t for t in trials if "SVD" in str(t.regularizer)]
    assert {bool(t.gamma_I) for t in along} == {True, False}
    for trial in along:
        assert ("SVD" in str(trial.kernel)) == (not trial.gamma_I)
    cloud = np.random.default_rng(1).normal(size=(100, 40))
    assert not any(frame.words for frame in frames(cloud))
