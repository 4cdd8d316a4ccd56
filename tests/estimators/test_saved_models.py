"""A fitted model can be kept: small, read by skops with our own types alone, told by its format."""

import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.base import clone
from sklearn.datasets import load_digits

import lapwing
from lapwing import (
    CoMRClassifier,
    CoMRKernel,
    CoMRRegressor,
    CoRLSClassifier,
    CoRLSRegressor,
    DeformedKernel,
    KernelFeatures,
    LapLogisticClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapS3LRegressor,
    LapSVC,
    LSMRRegressor,
    ManifoldClassifier,
    ManifoldRegressor,
    MultiViewKernel,
    RegularizedLaplacianEigenmaps,
    RegularizedSpectralClustering,
    SSSLRegressor,
    StructuredLapSVC,
    VectorValuedClassifier,
    VectorValuedRegressor,
)
from lapwing.estimators.state import FORMAT, KEY
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import LabelSets, OutputGraph, Ring
from lapwing.regularizers import Heat, HessianEnergy, KernelNorm, Laplacian
from lapwing.spaces import GraphValues, Landmarks

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 4))
TRUTH = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
Y = np.where(np.arange(60) < 30, TRUTH, -1)
REAL = np.where(Y < 0, np.nan, X[:, 0])
SETS = np.where(Y[:, None] < 0, np.nan, np.eye(3)[TRUTH])
TARGETS = np.column_stack([REAL, REAL + 1.0])
VIEWS = [("a", "rbf", [0, 1]), ("b", "linear", [2, 3])]

MODELS = [
    (LapRLSClassifier(), Y),
    (LapRLSClassifier(space="landmarks"), Y),
    (LapRLSClassifier(space="graph"), Y),
    (LapRLSClassifier(kernel="linear", space="linear"), Y),
    (LapRLSClassifier(space="blockwise", solver="cg", gamma_A=1e-3), Y),
    (LapRLSClassifier(regularizer=Heat()), Y),
    (LapRLSClassifier(regularizer=HessianEnergy()), Y),
    (LapRLSClassifier(regularizer=KernelNorm("rbf")), Y),
    (LapSVC(), Y),
    (LapLogisticClassifier(), Y),
    (LapRLSRegressor(), REAL),
    (ManifoldClassifier(loss="squared_hinge"), Y),
    (ManifoldRegressor(), REAL),
    (VectorValuedClassifier(probability=True), SETS),
    (VectorValuedRegressor(output_kernel=OutputGraph(0.5, 1)), TARGETS),
    (StructuredLapSVC(output=Ring(4)), Y),
    (StructuredLapSVC(output=LabelSets(3)), SETS),
    (CoRLSClassifier(VIEWS), Y),
    (CoRLSRegressor(VIEWS), REAL),
    (CoMRClassifier(VIEWS), Y),
    (CoMRRegressor(a_I=0.5), REAL),
    (SSSLRegressor(), TARGETS),
    (LapS3LRegressor(), TARGETS),
    (LSMRRegressor(), TARGETS),
    (RegularizedSpectralClustering(3), None),
    (RegularizedLaplacianEigenmaps(), None),
    (KernelFeatures(), None),
    (DeformedKernel(), None),
    (MultiViewKernel(VIEWS), None),
    (CoMRKernel(VIEWS), None),
]


def answer(model):
    for method in ("predict", "transform", "__call__"):
        if hasattr(model, method):
            return getattr(model, method)(X)
    raise AssertionError(model)


@pytest.mark.parametrize("model, y", MODELS, ids=lambda part: type(part).__name__)
def test_a_model_reads_back_by_pickle_and_by_skops_with_our_types_alone(model, y):
    fitted = clone(model).fit(X, y) if y is not None else clone(model).fit(X)
    expected = answer(fitted)
    # Products of arrays that lie elsewhere in memory may be rounded otherwise.
    same = partial(np.testing.assert_allclose, desired=expected, rtol=1e-11, atol=1e-13)
    same(answer(pickle.loads(pickle.dumps(fitted))))
    data = skops.io.dumps(fitted)
    types = skops.io.get_untrusted_types(data=data)
    assert [name for name in types if not name.startswith("lapwing.")] == []
    same(answer(skops.io.loads(data, trusted=types)))


def test_every_estimator_is_tried():
    tried = {type(model).__name__ for model, _ in MODELS}
    assert tried == {name for name in lapwing.__all__ if isinstance(getattr(lapwing, name), type)}


@pytest.mark.parametrize(
    "model",
    [
        LapRLSClassifier(),
        LapRLSClassifier(kernel="rbf", regularizer=KernelNorm(RBF(10.0))),
        LapRLSClassifier(kernel="rbf", regularizer=Heat()),
        LapSVC(),
        StructuredLapSVC(),
        VectorValuedClassifier(),
        CoMRClassifier(),
    ],
    ids=repr,
)
def test_a_saved_model_grows_with_the_data_and_not_with_its_square(model):
    points, truth = load_digits(return_X_y=True)
    points, truth = points[:1200], truth[:1200]
    y = np.where(np.arange(1200) < 100, truth, -1)
    size = [len(pickle.dumps(model.fit(points[:n], y[:n]))) for n in (600, 1200)]
    assert size[1] < 2.3 * size[0]  # a Gram matrix would make it 4
    assert size[1] < 4 * points.nbytes


@pytest.mark.parametrize("space", ["landmarks", "graph"])
def test_landmarks_are_saved_without_their_features(space):
    points = np.tile(X, (20, 1)) + 0.1 * rng.standard_normal((1200, 4))
    y = np.where(np.arange(1200) < 60, np.tile(TRUTH, 20), -1)
    rule = Landmarks(20) if space == "landmarks" else GraphValues(Landmarks(20))
    model = LapRLSClassifier(kernel="rbf", regularizer=Laplacian(KNN(3)), space=rule).fit(points, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(points), model.decision_function(points))
    size = len(pickle.dumps(model.objective_.space)) + len(pickle.dumps(model.extension_))
    assert size < 2.5 * points.nbytes  # the features are five times the points


def test_the_objective_of_a_model_that_was_read_back_is_the_same_problem():
    model = LapRLSClassifier().fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    e = again.objective_.space.element(again.solution_.coef)
    np.testing.assert_allclose(again.objective_.space.gram, model.objective_.space.gram)
    assert again.objective_.optimality(e) < 1e-8


def test_a_newer_format_is_refused_in_one_sentence():
    state = LapRLSClassifier().fit(X, Y).__getstate__()
    assert state[KEY]["format"] == FORMAT
    state[KEY] = {"format": FORMAT + 1, "version": "99.0"}
    refused = rf"saved by lapwing 99\.0 in format {FORMAT + 1}.*update lapwing"
    with pytest.raises(ValueError, match=refused):
        LapRLSClassifier().__setstate__(state)


@pytest.mark.parametrize("header", [None, {}, {"format": "x"}, {"format": None}, {"format": -1}])
def test_a_damaged_header_is_refused_in_one_sentence(header):
    state = LapSVC().__getstate__()
    state[KEY] = header
    with pytest.raises(ValueError, match=r"damaged header.*save the model again"):
        LapSVC().__setstate__(state)


def test_models_of_earlier_names_are_refused_in_one_sentence():
    state = LapSVC().__getstate__()
    state[KEY] = {"format": 1, "version": "0.1.0"}
    with pytest.raises(ValueError, match=r"before names changed.*save the model again"):
        LapSVC().__setstate__(state)
    saved = Path(__file__).parent / "data" / "saved-before-0.1.0.pkl"
    with pytest.raises(ValueError, match=r"before names changed.*save it again"):
        pickle.loads(saved.read_bytes())
