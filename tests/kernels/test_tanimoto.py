"""Tanimoto's kernel and the graph of the same distance."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import pairwise_distances

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.kernels import Tanimoto, get_kernel
from lapwing.regularizers import Laplacian

rng = np.random.default_rng(0)
BITS = (rng.random((60, 40)) < 0.3).astype(float)


def test_of_bits_it_is_one_minus_the_jaccard_distance():
    expected = 1.0 - pairwise_distances(BITS.astype(bool), metric="jaccard")
    assert_allclose(Tanimoto()(BITS), expected, atol=1e-15)
    assert_allclose(Tanimoto()(sp.csr_array(BITS), BITS[:7]), expected[:, :7], atol=1e-15)
    assert repr(get_kernel("tanimoto")) == "Tanimoto()"


@pytest.mark.parametrize("X", [BITS, rng.normal(size=(50, 6)), rng.poisson(1.0, (50, 8))])
def test_it_is_positive_semi_definite_for_bits_counts_and_reals(X):
    assert np.linalg.eigvalsh(Tanimoto()(X.astype(float))).min() > -1e-12


def test_rows_of_zeros_are_like_nothing():
    X = np.vstack([np.zeros(40), BITS[:3]])
    assert not Tanimoto()(X)[0].any() and Tanimoto().diagonal(X)[0] == 0
    W = KNN(n_neighbors=2, metric="tanimoto").build(X).W.toarray()
    assert not W[0].any() and W[1].any()


@pytest.mark.parametrize("as_given", [np.asarray, sp.csr_array])
def test_the_graph_joins_the_nearest_by_that_distance(as_given):
    W = KNN(n_neighbors=3, metric="tanimoto", weight="binary").build(as_given(BITS)).W
    D = pairwise_distances(BITS.astype(bool), metric="jaccard")
    np.fill_diagonal(D, np.inf)
    for i in range(len(D)):
        nearer = np.flatnonzero(D[i] < np.sort(D[i])[2] - 1e-12)
        assert W.toarray()[i, nearer].all()


@pytest.mark.parametrize("search", ["kd_tree", "ball_tree", "approximate"])
def test_a_search_that_does_not_know_it_says_so(search):
    with pytest.raises(ValueError, match='does not know metric="tanimoto"'):
        KNN(metric="tanimoto", search=search).build(BITS)


def test_fingerprints_of_two_families_are_told_apart():
    families = rng.random((2, 64)) < 0.25
    truth = rng.integers(0, 2, 200)
    X = np.where(rng.random((200, 64)) < 0.15, rng.random((200, 64)) < 0.25, families[truth])
    y = np.where(np.arange(200) < 10, truth, -1)
    graph = KNN(metric="tanimoto")
    model = LapRLSClassifier(kernel="tanimoto", regularizer=Laplacian(graph)).fit(
        X.astype(float), y
    )
    assert np.mean(model.transduction_ == truth) > 0.98
