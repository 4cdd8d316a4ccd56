"""Data as people bring it: polars, networkx, pipelines, weights where a penalty is expected."""

import networkx as nx
import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import lapwing
from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN, Given
from lapwing.regularizers import Laplacian

X, Y, TRUTH = make_two_moons(80, labels_per_class=6, random_state=0)


def test_polars_integers_with_nulls_stay_integers():
    polars = pytest.importorskip("polars")
    y = polars.Series([None if v == -1 else int(v) for v in Y])
    assert LapRLSClassifier().fit(X, y).classes_.dtype.kind == "i"


def test_a_lazy_frame_says_collect():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"pass X\.collect\(\)"):
        LapRLSClassifier().fit(polars.DataFrame(X).lazy(), Y)


def test_a_networkx_graph_is_its_weights():
    graph = nx.random_regular_graph(4, len(X), seed=0)
    nx.set_edge_attributes(graph, {e: 0.5 + i % 3 for i, e in enumerate(graph.edges)}, "weight")
    W = nx.to_numpy_array(graph)
    np.testing.assert_allclose(Given(graph).build(X).W.toarray(), Given(W).build(X).W.toarray())
    assert nx.Graph().number_of_nodes() == Given(nx.Graph()).build(None).n


def test_weights_given_as_a_penalty_name_the_laplacian():
    W = nx.to_numpy_array(nx.random_regular_graph(4, len(X), seed=0))
    with pytest.raises(ValueError, match=r"Laplacian\(Given\(W\)\)"):
        LapRLSClassifier(regularizer=W).fit(X, Y)
    LapRLSClassifier(regularizer=Laplacian(Given(W)), gamma_A=0.1, gamma_I=0.1).fit(X, Y)


def test_compare_takes_a_pipeline():
    model = LapRLSClassifier(kernel="rbf", regularizer="laplacian", gamma_A="rule", gamma_I="rule")
    scaled = StandardScaler().fit_transform(X)
    found = lapwing.compare(make_pipeline(StandardScaler(), model), X, Y)
    expected = lapwing.compare(model, scaled, Y)
    for name, losses in expected.losses.items():
        np.testing.assert_array_equal(found.losses[name], losses)
    with pytest.raises(TypeError, match="ends with one"):
        lapwing.compare(make_pipeline(StandardScaler(), SVC()), X, Y)


def test_a_graph_given_as_a_penalty_names_the_laplacian():
    for graph, hint in ((nx.path_graph(len(X)), "Given"), (KNN(5), r"KNN\(n_neighbors=5\)")):
        with pytest.raises(TypeError, match=rf"write regularizer=Laplacian\({hint}"):
            LapRLSClassifier(kernel="rbf", regularizer=graph).fit(X, Y)
