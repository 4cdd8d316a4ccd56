"""Ties with the k-th neighbor: kept up to 2k, then chosen by content, never by row order."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from lapwing.graphs import KNN, Distances, laplacian
from lapwing.graphs.search import nearest
from lapwing.graphs.ties import content_ranks
from naming import stable

rng = np.random.default_rng(3)
GRID = np.stack(np.meshgrid(np.arange(9.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
BINARY = (rng.random((90, 40)) < 0.1).astype(float)
TIED = {
    "grid": GRID,
    "grid in space": np.stack(np.meshgrid(*[np.arange(5.0)] * 3), axis=-1).reshape(-1, 3),
    "binary": np.unique(BINARY, axis=0),
    "orthogonal": np.eye(60),
    "tenths": 0.1 * GRID + 1e3,
}
REPEATED = {
    "one-hot": np.eye(5)[np.arange(40) % 5] + np.eye(5)[np.arange(40) // 8],
    "duplicates": np.repeat(rng.normal(size=(9, 4)), [30, 1, 2, 12, 1, 1, 5, 8, 20], axis=0),
    "zero rows": np.vstack([np.zeros((25, 6)), rng.normal(size=(40, 6))]),
    "all equal": np.full((50, 3), 0.1),
    "binary with repeats": (rng.random((120, 4)) < 0.5).astype(float),
}
GRAPHS = [
    KNN(n_neighbors=3),
    KNN(n_neighbors=4, weight="self-tuning"),
    KNN(n_neighbors=5, metric="cosine", weight="cosine"),
    KNN(n_neighbors=4, metric="manhattan", weight="binary"),
    KNN(n_neighbors=3, symmetrize="mutual"),
    KNN(n_neighbors=4, search="kd_tree"),
]


def canonical(X):
    """An order of the rows by content; equal rows as they come."""
    return np.lexsort(X.T[::-1])


@pytest.mark.parametrize("name", TIED | REPEATED)
@pytest.mark.parametrize("graph", GRAPHS, ids=stable)
@pytest.mark.filterwarnings("ignore::lapwing.exceptions.GraphWarning")
def test_permuted_rows_give_the_permuted_graph(graph, name):
    """Among equal rows up to their names: sorted by content, both are the same matrix."""
    X = (TIED | REPEATED)[name]
    W, first = graph.build(X).W.toarray(), canonical(X)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        V, second = graph.build(X[order]).W.toarray(), canonical(X[order])
        assert_allclose(V[np.ix_(second, second)], W[np.ix_(first, first)], rtol=1e-9, atol=1e-300)
        if name in TIED:  # no two rows are equal: the permuted matrix itself
            assert_allclose(V, W[np.ix_(order, order)], rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("name", TIED | REPEATED)
@pytest.mark.parametrize("graph", GRAPHS[:-1], ids=stable)
@pytest.mark.filterwarnings("ignore::lapwing.exceptions.GraphWarning")
def test_sparse_rows_give_the_graph_of_dense_ones(graph, name):
    X = (TIED | REPEATED)[name]
    stored = sp.csr_array(np.where(X == 0, np.nan, X))  # zeros stored as zeros are zeros, too
    stored.data[np.isnan(stored.data)] = 0.0
    expected = graph.build(X).W.toarray()
    for form in (sp.csr_array(X), stored):
        assert_allclose(graph.build(form).W.toarray(), expected, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("name", TIED)
def test_given_distances_tie_by_content(name):
    X = TIED[name]
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    order = rng.permutation(len(X))
    lists = nearest(Distances(D), 3)
    assert (np.diff(lists.indptr) <= 6).all() and (np.diff(lists.indptr) >= 3).all()
    # a row of distances is known up to symmetries only: the same number of neighbors, as far
    other = nearest(Distances(D[np.ix_(order, order)]), 3)
    assert_array_equal(np.diff(other.indptr), np.diff(lists.indptr)[order])
    assert_allclose(other.reach(), lists.reach()[order])


def test_ties_are_kept_up_to_twice_k():
    inner = (GRID > 0).all(axis=1) & (GRID[:, 0] < 8) & (GRID[:, 1] < 7)
    W = (
        KNN(n_neighbors=2, weight="binary").build(GRID).W
    )  # four neighbors at distance 1: all of them
    assert_array_equal(np.diff(W.indptr)[inner], 4)
    lengths = np.diff(nearest(GRID, 3).indptr)
    assert_array_equal(lengths[inner], 4)
    lengths = np.diff(nearest(GRID, 1).indptr)  # four tie, and two are kept
    assert_array_equal(lengths, 2)


def test_all_equal_points_have_no_preferred_ones():
    """Chosen one order for all, the first 2k would be hubs."""
    lists = nearest(np.ones((400, 2)), 5)
    assert_array_equal(np.diff(lists.indptr), 10)
    assert np.bincount(lists.indices).max() < 30


def test_the_spectrum_does_not_depend_on_the_order_of_equal_rows():
    X = REPEATED["duplicates"]
    order = rng.permutation(len(X))
    a, b = (
        np.linalg.eigvalsh(laplacian(KNN(n_neighbors=3).build(P)).toarray()) for P in (X, X[order])
    )
    assert_allclose(a, b, atol=1e-12)


def test_content_ranks_are_those_of_the_numbers():
    X = rng.normal(size=(30, 4)) * (rng.random((30, 4)) < 0.5)
    ranks = content_ranks(X)
    assert_array_equal(np.sort(ranks), np.arange(30))
    assert_array_equal(content_ranks(sp.csr_array(X)), ranks)
    assert_array_equal(
        content_ranks(X.astype(np.float32).astype(np.float64)), content_ranks(X.astype(np.float32))
    )
    order = rng.permutation(30)
    distinct = ~(X == 0).all(axis=1)
    assert_array_equal(content_ranks(X[order])[distinct[order]], ranks[order][distinct[order]])
