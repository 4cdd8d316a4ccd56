"""Hubs are found, said and left out: rows of zeros change nothing for the others."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, make_moons

from lapwing import LapRLSClassifier
from lapwing.exceptions import GraphWarning
from lapwing.graphs import KNN, Complete, Given, Radius
from lapwing.graphs.hubs import most_listed
from lapwing.regularizers import Laplacian
from naming import stable
from problems import BY_RULE

rng = np.random.default_rng(0)


def text(n=600, groups=6, words=900, noise=15):
    """Unit rows of a few of many words, each group with a vocabulary of its own."""
    own = rng.permutation(words).reshape(groups, -1)
    y = np.arange(n) % groups
    X = np.zeros((n, words))
    for i, c in enumerate(y):
        X[i, rng.choice(own[c], 10, replace=False)] = rng.random(10) + 0.2
        X[i, rng.choice(words, noise, replace=False)] = rng.random(noise) + 0.2
    return X / np.linalg.norm(X, axis=1, keepdims=True)


TEXT = text()
EMPTY = np.vstack([TEXT, np.zeros((15, TEXT.shape[1]))])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_rows_of_zeros_do_not_touch_the_graph_of_the_others(form):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = KNN(weight="binary").build(form(TEXT)).W.toarray()
    with pytest.warns(GraphWarning, match="15 of 615 points are hubs.*metric='cosine'"):
        W = KNN(weight="binary").build(form(EMPTY)).W.toarray()
    assert_array_equal(W[:600, :600], alone)
    assert not W[:600, 600:].any()  # they have each other


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    "graph",
    [
        KNN(metric="cosine"),
        KNN(metric="cosine", weight="cosine"),
        Radius(1.2, metric="cosine"),
        Complete(metric="cosine"),
    ],
    ids=stable,
)
def test_a_row_without_direction_has_no_neighbors_by_cosine(graph, form):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        built = graph.build(form(EMPTY))
    assert_array_equal(built.degrees[600:], 0.0)
    assert_allclose(built.W.toarray()[:600, :600], graph.build(form(TEXT)).W.toarray(), rtol=1e-9)


def test_hubs_can_be_kept_and_are_said():
    with pytest.warns(GraphWarning, match="hubs='keep'"):
        built = KNN(hubs="keep").build(EMPTY)
    assert np.diff(built.W.indptr).max() > 400
    with pytest.raises(ValueError, match="hubs is 'cap'"):
        KNN(hubs="cap").build(TEXT)


def test_a_hub_keeps_its_own_neighbors():
    groups = 0.6 * np.repeat(np.eye(30), 10, axis=0)  # cosines of 0.36: the center is nearer
    star = np.vstack([np.zeros(330), np.hstack([groups, np.diag(0.8 + 0.01 * rng.random(300))])])
    with pytest.warns(GraphWarning, match="1 of 301 points are hubs, such as rows 0:"):
        W = KNN(n_neighbors=3, weight="binary").build(star).W
    degree = np.diff(W.indptr)
    assert degree[0] == 3 and degree.min() >= 3
    assert degree[1:].max() <= most_listed(3, 301)


@pytest.mark.parametrize("n", [40, 100, 300, 2000])
def test_natural_data_has_none(n):
    digits = load_digits().data[:n]
    moons = make_moons(n, noise=0.05, random_state=0)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for X in (digits, moons, np.repeat(moons[: n // 4], 4, axis=0)):
            built = KNN().build(X)
            assert_array_equal(built.W.toarray(), KNN(hubs="keep").build(X).W.toarray())


def test_precomputed_distances_have_hubs_too():
    D = np.sqrt(((EMPTY[:, None] - EMPTY) ** 2).sum(axis=2))
    with pytest.warns(GraphWarning, match="15 of 615"):
        W = KNN(metric="precomputed").build(D).W.toarray()
    assert not W[:600, 600:].any()


def test_stars_in_other_graphs_are_said():
    near = Radius(1.01, weight="binary")
    with pytest.warns(GraphWarning, match="15 of 615 points are hubs, such as rows 600, 601, 602"):
        W = near.build(EMPTY).W
    with pytest.warns(GraphWarning, match="15 of 615"):
        Given(W).build(None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        near.build(TEXT)
        Radius(2.0).build(rng.normal(size=(800, 2)) * rng.exponential(size=(800, 1)))
        Given(np.ones((300, 300))).build(None)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_empty_documents_cost_no_correct_answer():
    """Three labels per group, nothing but X and y given: within one point, and far off if kept."""
    y = np.arange(600) % 6
    given = np.where(np.arange(600) < 18, y, -1)
    unlabeled = given < 0

    def correct(X, graph):
        labels = np.append(given, np.full(X.shape[0] - 600, -1))
        model = LapRLSClassifier(
            **BY_RULE | {"kernel": "linear", "regularizer": Laplacian(graph, degree=2)}
        )
        return np.mean(model.fit(X, labels).predict(X)[:600][unlabeled] == y[unlabeled])

    easy = sp.csr_array(text(words=360, noise=6))
    empty = sp.csr_array(sp.vstack([easy, sp.csr_array((20, 360))]))
    alone = correct(easy, KNN())
    assert alone > 0.8
    assert abs(correct(empty, KNN()) - alone) <= 0.01
    assert correct(empty, KNN(hubs="keep")) < alone - 0.1
