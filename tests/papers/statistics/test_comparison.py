"""Ranks and tests against Demšar 2006 (Tables 2, 5, 6; §3.1.3, §3.2.2) and MT Table IV."""

import numpy as np
import pytest
from scipy import stats

from lapwing_papers.statistics import (
    critical_difference,
    friedman,
    indistinguishable,
    mean_ranks,
    nemenyi,
    pairwise_wilcoxon,
    ranks,
)

# Demšar 2006, Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets.
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
# The paper ranks its last two methods 2 and 3 on "voting", where three digits show a tie.
UNROUNDED = AUC.copy()
UNROUNDED[12, 3] -= 1e-6

# MT Table IV: LSMR, Local LSMR, SSSL, CMTL, DM, JFS, LSQ, MTL, SGR, TNR on 13 data sets.
MT = np.array(
    [
        [0.472, 1.006, 0.481, 0.533, 0.522, 0.543, 0.549, 0.534, 0.548, 0.548],
        [0.888, 0.713, 0.779, 0.727, 0.782, 0.764, 0.787, 0.787, 0.787, 0.787],
        [0.841, 1.005, 0.895, 0.849, 0.857, 0.856, 1.198, 0.855, 1.207, 0.852],
        [0.320, 0.541, 0.339, 0.332, 0.333, 0.332, 0.332, 0.332, 0.332, 0.332],
        [0.661, 0.847, 0.727, 0.597, 0.593, 0.591, 0.609, 0.593, 0.611, 0.598],
        [0.390, 0.488, 0.395, 0.398, 0.402, 0.402, 0.402, 0.402, 0.402, 0.402],
        [0.445, 0.918, 0.494, 0.515, 0.510, 0.534, 0.534, 0.534, 0.534, 0.534],
        [1.012, 0.957, 0.938, 0.882, 0.839, 0.861, 0.921, 0.873, 0.873, 0.906],
        [0.363, 0.816, 0.428, 0.357, 0.357, 0.354, 0.357, 0.354, 0.357, 0.357],
        [1.111, 0.926, 1.253, 0.621, 0.636, 0.635, 0.635, 0.635, 0.635, 0.635],
        [1.070, 0.998, 1.092, 0.999, 0.999, 0.999, 1.292, 0.999, 1.285, 0.999],
        [0.973, 1.041, 1.114, 1.022, 1.161, 1.024, 1.262, 1.024, 1.249, 1.024],
        [0.999, 0.999, 1.003, 0.946, 1.006, 0.982, 1.079, 0.947, 1.079, 1.023],
    ]
)


def test_demsar_mean_ranks():
    printed = [3.143, 2.000, 2.893, 1.964]
    np.testing.assert_allclose(mean_ranks(UNROUNDED, greater_is_better=True), printed, atol=5e-4)


def test_demsar_friedman():
    result = friedman(UNROUNDED, greater_is_better=True)
    assert result.chi2 == pytest.approx(9.28, abs=5e-3)
    assert result.f == pytest.approx(3.69, abs=5e-3)
    # "The critical value of F(3, 39) for α = 0.05 is 2.85, so we reject the null-hypothesis."
    assert result.f_pvalue < 0.05
    assert result.f_pvalue == pytest.approx(stats.f.sf(result.f, 3, 39))


def test_demsar_wilcoxon():
    """§3.1.3: R⁺ = 93, R⁻ = 12 for C4.5+m against C4.5; 21 or less rejects at α = 0.05."""
    p, winner = pairwise_wilcoxon(AUC[:, :2], greater_is_better=True)
    z = (12 - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24)  # the normal approximation of the text
    assert p[0, 1] == pytest.approx(2 * stats.norm.cdf(z), abs=4e-3)
    assert p[0, 1] < 0.01  # T = 12 is the exact critical value of N = 14 at α = 0.01
    assert winner[1, 0] == 1 and winner[0, 1] == -1


@pytest.mark.parametrize("n", [5, 13, 30])
def test_wilcoxon_agrees_with_scipy_without_ties(n):
    table = np.random.default_rng(n).normal(size=(n, 2)) + np.array([0, 0.4])
    expected = stats.wilcoxon(table[:, 0], table[:, 1], method="exact").pvalue
    assert pairwise_wilcoxon(table)[0][0, 1] == pytest.approx(expected)


def test_wilcoxon_with_ties_is_the_enumeration_of_signs():
    d = np.array([0.0, 0.1, 0.1, -0.1, 0.2, 0.3, 0.3])
    r = stats.rankdata(np.abs(d)) * (d != 0)
    signs = np.array(np.meshgrid(*[[-1, 1]] * 7)).reshape(7, -1)
    sums = np.abs(r @ signs)
    expected = np.mean(sums >= abs(r @ np.sign(d)) - 1e-12)
    p, _ = pairwise_wilcoxon(np.column_stack([d, np.zeros(7)]))
    assert p[0, 1] == pytest.approx(expected)


@pytest.mark.parametrize(
    "k, q05, q10",
    [(2, 1.960, 1.645), (4, 2.569, 2.291), (7, 2.949, 2.693), (10, 3.164, 2.920)],
)
def test_demsar_critical_values(k, q05, q10):
    """Table 5(a): at 6N = k(k+1) the critical difference is q_α itself."""
    for alpha, q in ((0.05, q05), (0.10, q10)):
        cd = critical_difference(k, 6, alpha) / np.sqrt(k * (k + 1) / 36)
        assert cd == pytest.approx(q, abs=1.1e-3)


def test_demsar_nemenyi_by_hand():
    """§3.2.2: CD = 1.25 at α = 0.05 (nothing differs), 1.12 at 0.10 (C4.5 from two others)."""
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=5e-3)
    p = nemenyi(UNROUNDED, greater_is_better=True)
    assert (p[np.triu_indices(4, 1)] > 0.05).all()
    differs = {(a, b) for a, b in zip(*np.nonzero(np.triu(p < 0.10)), strict=True)}
    assert differs == {(0, 1), (0, 3)}


def test_mt_table_iv():
    printed = {0: 4.8, 1: 7.5, 2: 6.4, 3: 3.2, 4: 5.1, 5: 4.0, 6: 7.3, 7: 4.3, 8: 6.9, 9: 5.5}
    np.testing.assert_allclose(mean_ranks(MT), [printed[j] for j in range(10)], atol=0.06)
    assert critical_difference(10, 13) == pytest.approx(3.757, abs=5e-4)
    assert friedman(MT).f_pvalue < 0.05
    p, winner = pairwise_wilcoxon(MT)
    assert p[0, 2] == pytest.approx(0.09, abs=5e-3) and winner[0, 2] == 1
    # Contrary to the paper's text, SSSL and SGR lie within the critical distance of the best.
    best = indistinguishable(mean_ranks(MT), critical_difference(10, 13))[0]
    assert {2, 8} <= set(best)


def test_friedman_agrees_with_scipy_without_ties():
    table = np.random.default_rng(0).normal(size=(9, 5))
    ours, theirs = friedman(table), stats.friedmanchisquare(*table.T)
    assert ours.chi2 == pytest.approx(theirs.statistic)
    assert ours.chi2_pvalue == pytest.approx(theirs.pvalue)


def test_nemenyi_is_the_critical_difference_in_p():
    table = np.random.default_rng(1).normal(size=(12, 4)) + np.array([0, 0.5, 1, 1.5])
    average = mean_ranks(table)
    beyond = np.abs(average[:, None] - average) > critical_difference(4, 12)
    np.testing.assert_array_equal(nemenyi(table) < 0.05, beyond)


def test_orders_are_reversed_by_the_sign():
    np.testing.assert_allclose(ranks(AUC) + ranks(AUC, greater_is_better=True), 5.0)


def test_all_equal_and_one_dataset():
    result = friedman(np.ones((5, 3)))
    assert result.chi2 == 0.0 and result.chi2_pvalue == 1.0
    np.testing.assert_array_equal(pairwise_wilcoxon(np.ones((5, 3)))[0], 1.0)
    assert friedman(np.tile([1.0, 2.0, 3.0], (4, 1))).f == np.inf
    assert np.isnan(friedman([[1.0, 2.0]]).f_pvalue)


def test_groups():
    assert indistinguishable([1.0, 2.0, 3.5, 3.9], 1.5) == [(0, 1), (1, 2), (2, 3)]
    assert indistinguishable([3.0, 1.0, 2.0], 5.0) == [(1, 2, 0)]
    assert indistinguishable([1.0, 5.0, 9.0], 0.5) == []


@pytest.mark.parametrize(
    "table, message",
    [
        ([1.0, 2.0], "one row per data set"),
        ([[1.0], [2.0]], "at least two methods"),
        ([[1.0, np.nan]], "NaN"),
    ],
)
@pytest.mark.parametrize("test", [friedman, nemenyi, pairwise_wilcoxon, ranks])
def test_bad_tables(test, table, message):
    with pytest.raises(ValueError, match=message):
        test(table)


def test_bad_levels():
    with pytest.raises(ValueError, match="alpha"):
        critical_difference(3, 10, 0.0)
    with pytest.raises(ValueError, match="at least two methods"):
        critical_difference(1, 10)
