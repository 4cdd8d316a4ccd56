"""Nemenyi's post-hoc test: which methods differ, once Friedman's test says that some do."""

import numpy as np
from scipy.stats import studentized_range

from .ranks import check_scores, mean_ranks


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """CD = q_α √(k(k+1)/(6N)): mean ranks further apart than this differ at level α.

    q_α is the studentized range statistic for k methods and infinite degrees of freedom, divided
    by √2.

    References
    ----------
    Demšar 2006, §3.2.2 and Table 5(a).

    Examples
    --------
    >>> from lapwing_papers.statistics import critical_difference
    >>> round(critical_difference(10, 13), 3)  # MT Fig. 6
    3.757
    """
    if n_methods < 2 or n_datasets < 1:
        raise ValueError(
            f"critical_difference got n_methods={n_methods} and n_datasets={n_datasets}; it "
            "compares at least two methods on at least one data set."
        )
    if not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha} is not a level of significance: choose 0 < alpha < 1.")
    q = studentized_range.isf(alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * _standard_error(n_methods, n_datasets))


def nemenyi(scores, *, greater_is_better: bool = False) -> np.ndarray:
    """p-values of Nemenyi's test between all pairs of methods, (n_methods, n_methods).

    P( range_k ≥ √2 |R_a − R_b| / √(k(k+1)/(6N)) ), 1 on the diagonal.

    Parameters
    ----------
    scores : array of shape (n_datasets, n_methods)

    Examples
    --------
    >>> from lapwing_papers.statistics import nemenyi
    >>> nemenyi([[0.1, 0.2], [0.1, 0.3], [0.2, 0.1]]).diagonal().tolist()
    [1.0, 1.0]
    """
    table = check_scores(scores)
    n, k = table.shape
    average = mean_ranks(table, greater_is_better=greater_is_better)
    distance = np.abs(average[:, None] - average) / _standard_error(k, n)
    p = np.ones((k, k))
    for a, b in zip(*np.triu_indices(k, 1), strict=True):
        p[a, b] = p[b, a] = studentized_range.sf(np.sqrt(2) * distance[a, b], k, np.inf)
    return p


def indistinguishable(mean_ranks, cd: float) -> list[tuple[int, ...]]:
    """The largest groups of methods whose mean ranks lie within ``cd``: the diagram's bars.

    Parameters
    ----------
    mean_ranks : array of shape (n_methods,)
    cd : float

    Returns
    -------
    list of tuple of int
        Method indices, best first; groups of one and groups inside others are left out.
    """
    average = np.asarray(mean_ranks, dtype=float)
    order = np.argsort(average, kind="stable")
    groups: list[tuple[int, ...]] = []
    reached = 0  # a group that ends where an earlier one did lies inside it
    for start in range(len(order)):
        within = average[order] - average[order[start]] <= cd
        end = start + int(np.argmin(np.append(within[start:], False)))
        if end - start > 1 and end > reached:
            groups.append(tuple(int(i) for i in order[start:end]))
            reached = end
    return groups


def _standard_error(n_methods: int, n_datasets: int) -> float:
    return float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))
