"""Searches: exact ones agree with brute force, others say how good they are, all plug in."""

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.neighbors import (
    KNeighborsTransformer,
    RadiusNeighborsTransformer,
    kneighbors_graph,
    radius_neighbors_graph,
)

from lapwing.exceptions import ApproximationWarning, GraphWarning
from lapwing.graphs import KNN, Complete, Distances, Radius, dense, search
from lapwing.graphs.search import Neighbors, nearest
from lapwing.graphs.sparse import SparseSearch

rng = np.random.default_rng(1)
X = rng.normal(size=(300, 6))


def brute(points, k):
    D = cdist(points, points)
    np.fill_diagonal(D, np.inf)
    return np.sort(D, axis=1)[:, :k]


def clouds(n=3000, d=20):
    return 4 * rng.normal(size=(60, d))[rng.integers(60, size=n)] + rng.normal(size=(n, d))


HARD = {
    "cloud": clouds(700),
    "far from the origin": clouds(700) + 1e7,
    "a far point": np.vstack([clouds(400), np.full((1, 20), 1e9)]),
    "tight groups": np.vstack([1e-4 * rng.normal(size=(200, 20)) + c for c in (-30.0, 0.0, 50.0)]),
    "many columns": rng.normal(size=(300, 2000)),
    "scales": rng.normal(size=(500, 20)) * 10.0 ** rng.uniform(-6, 6, size=(500, 1)),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("way", ["exact", "brute", "kd_tree"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exact_means_exact(name, way, dtype):
    points = HARD[name].astype(dtype).astype(np.float64)
    lists = nearest(points.astype(dtype), 5, search=way, most=5)
    assert_allclose(lists.distances.reshape(-1, 5), brute(points, 5), rtol=1e-11)


def test_single_precision_alone_would_not_do():
    """Groups so tight that float32 products say nothing are searched again in float64."""
    points = HARD["tight groups"]
    products = dense._Products(points, np.arange(len(points)), np.dtype("f4"))
    _, _, counts = products.below_kth(np.arange(len(points)), 5)
    assert counts.min() > 4 * 5 + 64


def test_candidates_are_few_on_ordinary_data():
    points = clouds(2000)
    products = dense._Products(points, np.arange(2000), np.dtype("f4"))
    _, _, counts = products.below_kth(np.arange(200), 10)
    assert counts.min() >= 11 and counts.mean() < 16


@pytest.mark.parametrize("mode", ["distance"])
@pytest.mark.parametrize("asked", [2, 5, 9])
def test_a_transformer_of_scikit_learn_plugs_in(mode, asked):
    expected = KNN(n_neighbors=5).build(X).W.toarray()
    finder = KNeighborsTransformer(n_neighbors=asked, mode=mode)
    assert_allclose(KNN(n_neighbors=5, search=finder).build(X).W.toarray(), expected, rtol=1e-9)
    assert finder.n_neighbors == asked  # the user's object is left as it is


def test_a_radius_transformer_plugs_in():
    finder = RadiusNeighborsTransformer(radius=100.0)
    W = KNN(n_neighbors=5, search=finder).build(X).W.toarray()
    assert_allclose(W, KNN(n_neighbors=5).build(X).W.toarray(), rtol=1e-9)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix])
def test_a_precomputed_neighbor_graph(form):
    D = form(kneighbors_graph(X, 8, mode="distance"))
    expected = KNN(n_neighbors=5).build(X).W.toarray()
    assert_allclose(KNN(n_neighbors=5).build(Distances(D)).W.toarray(), expected, rtol=1e-9)
    assert_allclose(
        KNN(n_neighbors=5, metric="precomputed").build(D).W.toarray(), expected, rtol=1e-9
    )
    near = radius_neighbors_graph(X, 1.5, mode="distance")
    by_radius = Radius(1.2, metric="precomputed").build(near).W.toarray()
    assert_allclose(by_radius, Radius(1.2).build(X).W.toarray(), rtol=1e-9)


def test_a_dense_matrix_of_distances_is_precomputed_too():
    W = KNN(n_neighbors=5, metric="precomputed").build(cdist(X, X)).W.toarray()
    assert_allclose(W, KNN(n_neighbors=5).build(X).W.toarray(), rtol=1e-9)


def test_what_is_no_search_is_refused():
    for bad in ("fast", 3, PCA, None):
        with pytest.raises(ValueError, match="KNeighborsTransformer"):
            KNN(search=bad).build(X)
    with pytest.raises(ValueError, match="square"):
        KNN(search=PCA(2)).build(X)
    with pytest.raises(ValueError, match="distances were given"):
        KNN(search=KNeighborsTransformer()).build(Distances(cdist(X, X)))


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis"])
def test_metrics_with_parameters_are_refused_clearly(metric):
    for graph in (
        KNN(metric=metric),
        Radius(metric=metric),
        KNN(metric=metric, search="ball_tree"),
    ):
        with pytest.raises(ValueError, match="parameters of its own; scale the columns"):
            graph.build(X)


def test_a_clipped_k_is_said():
    with pytest.warns(GraphWarning, match="n_neighbors is 5000 and there are only 300 points"):
        W = KNN(n_neighbors=5000, weight="binary").build(X).W
    assert W.nnz == 300 * 299
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KNN(n_neighbors=299).build(X)
        KNN().build(X[:6])  # of six points nobody expects ten neighbors


def test_the_users_matrix_is_left_as_it_is():
    S = sp.csr_array(([1.0, 2.0, 0.0, 3.0], [3, 1, 0, 2], [0, 2, 3, 4]), shape=(3, 4))
    before = S.indices.copy(), S.data.copy()
    KNN(n_neighbors=1).build(S)
    assert_array_equal(S.indices, before[0])
    assert_array_equal(S.data, before[1])


def test_exact_search_never_holds_all_pairs():
    points = clouds(6000)
    tracemalloc.start()
    nearest(points, 10, search="exact")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 6000**2 / 2.5


def recall(lists, points, k):
    kth = brute(points, k)[:, -1]
    return (
        np.mean(lists.distances <= kth[lists.rows] * (1 + 1e-9))
        * len(lists.indices)
        / (k * lists.n)
    )


def test_approximate_search_finds_nearly_all():
    pytest.importorskip("faiss")
    points = clouds(4000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lists = nearest(points, 10, search="approximate")
    assert recall(lists, points, 10) > 0.93
    i, j = lists.rows, lists.indices
    assert_allclose(lists.distances, np.linalg.norm(points[i] - points[j], axis=1), rtol=1e-12)


def test_approximate_search_is_repeatable():
    pytest.importorskip("faiss")
    points = clouds(4000)
    a, b = (KNN(search="approximate", random_state=3).build(points).W for _ in range(2))
    assert (a != b).nnz == 0


def test_poor_recall_is_said():
    pytest.importorskip("faiss")
    noise = rng.normal(size=(20000, 40))
    with pytest.warns(ApproximationWarning, match=r"finds \d\d% of the 10 nearest"):
        nearest(noise, 10, search="approximate")


def test_approximate_is_chosen_by_size(monkeypatch):
    pytest.importorskip("faiss")
    points = clouds(3000)
    exact = KNN().build(points).W
    monkeypatch.setattr(search, "_APPROXIMATE_FROM", 2000)
    assert (exact != KNN(search="exact").build(points).W).nnz == 0
    approximate = KNN().build(points).W
    monkeypatch.setattr(search, "is_installed", lambda: False)
    assert (exact != KNN().build(points).W).nnz == 0  # not installed: exact
    shared = approximate.multiply(exact).nnz / exact.nnz
    assert 0.9 < shared <= 1.0


def test_approximate_search_says_what_it_needs(monkeypatch):
    with pytest.raises(ValueError, match="needs dense points"):
        KNN(search="approximate").build(sp.csr_array(X))
    monkeypatch.setattr("lapwing.graphs.approximate.is_installed", lambda: False)
    with pytest.raises(ImportError, match="neighbors"):
        KNN(search="approximate").build(X)


def test_a_complete_graph_needs_all_distances():
    with pytest.raises(ValueError, match="needs all distances"):
        Complete().build(Distances(sp.csr_array(kneighbors_graph(X, 5, mode="distance"))))


def test_hubs_are_passed_over_without_a_new_index(monkeypatch):
    """Leaving out a few columns searches the index at hand, and finds what a new one finds."""
    pytest.importorskip("faiss")
    from lapwing.graphs import approximate

    X = np.random.default_rng(0).normal(size=(600, 3))
    near = Neighbors(X, search="approximate")
    near.nearest(5, 10)
    monkeypatch.setattr(approximate, "_inverted_lists", None)
    columns = np.setdiff1d(np.arange(600), [3, 50, 99])
    found = near.nearest(5, 10, rows=np.arange(0, 600, 7), columns=columns)
    exact = Neighbors(X, search="exact").nearest(5, 10, np.arange(0, 600, 7), columns)
    assert not np.isin(found.indices, [3, 50, 99]).any()
    pairs = [set(zip(lists.rows, lists.indices, strict=True)) for lists in (found, exact)]
    assert len(pairs[0] & pairs[1]) > 0.8 * len(pairs[1])


def test_the_approximate_search_tunes_itself_beside_points_at_no_finite_distance(monkeypatch):
    pytest.importorskip("faiss")
    monkeypatch.setattr(search, "_APPROXIMATE_FROM", 100)
    X = np.random.default_rng(0).standard_normal((150, 5))
    X[0] *= 1e100
    W = KNN(5).build(X).W
    assert np.isfinite(W.data).all() and W.shape == (150, 150)


@pytest.mark.parametrize(
    ("d", "density", "searched"),
    [(40, 1.0, dense.DenseSearch), (40, 0.3, dense.DenseSearch),
     (40, 0.02, SparseSearch), (4000, 0.02, SparseSearch)],
)  # fmt: skip
def test_sparse_rows_that_share_many_columns_are_searched_as_dense_ones(d, density, searched):
    S = sp.random_array((200, d), density=density, format="csr", rng=np.random.default_rng(3))
    assert isinstance(Neighbors(S).search, searched)
    found, full = nearest(S, 5), nearest(S.toarray(), 5)
    assert_array_equal(found.indptr, full.indptr)
    assert_allclose(found.distances, full.distances, rtol=1e-12, atol=1e-12)


def test_sparse_rows_stay_sparse_without_room_for_a_dense_copy(monkeypatch):
    S = sp.csr_array(X)
    assert isinstance(Neighbors(S).search, dense.DenseSearch)
    monkeypatch.setattr(search, "available_bytes", lambda: 16 * X.size)
    assert isinstance(Neighbors(S).search, SparseSearch)
