"""Friedman's test: do any of the methods differ at all?"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2
from scipy.stats import f as f_distribution

from .ranks import check_scores, mean_ranks


@dataclass(frozen=True)
class FriedmanResult:
    """Friedman's χ²_F with Iman and Davenport's less conservative F_F.

    Attributes
    ----------
    mean_ranks : array of shape (n_methods,)
    chi2, chi2_pvalue : float
        χ²_F on k − 1 degrees of freedom.
    f, f_pvalue : float
        F_F on (k − 1, (k − 1)(N − 1)) degrees of freedom.
    """

    mean_ranks: np.ndarray
    chi2: float
    chi2_pvalue: float
    f: float
    f_pvalue: float


def friedman(scores, *, greater_is_better: bool = False) -> FriedmanResult:
    """χ²_F = 12N/(k(k+1)) · (Σ_j R_j² − k(k+1)²/4),  F_F = (N−1)χ²_F / (N(k−1) − χ²_F).

    Ties share ranks without the tie correction of the variance, as in Demšar's text (it makes
    the test a little conservative).

    Parameters
    ----------
    scores : array of shape (n_datasets, n_methods)
    greater_is_better : bool, default=False
        False for errors.

    References
    ----------
    Demšar 2006, *Statistical Comparisons of Classifiers over Multiple Data Sets*, §3.2.2.

    Examples
    --------
    >>> from lapwing_papers.statistics import friedman
    >>> result = friedman([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.3, 0.2, 0.4]])
    >>> round(result.chi2, 2)
    4.67
    """
    table = check_scores(scores)
    n, k = table.shape
    average = mean_ranks(table, greater_is_better=greater_is_better)
    statistic = 12 * n / (k * (k + 1)) * (np.sum(average**2) - k * (k + 1) ** 2 / 4)
    statistic = float(max(statistic, 0.0))  # rounding may leave −1e-15 when all ranks are equal
    rest = n * (k - 1) - statistic
    # All data sets agree on one order: F_F is infinite, the strongest evidence there is.
    ratio = (n - 1) * statistic / rest if rest > 1e-12 * n * k else np.inf
    freedom = (k - 1, (k - 1) * (n - 1))
    f_pvalue = f_distribution.sf(ratio, *freedom) if n > 1 else np.nan
    return FriedmanResult(
        average, statistic, float(chi2.sf(statistic, k - 1)), float(ratio), float(f_pvalue)
    )
