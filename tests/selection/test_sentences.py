"""What a selection says: are the unlabeled rows used, how sure is that, and what to do."""

import numpy as np
import pytest

from lapwing import (
    CoMRRegressor,
    CoRLSClassifier,
    LapRLSClassifier,
    LapRLSRegressor,
    LapS3LRegressor,
    VectorValuedRegressor,
)
from lapwing.datasets import make_two_moons
from lapwing.exceptions import ChanceWarning
from lapwing.selection.selection import Selection

X, y, truth = make_two_moons(120, labels_per_class=8, random_state=0)


def test_a_graph_that_helps_is_said_with_how_sure_that_is():
    found = LapRLSClassifier().fit(X, y).selection_
    assert found.reason.startswith("Your unlabeled rows are used, through a graph of neighbors: ")
    assert f"{100 * found.graph_weight:.0f} % of the weight" in found.reason
    assert "1 for an error, plus its log loss" in found.reason  # the unit of what labels cost
    assert f"{len(found.trials)} settings" in found.reason
    assert str(found).startswith(found.reason) and "Chosen: kernel=" in str(found)


def test_without_a_graph_the_unlabeled_rows_play_no_part():
    points = np.random.default_rng(0).standard_normal((150, 5))
    target = np.where(np.arange(150) < 30, points @ np.arange(5.0), np.nan)
    model = LapRLSRegressor().fit(points, target)
    assert model.gamma_I_ == 0
    assert model.selection_.reason.startswith("Your unlabeled rows play no part (gamma_I=0): sure")
    assert 'gamma_I="rule" would use a graph' in model.selection_.reason
    assert "squared error over the variance" in model.selection_.reason


def test_a_weight_that_was_given_is_not_called_a_choice():
    for gamma_I, said in ((0.0, "play no part"), ("rule", "are used")):
        text = LapRLSClassifier(gamma_I=gamma_I).fit(X, y).selection_.reason
        assert said in text and "sure" not in text and "in doubt" not in text


def test_labels_that_tell_nothing_are_said_to():
    rng = np.random.default_rng(0)
    points, labels = rng.standard_normal((150, 5)), np.full(150, -1)
    labels[:40] = rng.integers(0, 2, 40)
    with pytest.warns(ChanceWarning, match="check the labels and the columns of X"):
        LapRLSClassifier(gamma_I=0.0).fit(points, labels)


def test_doubt_asks_for_labels():
    two = {"kernel": "rbf"}, {"kernel": "linear"}
    found = Selection(
        {},
        settings=two,
        part=np.array([0, 1]),
        gamma_A=np.ones(2),
        gamma_I=np.array([1.0, 0.0]),
        weights=np.array([0.6, 0.4]),
        losses=np.ones((2, 5)),
    ).chosen(0, {})
    assert "in doubt, with 60 % of the weight" in found.reason
    assert "next_to_label" in found.reason


def test_views_speak_of_no_graph_that_they_do_not_have():
    views = [("a", "rbf", [0]), ("b", "rbf", [1])]
    text = str(CoRLSClassifier(views).fit(X, y).selection_)
    assert "graph" not in text and "settings compared by leave-one-out over 16 labels" in text
    assert "Your unlabeled rows are used, through the agreement of the views" in text


def test_without_a_graph_rows_still_count_through_eigenvectors_and_views():
    points = np.random.default_rng(0).standard_normal((150, 5))
    target = np.where(np.arange(150) < 30, points @ np.arange(5.0), np.nan)
    views = [("a", "rbf", [0, 1, 2]), ("b", "rbf", [2, 3, 4])]
    for model, way in ((LapS3LRegressor(), "eigenvectors"), (CoMRRegressor(views), "agreement")):
        text = model.fit(points, target).selection_.reason
        assert "play no part" not in text and f"through {way}" in text.replace("the ", "")


def test_settings_of_two_searches_are_one_sentence():
    """Output kernels are compared at the settings of the first search."""
    points = np.random.default_rng(0).standard_normal((150, 5))
    one = np.where(np.arange(150) < 30, points @ np.arange(5.0), np.nan)
    found = VectorValuedRegressor().fit(points, np.c_[one, 2 * one + points[:, 0]]).selection_
    kept = all(found.best.settings.get(k) == v for k, v in found.default.settings.items())
    assert ("The default is kept" in found.reason) == kept
    assert "% of the weight of" in found.reason


def test_one_setting_is_one():
    given = {"kernel": "rbf", "regularizer": "laplacian", "gamma_A": 1e-3, "gamma_I": 1.0}
    assert "; 1 setting compared" in LapRLSClassifier(**given).fit(X, y).selection_.reason
