"""Graphs against brute-force formulas, pair by pair."""

import math
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csgraph
from scipy.spatial.distance import cdist

from lapwing.graphs import KNN, Complete, Given, Radius, dense, laplacian
from lapwing.graphs.search import nearest
from lapwing.linalg import blocks
from naming import stable

rng = np.random.default_rng(5)
X = rng.normal(size=(80, 4))


def directed(D, k):
    """The directed k-nearest-neighbor matrix of a matrix of distances, by sorting."""
    A = np.zeros(D.shape, dtype=bool)
    for i, row in enumerate(D):
        others = [j for j in np.argsort(row, kind="stable") if j != i]
        A[i, others[:k]] = True
    return A


def brute(weight, k=6, metric="euclidean", symmetrize="union", t="mean"):
    D = cdist(X, X, metric)
    A = directed(D, k)
    h = np.where(A, D, 0).max(axis=1)
    H = np.maximum(h[:, None], h)
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    four_t = 2 * D[A].mean() ** 2 if t == "mean" else 4 * t
    full = {
        "binary": np.ones_like(D),
        "heat": np.exp(-(D**2) / four_t),
        "cosine": np.maximum(U @ U.T, 0),
        "cosine-distance": 1 - U @ U.T,
        "self-tuning": np.exp(-(D**2) / H**2),
        "self-tuning-linear": np.exp(-(D**2) / H),
    }[weight]
    return full * (A | A.T if symmetrize == "union" else A & A.T)


@pytest.mark.parametrize("symmetrize", ["union", "mutual"])
@pytest.mark.parametrize(
    "weight",
    ["binary", "heat", "cosine", "cosine-distance", "self-tuning", "self-tuning-linear"],
)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csr_matrix])
def test_neighbor_graph(weight, symmetrize, form):
    W = KNN(n_neighbors=6, weight=weight, symmetrize=symmetrize).build(form(X)).W
    assert_allclose(W.toarray(), brute(weight, symmetrize=symmetrize), rtol=1e-10, atol=1e-13)


def test_heat_time_and_metric():
    W = KNN(n_neighbors=6, t=0.4, metric="manhattan").build(X).W.toarray()
    assert_allclose(W, brute("heat", metric="cityblock", t=0.4), rtol=1e-10)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    "graph", [KNN(n_neighbors=6), KNN(n_neighbors=6, weight="self-tuning"), Complete()], ids=stable
)
def test_scale_invariance(graph, form, scale):
    W = graph.build(form(X * scale)).W.toarray()
    assert_allclose(W, graph.build(X).W.toarray(), rtol=1e-9)


def test_cosine_metric_is_euclidean_on_unit_rows():
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    W = (
        KNN(n_neighbors=6, metric="cosine")
        .build(X * rng.uniform(0.1, 10, size=(80, 1)))
        .W.toarray()
    )
    assert_allclose(W, KNN(n_neighbors=6).build(U).W.toarray(), rtol=1e-9)


def test_radius_and_complete():
    D = cdist(X, X)
    off = ~np.eye(80, dtype=bool)
    assert_array_equal(Radius(1.5, "binary").build(X).W.toarray(), (D <= 1.5) & off)
    assert_allclose(
        Radius(1.5, t=1.0).build(X).W.toarray(), np.exp(-(D**2) / 4) * ((D <= 1.5) & off)
    )
    mean = D[off].mean()
    assert_allclose(Complete().build(X).W.toarray(), np.exp(-(D**2) / (2 * mean**2)) * off)


def test_the_radius_itself_is_inside():
    grid = np.arange(5.0)[:, None] + 1e6
    for form in (np.asarray, sp.csr_array):
        assert_array_equal(Radius(1.0, "binary").build(form(grid)).degrees, [1, 2, 2, 2, 1])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_duplicates_without_ties_have_exactly_k_neighbors_and_never_themselves(form):
    points = np.repeat(X[:6], 7, axis=0)
    for k in (1, 3, 6, 20):
        lists = nearest(form(points), k, "euclidean", most=k)
        assert_array_equal(np.diff(lists.indptr), k)
        assert (lists.indices != lists.rows).all()
        neighbors = lists.indices.reshape(-1, k)
        assert all(len(set(row)) == k for row in neighbors)
        expected = np.sort(cdist(points, points), axis=1)[:, 1 : k + 1]
        assert_allclose(lists.distances.reshape(-1, k), expected, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_distances_of_near_points_far_from_the_origin_keep_their_digits(form, dtype):
    line = (np.arange(40.0)[:, None] * 2.0**-10 + 2.0**12) * np.ones((1, 20))
    lists = nearest(form(line.astype(dtype)), 1, "euclidean")
    assert_allclose(lists.distances, 2.0**-10 * np.sqrt(20), rtol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_radius_zero_joins_what_coincides(form):
    points = np.repeat(rng.normal(size=(4, 20)) + 100.0, 3, axis=0)
    expected = np.kron(np.eye(4), np.ones((3, 3))) - np.eye(12)
    assert_array_equal(Radius(0.0).build(form(points)).W.toarray(), expected)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_distances_are_exact_to_rounding_whatever_the_offset(form):
    groups = np.vstack([1e-3 * rng.normal(size=(30, 20)) + c for c in (1e6, -3e6)])
    lists = nearest(form(groups), 3, "euclidean")
    exact = [
        math.dist(groups[i], groups[j]) for i, j in zip(lists.rows, lists.indices, strict=True)
    ]
    assert_allclose(lists.distances, exact, rtol=1e-14)
    rows = np.sort([[math.dist(a, b) for b in groups] for a in groups], axis=1)[:, 1:4]
    assert_allclose(lists.distances.reshape(-1, 3), rows, rtol=1e-14)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_radius_within_tight_groups_far_apart(form):
    group = np.arange(10.0)[:, None] * np.full((1, 20), 2.0**-10)
    points = np.vstack([group, group + 2.0**20])
    expected = [1, 2, 2, 2, 2, 2, 2, 2, 2, 1] * 2
    assert_array_equal(Radius(0.005, "binary").build(form(points)).degrees, expected)


def test_sparse_search_never_holds_all_pairs(monkeypatch):
    n = 3000
    S = sp.random_array((n, 2000), density=0.005, random_state=rng, format="csr")
    monkeypatch.setattr(blocks, "BUFFER_BYTES", 2 * 2**20)
    tracemalloc.start()
    KNN(n_neighbors=5).build(S)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * n**2 / 3


def test_blocks_give_what_one_block_gives(monkeypatch):
    S = sp.random_array((150, 60), density=0.1, random_state=rng, format="csr")
    whole = [KNN(n_neighbors=4).build(S).W, Radius(1.0).build(S).W]
    monkeypatch.setattr(dense, "BUFFER_BYTES", 4 * 7 * 150 * 8)  # seven rows at a time
    monkeypatch.setattr(blocks, "BUFFER_BYTES", 7 * 150 * 8)
    for W, graph in zip(whole, [KNN(n_neighbors=4), Radius(1.0)], strict=True):
        assert_allclose(graph.build(S).W.toarray(), W.toarray(), rtol=1e-12)
    assert_allclose(
        whole[0].toarray(), KNN(n_neighbors=4).build(S.toarray()).W.toarray(), rtol=1e-9
    )


def test_coinciding_points_have_weight_one():
    for weight in ("heat", "self-tuning", "self-tuning-linear"):
        W = KNN(n_neighbors=2, weight=weight).build(np.full((3, 2), 0.1)).W.toarray()
        assert_array_equal(W, 1 - np.eye(3))


def test_one_point_is_an_empty_graph():
    for graph in (KNN(), Radius(1.0), Complete()):
        built = graph.build(np.ones((1, 2)))
        assert built.W.nnz == 0 and built.n == 1


def test_given_drops_its_diagonal_and_accepts_any_form():
    W = np.array([[5.0, 1.0, 0.0], [1.0, 0.0, 2.0], [0.0, 2.0, 9.0]])
    for form in (np.asarray, sp.csr_array, sp.csc_matrix, sp.coo_array, np.ndarray.tolist):
        assert_array_equal(Given(form(W)).build(X[:3]).W.toarray(), W * (1 - np.eye(3)))
    built = Given(W).build(None)
    assert Given(built).build(X[:3]) is built
    with pytest.raises(ValueError, match="3 vertices"):
        Given(built).build(X[:4])


@pytest.mark.parametrize("normalized", [False, True])
def test_laplacian_is_scipys(normalized):
    graph = Radius(1.0).build(X)
    assert (graph.degrees == 0).any()  # isolated vertices are part of the comparison
    expected = csgraph.laplacian(graph.W, normed=normalized).toarray()
    assert_allclose(laplacian(graph, normalized).toarray(), expected, atol=1e-14)


def test_components():
    graph = KNN(n_neighbors=3).build(np.vstack([X[:20], X[:20] + 100.0]))
    assert_array_equal(np.unique(graph.components[:20]), [0])
    assert_array_equal(np.unique(graph.components[20:]), [1])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_tight_groups_far_apart_keep_their_own_order(form):
    group = rng.permutation(40)[:, None] * np.full((1, 20), 2.0**-10)
    points = np.vstack([group, group + 2.0**20])  # inner products err by more than the spacing
    lists = nearest(form(points), 1, "euclidean")
    assert_allclose(lists.distances, 2.0**-10 * np.sqrt(20), rtol=1e-12)
