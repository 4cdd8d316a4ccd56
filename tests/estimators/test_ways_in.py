"""Data as people bring it: polars, networkx, pipelines, weights where a penalty is expected."""

import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import lapwing
from lapwing import LapRLSClassifier, LapRLSRegressor, VectorValuedClassifier
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


RULE = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": "rule", "gamma_I": "rule"}
NAMES = np.array([f"row {i}" for i in range(len(X))])


def test_rows_are_named_as_y_or_x_names_them():
    counted = LapRLSClassifier(**RULE).fit(X, Y).next_to_label(3)
    frame, series = pd.DataFrame(X, index=NAMES), pd.Series(Y, index=NAMES[::-1])
    assert LapRLSClassifier(**RULE).fit(frame, Y).next_to_label(3).tolist() == [*NAMES[counted]]
    by_y = LapRLSClassifier(**RULE).fit(frame, series).next_to_label(3)
    assert by_y.tolist() == [*NAMES[::-1][counted]]
    # integers that name the rows of X would be taken for places in y
    other = pd.DataFrame(X, index=np.arange(len(X))[::-1])
    assert LapRLSClassifier(**RULE).fit(other, Y).next_to_label(3).tolist() == counted.tolist()
    twice = pd.DataFrame(X, index=["same"] * len(X))
    assert LapRLSClassifier(**RULE).fit(twice, Y).next_to_label(3).tolist() == counted.tolist()


def test_a_pipeline_asks_its_last_step_and_keeps_the_names_of_y():
    series = pd.Series(Y, index=NAMES)
    pipe = make_pipeline(StandardScaler(), LapRLSClassifier(**RULE)).fit(X, series)
    asked = pipe[-1].next_to_label(4)
    assert (series[asked] == -1).all() and len(set(asked)) == 4
    wrong = series.copy()
    wrong.iloc[np.flatnonzero(Y == 0)[0]] = 1
    assert set(pipe.fit(X, wrong)[-1].suspicious_labels_) <= set(NAMES)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("model", [LapRLSRegressor(**RULE), VectorValuedClassifier()])
def test_answers_keep_the_columns_of_y(library, model, tmp_path):
    module = pytest.importorskip(library)
    values = np.column_stack([TRUTH, 1 - TRUTH]).astype(float)
    values[Y == -1] = np.nan
    y = module.DataFrame({"logP": values[:, 0], "pKa": values[:, 1]})
    fitted = clone(model).fit(X, y)
    found = fitted.predict(X[:5])
    assert isinstance(found, module.DataFrame) and list(found.columns) == ["logP", "pKa"]
    np.testing.assert_allclose(np.asarray(found), fitted.transduction_[:5], rtol=1e-10)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X[:5]), found)
    lapwing.save(fitted, tmp_path / "model")
    assert list(lapwing.load(tmp_path / "model").predict(X[:5]).columns) == ["logP", "pKa"]
    assert np.isfinite(fitted.score(X, values))
    if hasattr(fitted, "predict_interval"):
        low, high = fitted.predict_interval(X[:5])
        assert list(low.columns) == list(high.columns) == ["logP", "pKa"]
    assert isinstance(fitted.fit(X, values).predict(X[:5]), np.ndarray)


def test_answers_keep_the_rows_of_x():
    frame = pd.DataFrame(X, index=NAMES)
    y = pd.DataFrame({"a": np.where(Y < 0, np.nan, Y), "b": np.where(Y < 0, np.nan, -Y)})
    assert (
        LapRLSRegressor(**RULE).fit(X, y.set_axis(NAMES)).predict(frame).index.equals(frame.index)
    )


def test_a_target_of_interest_is_asked_for_where_it_is_missing():
    values = np.column_stack([X[:, 0], X[:, 1]])
    values[20:] = np.nan
    values[:, 1][5:20] = np.nan  # known of one target alone
    y = pd.DataFrame(values, columns=["many", "few"])
    model = LapRLSRegressor(**RULE).fit(X, y)
    few = model.next_to_label(60, of_interest="few")
    assert few.min() >= 5 and (few < 20).any()
    many = model.next_to_label(60, of_interest=0)
    assert many.min() >= 20
    alone = LapRLSRegressor(**RULE).fit(X, values[:, 1])
    np.testing.assert_array_equal(alone.next_to_label(5), model.next_to_label(5, of_interest=1))
    with pytest.raises(ValueError, match="none of the targets"):
        model.next_to_label(of_interest="none")
