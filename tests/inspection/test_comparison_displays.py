"""The critical-difference diagram, the pairwise picture and the relative gains."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the displays draw with matplotlib")

from lapwing_papers.inspection import (
    CriticalDifferenceDisplay,
    PairwiseSignificanceDisplay,
    RelativeGainDisplay,
)
from lapwing_papers.model_selection import LocalLSMRSearch
from lapwing_papers.statistics import critical_difference, mean_ranks, nemenyi

rng = np.random.default_rng(0)
SCORES = rng.normal(size=(15, 4)) * 0.3 + np.array([0.0, 0.1, 1.0, 1.2])
NAMES = ["a", "b", "c", "d"]


def test_the_bars_join_exactly_what_nemenyi_does_not_tell_apart():
    display = CriticalDifferenceDisplay.from_scores(SCORES, NAMES).plot()
    p = nemenyi(SCORES)
    joined = {(i, j) for g in display.groups for i in g for j in g}
    for i in range(4):
        for j in range(4):
            assert ((i, j) in joined) == (p[i, j] >= 0.05) or i == j
    assert len(display.bars_) == len(display.groups)
    for bar, group in zip(display.bars_, display.groups, strict=True):
        ends = display.mean_ranks[list(group)]
        np.testing.assert_allclose(bar.get_xdata(), [ends.min() - 0.05, ends.max() + 0.05])


def test_every_method_is_marked_at_its_rank():
    display = CriticalDifferenceDisplay.from_scores(SCORES, NAMES).plot()
    assert display.cd == critical_difference(4, 15)
    order = np.argsort(mean_ranks(SCORES))
    for mark, text, method in zip(display.marks_, display.texts_, order, strict=True):
        assert mark.get_xdata()[0] == display.mean_ranks[method]
        assert NAMES[method] in text.get_text()
    assert "Friedman" in display.ax_.get_title()


def test_better_scores_and_smaller_errors_are_one():
    a = CriticalDifferenceDisplay.from_scores(SCORES, NAMES)
    b = CriticalDifferenceDisplay.from_scores(-SCORES, NAMES, greater_is_better=True)
    np.testing.assert_array_equal(a.mean_ranks, b.mean_ranks)


def test_pairwise_picture():
    display = PairwiseSignificanceDisplay.from_scores(SCORES, NAMES).plot()
    verdict = display.verdict
    np.testing.assert_array_equal(verdict, -verdict.T)
    assert verdict[0, 3] == 1 and verdict[3, 0] == -1
    np.testing.assert_array_equal(display.image_.get_array(), verdict)
    assert len(display.texts_) == 12
    assert not PairwiseSignificanceDisplay.from_scores(SCORES, NAMES, alpha=1e-9).verdict.any()


def test_relative_gain_of_a_search():
    X = rng.normal(size=(40, 2))
    Y = np.column_stack([X[:, 0], X[:, 0] + X[:, 1]])
    Y[15:] = np.nan
    search = LocalLSMRSearch(n_iter=4, cv=3, random_state=0).fit(X, Y)
    display = RelativeGainDisplay.from_search(search, name="toy").plot()
    best = search.best_score_ / search.reference_score_
    assert np.min(display.relative) == pytest.approx(best)
    assert display.points_.get_offsets().shape == (4, 2)
    assert (np.asarray(display.lambda_s) <= 10).all() and (np.asarray(display.lambda_m) > 0).all()


@pytest.mark.parametrize("display", [CriticalDifferenceDisplay, PairwiseSignificanceDisplay])
def test_a_name_for_each_method(display):
    with pytest.raises(ValueError, match="one per column"):
        display.from_scores(SCORES, NAMES[:2])
