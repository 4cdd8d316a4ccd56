"""The break-even point: where precision and recall are equal, and what goes with it."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import cross_val_score

from lapwing.metrics import break_even_error, prbep, prbep_scorer

rng = np.random.default_rng(0)


@pytest.mark.parametrize("seed", range(5))
def test_precision_and_recall_are_equal_there(seed):
    draw = np.random.default_rng(seed)
    y, score = draw.integers(0, 2, 60), draw.normal(size=60)
    called = np.zeros(60, dtype=int)
    called[np.argsort(-score)[: y.sum()]] = 1
    assert prbep(y, score) == pytest.approx(precision_score(y, called))
    assert prbep(y, score) == pytest.approx(recall_score(y, called))
    assert break_even_error(y, score) == pytest.approx((called != y).mean())


def test_ties_do_not_depend_on_the_order_of_rows():
    y, score = np.array([1, 1, 0, 0, 0, 1]), np.array([3.0, 1.0, 1.0, 1.0, 0.0, 2.0])
    orders = [rng.permutation(6) for _ in range(10)]
    assert {round(prbep(y[o], score[o]), 12) for o in orders} == {round((2 + 1 / 3) / 3, 12)}


def test_any_two_values_and_any_increasing_scores():
    y, score = rng.integers(0, 2, 40), rng.normal(size=40)
    assert prbep(y, score) == prbep(2 * y - 1, score) == prbep(y, np.exp(score))
    assert prbep(np.array(["no", "yes"])[y], score) == prbep(y, score)


@pytest.mark.parametrize(
    "y, score, message",
    [
        ([1, 1], [0.0, 1.0], "exactly two classes"),
        ([0, 1], [0.0, np.nan], "NaN"),
        ([0, 1, 1], [0.0, 1.0], "one score"),
    ],
)
def test_errors(y, score, message):
    with pytest.raises(ValueError, match=message):
        prbep(y, score)


def test_the_scorer_works_in_cross_validation():
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + 0.1 * rng.normal(size=80) > 0.5).astype(int)
    scores = cross_val_score(LogisticRegression(), X, y, scoring=prbep_scorer, cv=4)
    assert scores.min() > 0.6
