"""The fixed list names every type that a saved model holds, and each of them exists."""

import importlib

import numpy as np
import pytest

import lapwing
from lapwing.io import load, save
from lapwing.io.trusted import TRUSTED

skops = pytest.importorskip("skops.io")


@pytest.mark.parametrize("name", sorted(n for n in TRUSTED if n.startswith("lapwing.")))
def test_the_type_exists(name):
    owner, last = name.rsplit(".", 1)
    if last == "features":  # the method of a kernel
        module, kind = owner.rsplit(".", 1)
        assert hasattr(getattr(importlib.import_module(module), kind), last)
    else:
        assert isinstance(getattr(importlib.import_module(owner), last), type)


rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4))
CLASSES = np.where(np.arange(60) < 30, (X[:, 0] > 0).astype(int), -1)
REALS = np.where(np.arange(60) < 30, X[:, 0], np.nan)
SEVERAL = np.column_stack([REALS, -REALS])
ESTIMATORS = [
    ("LapRLSClassifier", CLASSES), ("LapSVC", CLASSES), ("LapLogisticClassifier", CLASSES),
    ("ManifoldClassifier", CLASSES), ("StructuredLapSVC", CLASSES), ("CoRLSClassifier", CLASSES),
    ("CoMRClassifier", CLASSES), ("LapRLSRegressor", REALS), ("ManifoldRegressor", REALS),
    ("CoMRRegressor", REALS), ("VectorValuedRegressor", SEVERAL), ("LSMRRegressor", SEVERAL),
    ("RegularizedSpectralClustering", None), ("RegularizedLaplacianEigenmaps", None),
]  # fmt: skip


@pytest.mark.parametrize("name, y", ESTIMATORS)
def test_every_estimator_is_saved_and_loaded(tmp_path, name, y):
    model = getattr(lapwing, name)()
    model.fit(X) if y is None else model.fit(X, y)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    ask = "predict" if hasattr(model, "predict") else "transform"
    np.testing.assert_allclose(getattr(again, ask)(X), getattr(model, ask)(X), atol=1e-8)


def test_eigenmaps_name_their_columns_and_give_frames():
    pytest.importorskip("pandas")
    model = lapwing.RegularizedLaplacianEigenmaps(n_components=3).set_output(transform="pandas")
    frame = model.fit_transform(X)
    assert frame.columns.tolist() == model.get_feature_names_out().tolist()
    assert frame.columns[0] == "regularizedlaplacianeigenmaps0"
