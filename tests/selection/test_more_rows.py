"""The default call at every size: values on the graph of all rows, built once."""

import numpy as np
import pytest
from sklearn.datasets import make_moons

from lapwing import LapRLSClassifier, LapSVC
from lapwing.datasets import keep_labels
from lapwing.graphs import KNN
from lapwing.spaces import GraphValuesSpace


def moons(n, seed, per_class=3):
    X, truth = make_moons(n, noise=0.1, random_state=seed)
    return X, keep_labels(truth, per_class, np.random.RandomState(seed)), truth


@pytest.mark.parametrize("model", [LapRLSClassifier, LapSVC])
def test_more_unlabeled_rows_do_not_hurt(model):
    """Over a kernel the normalized Laplacian penalizes constants: 6 % errors at 3,000 rows."""
    for n in (1500, 3000):
        errors = []
        for seed in range(2):
            X, y, truth = moons(n, seed)
            errors.append(np.mean(model().fit(X, y).transduction_ != truth))
        assert np.mean(errors) < 0.01


def test_the_choice_can_be_typed_and_the_graph_is_built_once(monkeypatch):
    X, y, _ = moons(700, 0, 10)
    calls, build = [], KNN.build

    def counted(self, points):
        calls.append(points.shape[0])
        return build(self, points)

    monkeypatch.setattr(KNN, "build", counted)
    model = LapRLSClassifier().fit(X, y)
    frames = {str(getattr(t.regularizer.graph, "transformer", "")) for t in model.selection_.trials}
    assert 0 < calls.count(700) <= len(frames)
    assert model.selection_.choice["space"] == "graph"
    assert isinstance(model.objective_.space, GraphValuesSpace)
    again = LapRLSClassifier(**model.selection_.choice).fit(X, y)
    np.testing.assert_allclose(again.transduction_, model.transduction_)


@pytest.mark.parametrize("n", [12, 60, 490, 510])
def test_no_number_of_rows_changes_the_space(n):
    X, y, _ = moons(n, 0, 2)
    for model in (LapRLSClassifier(), LapRLSClassifier(kernel="rbf", gamma_I="rule")):
        fitted = model.fit(X, y)
        assert fitted.selection_.choice["space"] == "graph"
        assert isinstance(fitted.objective_.space, GraphValuesSpace)


def test_few_rows_are_answered_as_well_as_many():
    """One label per class, 490 rows: an exact fit has 9 % errors on average."""
    errors = []
    for seed in range(6):
        X, y, truth = moons(490, seed, 1)
        errors.append(np.mean(LapRLSClassifier().fit(X, y).transduction_ != truth))
    assert np.mean(errors) < 0.03


def test_given_weights_and_early_stopping_keep_the_kernel():
    X, y, _ = moons(700, 0, 10)
    for model in (LapRLSClassifier(gamma_A=1e-4), LapRLSClassifier(solver="early_stopping")):
        fitted = model.fit(X, y)
        assert "space" not in fitted.selection_.choice
        assert not isinstance(fitted.objective_.space, GraphValuesSpace)
