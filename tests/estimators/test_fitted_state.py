"""A fit that fails or is interrupted leaves the model as it was."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import lapwing.estimators.fitting as fitting
from lapwing import (
    CoRLSClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    RegularizedSpectralClustering,
    StructuredLapSVC,
    VectorValuedClassifier,
)

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 3))
TRUTH = (X[:, 0] > 0).astype(int)
Y = np.where(np.arange(40) < 20, TRUTH, -1)
WORDS = np.where(Y < 0, None, np.array(["no", "a yes"])[TRUTH])  # the order of classes is reversed

MODELS = [LapRLSClassifier(), StructuredLapSVC(), VectorValuedClassifier(), CoRLSClassifier()]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_refit_keeps_the_old_model_whole(monkeypatch, model, error):
    model = clone(model).fit(X, Y)
    before, state = model.predict(X), set(vars(model))

    def interrupted(*args, **kwargs):
        raise error

    monkeypatch.setattr(fitting, "choose_solver", interrupted)
    with pytest.raises(error):
        model.fit(X[:, :2], WORDS)
    np.testing.assert_array_equal(model.predict(X), before)
    assert set(vars(model)) == state
    assert model.n_features_in_ == 3


@pytest.mark.parametrize("model", [*MODELS, LapRLSRegressor()], ids=lambda m: type(m).__name__)
def test_a_first_fit_that_fails_leaves_an_unfitted_model(monkeypatch, model):
    model = clone(model)
    monkeypatch.setattr(fitting, "choose_solver", lambda *args, **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.fit(X, Y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_clustering_repeats_itself_without_a_seed_and_without_the_global_generator():
    state = np.random.get_state()[2]  # noqa: NPY002
    labels = [RegularizedSpectralClustering(5).fit(X).labels_ for _ in range(2)]
    np.testing.assert_array_equal(*labels)
    assert np.random.get_state()[2] == state  # noqa: NPY002


def test_progress_in_a_log_file_is_lines(capsys):
    LapRLSClassifier(verbose=1).fit(X, Y)
    text = capsys.readouterr().err
    assert "\r" not in text
    lines = text.splitlines()
    assert all(line.startswith("LapRLSClassifier  ") for line in lines)
    assert any("graph" in line for line in lines)
    assert "certificate" in lines[-1]


def test_rooms_are_attributes_of_the_package():
    script = "import lapwing; lapwing.inspection.GraphDisplay; lapwing.datasets.load_digits"
    subprocess.run([sys.executable, "-c", script], check=True)
