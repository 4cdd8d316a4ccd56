"""Expected targets: the decision of each row, as sure as its scores are apart."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lapwing.confidence.calibration import CENTER
from lapwing.targets.coding import SURE, Coding, class_columns, expected_targets

SCORES = np.random.default_rng(0).normal(size=(200, 4))


@pytest.mark.parametrize("scores", [SCORES, SCORES[:, :1]])
def test_the_unit_of_the_scores_does_not_count(scores):
    assert_allclose(expected_targets(1e-9 * scores), expected_targets(scores), atol=1e-12)


def test_a_row_as_far_apart_as_most_is_as_sure_as_without_labels():
    """The median row of two classes has the log odds e^1.75, the center of the prior."""
    assert np.exp(CENTER) == pytest.approx(SURE, abs=0.01)
    scores = np.linspace(-1.0, 1.0, 101)[:, None]
    at = expected_targets(scores)[75, 0]  # 0.5, half of whose gaps are smaller
    assert np.log((1 + at) / (1 - at)) == pytest.approx(SURE, rel=0.03)


def test_far_rows_have_their_decision_and_ties_have_none():
    far = np.array([[0.0, 1.0, 0.0], [50.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 0.0]])
    found = expected_targets(far)
    assert_allclose(found[1], class_columns(np.array([0]), 3)[0], atol=1e-12)
    assert_allclose(found[3], [0.0, 0.0, -1.0], atol=1e-3)
    assert_allclose(found.sum(axis=1), -1.0)


def test_equal_scores_everywhere_are_no_decision():
    assert_allclose(expected_targets(np.zeros((3, 1))), 0.0)
    assert_allclose(expected_targets(np.ones((3, 4))), -0.5)


def test_decisions_stay_those_of_the_scores():
    answers = Coding(np.arange(4)).answers(SCORES)
    assert (answers.argmax(axis=1) == SCORES.argmax(axis=1)).all()
    assert np.abs(answers).max() <= np.abs(SCORES).mean()
