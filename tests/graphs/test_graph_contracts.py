"""Every graph keeps the contract of `lapwing.testing.graphs`."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from lapwing.graphs import KNN, Complete, Distances, Given, Joined, Radius, Transformed
from lapwing.graphs.weights import WEIGHTS
from lapwing.linalg.pairwise import squared_distances
from lapwing.testing.graphs import check_graph, check_laplacian, check_weights
from naming import stable

X = np.random.default_rng(0).normal(size=(60, 3))
GIVEN = np.exp(-squared_distances(X))

GRAPHS = [
    *(KNN(n_neighbors=5, weight=weight) for weight in WEIGHTS),
    *(Radius(1.0, weight=weight) for weight in WEIGHTS),
    *(Complete(weight=weight) for weight in WEIGHTS),
    KNN(n_neighbors=5, symmetrize="mutual"),
    KNN(n_neighbors=5, t=0.3),
    KNN(n_neighbors=5, weight=np.reciprocal),
    KNN(n_neighbors=5, metric="cosine"),
    KNN(n_neighbors=5, metric="manhattan"),
    KNN(n_neighbors=59),
    KNN(n_neighbors=1000),
    Radius(0.0),
    Radius(100.0, t=2.0),
    Radius(0.5, metric="cosine"),
    Radius(2.0, metric="manhattan"),
    Complete(metric="manhattan"),
    Given(GIVEN),
    Transformed(KNN(n_neighbors=5), StandardScaler(with_mean=False)),
    Joined(KNN(n_neighbors=2), 10),
]


@pytest.mark.parametrize("graph", GRAPHS, ids=stable)
def test_contract(graph):
    check_graph(graph, X)


@pytest.mark.parametrize("search", ["auto", "brute", "kd_tree", "ball_tree"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan"])
def test_every_search_finds_the_same_graph(search, metric):
    W = KNN(n_neighbors=4, search=search, metric=metric).build(X).W.toarray()
    np.testing.assert_allclose(
        W, KNN(n_neighbors=4, metric=metric).build(X).W.toarray(), rtol=1e-12
    )


DEGENERATE = {
    "one point": np.ones((1, 2)),
    "two points": np.array([[0.0], [1.0]]),
    "all equal": np.ones((20, 2)),
    "zeros": np.zeros((7, 2)),
    "duplicates": np.repeat(X[:4], [12, 1, 3, 1], axis=0),
    "constant column": np.column_stack([X[:, 0], np.full(60, 1e9)]),
    "huge": X * 1e300,
    "tiny": X * 1e-300,
    "an outlier": np.vstack([X, [[1e8, 0, 0]]]),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("rule", [KNN(n_neighbors=3), Radius(0.5), Complete()], ids=stable)
def test_degenerate_points_have_a_graph(rule, weight, name):
    points = DEGENERATE[name]
    built = rule.set_params(weight=weight).build(points)
    check_weights(built, len(points))
    check_laplacian(built)


@pytest.mark.parametrize("rule", [KNN(n_neighbors=3), Radius(1.2), Complete()], ids=stable)
@pytest.mark.parametrize("weight", ["heat", "binary", "self-tuning", np.reciprocal])
def test_distances_in_place_of_points(rule, weight):
    rule = rule.set_params(weight=weight)
    D = Distances(np.sqrt(squared_distances(X)))
    by_distance, by_points = rule.build(D).W.toarray(), rule.build(X).W.toarray()
    np.testing.assert_allclose(by_distance, by_points, rtol=1e-9)
