"""Blocks of rows give what all rows in memory give, to rounding."""

import subprocess
import sys

import dask.array as da
import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler

from lapwing import (
    CoMRRegressor,
    CoRLSClassifier,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapSVC,
    LSMRRegressor,
    ManifoldRegressor,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.datasets import load_digits
from lapwing.distributed import fit, predict
from lapwing.distributed.neighbors import build_graph
from lapwing.distributed.rows import Rows
from lapwing.graphs import KNN, Given, Joined, Transformed
from lapwing.outputs import OutputGraph, OutputStructure, Ring
from lapwing.regularizers import KernelNorm, Laplacian
from lapwing.spaces import GraphValues, Landmarks
from problems import BY_RULE

X, Y, TRUTH = load_digits(random_state=0)
X, Y, TRUTH = X[:700], Y[:700], TRUTH[:700]
CHUNKS = {"dense": lambda A: A, "csr": sp.csr_array}


def new(X):
    """Rows that no fit has seen: of training rows in memory the graph itself answers."""
    return X + 1e-7 if isinstance(X, np.ndarray) else X * (1 + 1e-7)


def blocks(A, kind="dense", size=150):
    array = da.from_array(A, chunks=(size, -1))
    return array if kind == "dense" else array.map_blocks(sp.csr_array, dtype=float)


@pytest.mark.parametrize(
    "graph",
    [
        KNN(),
        KNN(n_neighbors=3, weight="binary", symmetrize="mutual"),
        KNN(n_neighbors=7, metric="cosine"),
    ],
)
@pytest.mark.parametrize("kind", CHUNKS)
def test_graph(graph, kind):
    expected = graph.build(X).W
    found = build_graph(graph, Rows(blocks(X, kind))).W
    assert found.nnz == expected.nnz
    assert abs(found - expected).max() < 1e-12


def test_graph_along_principal_axes():
    graph = KNN(components=5)
    assert abs(build_graph(graph, Rows(blocks(X))).W - graph.build(X).W).max() < 1e-9
    with pytest.raises(ValueError, match="dense points"):
        build_graph(graph, Rows(blocks(X, "csr")))


def test_ties_and_hubs_are_the_same():
    """Rows of zeros, repeated rows: what the contents decide in memory they decide over blocks."""
    A = np.vstack([X[:200], np.repeat(X[:1], 40, axis=0), np.zeros((5, X.shape[1]))])
    expected = KNN(n_neighbors=4).build(A).W
    found = build_graph(KNN(n_neighbors=4), Rows(blocks(A, size=60))).W
    assert abs(found - expected).max() == 0


@pytest.mark.parametrize("kind", CHUNKS)
@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC, LapLogisticClassifier])
def test_estimators(Model, kind):
    model = Model(**BY_RULE, space=GraphValues(Landmarks(80)))
    expected = model.fit(X[:600], Y[:600])
    found = fit(model, blocks(X[:600], kind), Y[:600])
    assert_array_equal(found.transduction_, expected.transduction_)
    # sections of K̃ cost digits: the dual starts from sums in another order
    assert_allclose(
        found.decision_function(X[600:]), expected.decision_function(X[600:]), atol=1e-4
    )
    answers = predict(found, blocks(X[600:], kind, 40))
    assert answers.shape == (100,)
    assert_array_equal(answers.compute(scheduler="threads"), expected.predict(X[600:]))


@pytest.mark.parametrize("kind", CHUNKS)
def test_rows_that_no_label_reaches(kind):
    """The ambient view answers for them, over blocks as in memory."""
    A = np.vstack([X[:300], X[:300] + 1000.0])
    y = np.concatenate([Y[:300], np.full(300, -1)])
    model = LapRLSClassifier(**BY_RULE, space=GraphValues(Landmarks(80)))
    expected, found = model.fit(A, y), fit(model, blocks(A, kind), y)
    assert expected.unreached_[300:].all() and not expected.unreached_[:300].all()
    assert_array_equal(found.unreached_, expected.unreached_)
    assert_array_equal(found.transduction_, expected.transduction_)
    assert_array_equal(expected.transduction_[300:], expected.predict(A)[300:])


def test_targets():
    y = np.column_stack([X[:, 20], X[:, 30]])
    y[100:] = np.nan
    by_rule = BY_RULE | {"fit_intercept": False}
    model = LapRLSRegressor(**by_rule, space=GraphValues(Landmarks(80)))
    found = fit(model, blocks(X), y)
    assert_allclose(found.transduction_, model.fit(X, y).transduction_, atol=1e-8)
    assert predict(found, blocks(X)).shape == (700, 2)


@pytest.mark.parametrize("Model", [LapRLSClassifier, LapSVC])
def test_the_default_chooses_as_in_memory(Model):
    """Kernel of local width, graph and weights: the same choice, the same answers."""
    model = Model(space=GraphValues(Landmarks(80)))
    expected, found = model.fit(X, Y), fit(model, blocks(X), Y)
    assert repr(found.selection_.choice) == repr(expected.selection_.choice)
    assert_allclose(found.kernel_(X[:50]), expected.kernel_(X[:50]), rtol=1e-9)
    assert found.gamma_A_ == pytest.approx(expected.gamma_A_)
    assert found.gamma_I_ == pytest.approx(expected.gamma_I_)
    assert_array_equal(found.transduction_, expected.transduction_)
    assert_array_equal(predict(found, blocks(new(X))).compute(), expected.predict(new(X)))


def swings(random):
    """Rows of all lengths."""
    size, often = np.array([[0.1, 1.0, 5.0, 10.0], [0.0, 0.05, 0.1, 0.17]])
    of = np.repeat(np.arange(4), 30)
    swing = np.sin(2 * np.pi * (often[of, None] * np.arange(100) + random.random((120, 1))))
    return size[of, None] * (swing + random.normal(size=(120, 100))), of


def clouds(random):
    """Rows without neighbors."""
    of = np.repeat([0, 1], 60)
    return random.normal(size=(120, 100)) + 1.2 * of[:, None] * (np.arange(100) < 20), of


@pytest.mark.parametrize("points", [swings, clouds])
def test_what_the_default_sees_of_the_points_is_the_same(points):
    A, of = points(np.random.default_rng(0))
    y = np.where(np.arange(120) % (120 // (of.max() + 1)) < 6, of, -1)
    model = LapRLSClassifier(space=GraphValues(Landmarks(60)))
    expected, found = model.fit(A, y), fit(model, blocks(A, size=40), y)
    assert repr(found.selection_.choice) == repr(expected.selection_.choice)
    assert_allclose(found.kernel_(A[:20]), expected.kernel_(A[:20]), rtol=1e-6, atol=1e-12)
    assert_array_equal(found.transduction_, expected.transduction_)
    assert_array_equal(predict(found, blocks(new(A), size=40)).compute(), expected.predict(new(A)))


@pytest.mark.parametrize("kind", CHUNKS)
@pytest.mark.parametrize("gamma_I", [0.0, "0*rule"])
def test_without_a_graph_the_labels_have_a_section_each(kind, gamma_I):
    model = LapSVC(**BY_RULE | {"gamma_I": gamma_I}, space="auto")
    found, expected = fit(model, blocks(X, kind), Y), model.fit(X, Y)
    assert_allclose(found.decision_function(new(X)), expected.decision_function(new(X)), atol=1e-4)
    assert_array_equal(predict(found, blocks(new(X), kind)).compute(), expected.predict(new(X)))


@pytest.mark.parametrize("kind", CHUNKS)
def test_small_components_are_joined_over_blocks(kind):
    far = np.vstack([X[:60], X[60:66] + 100.0, X[66:70] - 200.0])
    graph = Joined(KNN(3), 8)
    found = build_graph(graph, Rows(blocks(far, kind, size=25)))
    assert KNN(3).build(far).components.max() > graph.build(far).components.max()
    assert_allclose(found.W.toarray(), graph.build(far).W.toarray(), atol=1e-9)


def test_the_graph_of_all_rows_decides():
    """Both powers of L, and no graph, are compared on it; the sample only ranks frames."""
    found = fit(LapRLSClassifier(), blocks(X), Y).selection_
    powers = {str(t.regularizer) for t in found.trials if t.gamma_I}
    assert len(powers) >= 2 and (found.gamma_I == 0).any()


def test_a_graph_of_standardized_columns():
    graph = Transformed(KNN(5), StandardScaler())
    assert_allclose(
        build_graph(graph, Rows(blocks(X))).W.toarray(), graph.build(X).W.toarray(), atol=1e-12
    )


def test_weights_of_classes_and_widths_of_losses_are_those_in_memory():
    model = LapRLSClassifier(
        **BY_RULE, class_weight="balanced", class_prior="labeled", space=GraphValues(Landmarks(80))
    )
    assert_allclose(
        fit(model, blocks(X), Y).decision_function(new(X)),
        model.fit(X, Y).decision_function(new(X)),
        atol=1e-5,
    )  # fmt: skip
    y = np.where(Y >= 0, 1e3 * X[:, 20], np.nan)
    model = ManifoldRegressor(
        **BY_RULE | {"fit_intercept": False}, space=GraphValues(Landmarks(80))
    )
    assert_allclose(
        fit(model, blocks(X), y).transduction_, model.fit(X, y).transduction_, rtol=1e-4, atol=1.0
    )


def test_what_cannot_be_done_is_said():
    with pytest.raises(ValueError, match="graph"):
        fit(LapRLSClassifier(regularizer=KernelNorm("rbf")), blocks(X), Y)
    with pytest.raises(ValueError, match="space"):
        fit(LapRLSClassifier(space="exact"), blocks(X), Y)
    with pytest.raises(ValueError, match="rows"):
        fit(LapRLSClassifier(), blocks(X), Y[:650])
    with pytest.raises(ValueError, match="chunk"):
        array = blocks(X)
        fit(LapRLSClassifier(), array[array[:, 0] >= 0], Y)


def test_lapwing_does_not_import_dask():
    code = "import sys, lapwing; sys.exit(any(m.split('.')[0] == 'dask' for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


STEPS = np.abs(np.subtract.outer(np.arange(10), np.arange(10)))
RING = np.exp(-(np.minimum(STEPS, 10 - STEPS) ** 2) / 4.0)

OUTPUTS = {
    "independent": {},
    "output_kernel": {"output_kernel": np.array([[1.0, 0.6, 0], [0.6, 1, 0], [0, 0, 2.0]])},
    "output_graph": {"output_kernel": OutputGraph(0.8, graph=Given(np.ones((3, 3)) - np.eye(3)))},
    "output_regularizer": {
        "output_kernel": np.array([[1.0, 0.6, 0], [0.6, 1, 0], [0, 0, 2.0]]),
        "output_regularizer": np.diag([1.0, 2.0, 0.5]),
    },
}


@pytest.mark.parametrize("kind", CHUNKS)
@pytest.mark.parametrize("outputs", OUTPUTS.values(), ids=OUTPUTS)
def test_vector_valued(outputs, kind):
    """Outputs that are related are related over blocks, too."""
    y = X[:, [20, 30, 40]].copy()
    y[100:] = np.nan
    y[3, 1] = np.nan
    by_rule = {"output_kernel": None} | BY_RULE | {"fit_intercept": False} | outputs
    model = VectorValuedRegressor(**by_rule, space=GraphValues(Landmarks(80)), tol=1e-10)
    found, expected = fit(model, blocks(X, kind), y), model.fit(X, y)
    assert_allclose(found.transduction_, expected.transduction_, atol=1e-6)
    assert_allclose(found.predict(new(X[:50])), expected.predict(new(X[:50])), atol=1e-4)
    alone = fit(LapRLSRegressor(**BY_RULE | {"fit_intercept": False}), blocks(X, kind), y)
    if outputs:
        assert np.abs(found.transduction_ - alone.transduction_).max() > 5e-3


def test_vector_valued_without_a_graph_and_with_choices():
    labels = np.column_stack([TRUTH % 2, TRUTH > 4, TRUTH == 3]).astype(float)
    labels[150:] = np.nan
    model = VectorValuedClassifier(**BY_RULE | {"gamma_I": 0.0}, output_kernel=OutputGraph(0.5))
    found, expected = fit(model, blocks(X), labels), model.fit(X, labels)
    assert_allclose(found.decision_function(new(X)), expected.decision_function(new(X)), atol=1e-4)
    free = VectorValuedClassifier(space=GraphValues(Landmarks(80)))
    found, expected = fit(free, blocks(X), labels), free.fit(X, labels)
    assert repr(found.selection_.choice) == repr(expected.selection_.choice)
    assert (found.transduction_ == expected.transduction_).mean() > 0.999


@pytest.mark.parametrize(
    "model",
    [CoRLSClassifier(), CoMRRegressor(), SSSLRegressor(), LSMRRegressor()],
)
def test_other_families_are_refused_in_one_sentence(model):
    with pytest.raises(TypeError, match=r"cannot be fitted on Dask arrays.*in memory"):
        fit(model, blocks(X), Y)


@pytest.mark.parametrize("kind", CHUNKS)
@pytest.mark.parametrize("output", [None, Ring(10), OutputStructure(RING, 1 - RING, RING)])
def test_structured_outputs(output, kind):
    """The same recipe over blocks: output kernels, affinities, cutting planes."""
    given = {name: BY_RULE[name] for name in ("kernel", "regularizer", "gamma_A", "gamma_I")}
    model = StructuredLapSVC(output=output, space=GraphValues(Landmarks(80)), tol=1e-8, **given)
    found, expected = fit(model, blocks(X[:600], kind), Y[:600]), model.fit(X[:600], Y[:600])
    assert_array_equal(found.transduction_, expected.transduction_)
    new = X[600:]
    assert_allclose(found.decision_function(new), expected.decision_function(new), atol=1e-3)
    assert_array_equal(predict(found, blocks(new, kind)).compute(), expected.predict(new))


def test_a_list_of_kernels_and_angles_are_refused():
    y = np.where(Y[:, None] >= 0, X[:, [20, 30]], np.nan)
    several = VectorValuedRegressor(kernel=["rbf", "linear"], output_kernel=[np.eye(2)] * 2)
    with pytest.raises(ValueError, match="list of 2 kernels"):
        fit(several, blocks(X), y)
    for weight in ("cosine", "cosine-distance"):
        with pytest.raises(ValueError, match="distances alone"):
            fit(LapRLSClassifier(regularizer=Laplacian(KNN(weight=weight))), blocks(X), Y)
    wrong = VectorValuedRegressor(output_kernel=np.eye(3))
    with pytest.raises(ValueError, match="output_kernel has shape"):
        fit(wrong, blocks(X), y)


@pytest.mark.parametrize("kind", CHUNKS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("how", ["searched", "given", "none"])
def test_rows_that_are_no_numbers_are_refused(kind, bad, how):
    A = X[:300].copy()
    A[170, 5] = bad
    graph = {"searched": KNN(), "given": Given(KNN().build(X[:300]).W), "none": KNN()}[how]
    model = LapRLSClassifier(
        kernel="rbf", regularizer=Laplacian(graph), gamma_A=1e-3, gamma_I=float(how != "none"),
        fit_intercept=True,
    )  # fmt: skip
    with pytest.raises(ValueError, match="first in row 170"):
        fit(model, blocks(A, kind), Y[:300])


def test_overflow_without_a_graph_is_an_error():
    with pytest.raises(ValueError, match="kernel overflows"):
        fit(LapRLSClassifier(kernel="linear", gamma_A=1e-3, gamma_I=0.0), blocks(1e200 * X), Y)
