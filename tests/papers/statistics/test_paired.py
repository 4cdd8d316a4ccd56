"""Pairs of results."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from lapwing_papers.statistics import paired_test


def test_it_is_the_one_sample_test_of_the_differences():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 12))
    found = paired_test(a, b)
    assert found.pvalue == pytest.approx(ttest_1samp(a - b, 0.0).pvalue)
    assert found.mean == pytest.approx((a - b).mean())
    assert found.error == pytest.approx((a - b).std(ddof=1) / np.sqrt(12))
    assert found.wins + found.losses == 12 and found.wins == (a < b).sum()


def test_no_difference_one_difference_one_pair():
    assert paired_test([1.0, 2.0], [1.0, 2.0]).pvalue == 1.0
    assert paired_test([1.0, 2.0, 3.0], [2.0, 3.0, 4.0]).pvalue == 0.0
    assert np.isnan(paired_test([1.0], [2.0]).pvalue)
    with pytest.raises(ValueError, match="pairs"):
        paired_test([1.0, 2.0], [1.0])
