"""One clear error for each bad graph, before any search."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapwing.graphs import KNN, Complete, Distances, Given, Radius
from naming import stable

X = np.random.default_rng(0).normal(size=(6, 2))

BAD = [
    (KNN(n_neighbors=0), "n_neighbors is 0"),
    (KNN(n_neighbors=2.5), "n_neighbors is 2.5"),
    (KNN(weight="gauss"), "self-tuning"),
    (KNN(weight=3), "weight is 3"),
    (KNN(t=-1.0), "t is -1.0"),
    (KNN(t="median"), "t is 'median'"),
    (KNN(symmetrize="both"), "symmetrize"),
    (KNN(search="fast"), "search"),
    (KNN(metric="angle"), "metric is 'angle'"),
    (KNN(metric="precomputed"), "Distances"),
    (KNN(metric="correlation", search="kd_tree"), "kd_tree"),
    (Radius(-1.0), "radius is -1.0"),
    (Radius("big"), "radius"),
    (Radius(weight="gauss"), "weight"),
    (Complete(t=0), "t is 0"),
    (KNN(weight=lambda d: -d), "non-negative"),
    (KNN(weight=lambda d: d[:1]), "one finite"),
    (Given(np.ones((2, 3))), "square"),
    (Given(np.array([[0.0, -1.0], [-1.0, 0.0]])), "non-negative"),
    (Given(np.array([[0.0, np.nan], [np.nan, 0.0]])), "NaN"),
    (Given(np.array([[0.0, 1.0], [2.0, 0.0]])), "symmetric"),
    (Given(np.ones((4, 4))), "4 vertices and X has 6 rows"),
]


@pytest.mark.parametrize(("graph", "words"), BAD, ids=stable)
def test_bad_parameters(graph, words):
    with pytest.raises(ValueError, match=words):
        graph.build(X)


@pytest.mark.parametrize("weight", ["cosine", "cosine-distance"])
def test_angles_need_coordinates(weight):
    with pytest.raises(ValueError, match="coordinates"):
        KNN(weight=weight).build(Distances(np.ones((4, 4))))


def test_distances_are_checked():
    with pytest.raises(ValueError, match="square"):
        KNN().build(Distances(np.ones((4, 3))))
    with pytest.raises(ValueError, match="non-negative"):
        KNN().build(Distances(-np.ones((4, 4))))


def test_trees_need_dense_points():
    with pytest.raises(ValueError, match="sparse"):
        KNN(search="kd_tree").build(sp.csr_array(X))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    "graph", [KNN(n_neighbors=2), Radius(), Complete(), KNN(n_neighbors=2, metric="cosine")]
)
def test_points_that_are_nowhere(graph, form, value):
    broken = X.copy()
    broken[2, 1] = value
    with pytest.raises(ValueError, match="NaN or infinity"):
        graph.build(form(broken))
