"""Ranks of methods on each data set, 1 for the best, ties sharing their mean rank."""

import numpy as np
from scipy.stats import rankdata


def ranks(scores, *, greater_is_better: bool = False) -> np.ndarray:
    """The rank of each method on each data set.

    Parameters
    ----------
    scores : array of shape (n_datasets, n_methods)
        Errors, or scores if ``greater_is_better``; no missing values.

    Returns
    -------
    array of shape (n_datasets, n_methods)
        1 for the best; tied methods share the mean of their ranks, so each row sums to
        k(k + 1)/2.

    Examples
    --------
    >>> from lapwing_papers.statistics import ranks
    >>> ranks([[0.1, 0.3, 0.3]]).tolist()
    [[1.0, 2.5, 2.5]]
    """
    scores = check_scores(scores)
    return rankdata(-scores if greater_is_better else scores, axis=1)


def mean_ranks(scores, *, greater_is_better: bool = False) -> np.ndarray:
    """R_j = (1/N) Σ_i r_ij, the mean rank of each method over the data sets, (n_methods,)."""
    return ranks(scores, greater_is_better=greater_is_better).mean(axis=0)


def check_scores(scores) -> np.ndarray:
    """A finite (n_datasets, n_methods) table with at least two methods, or one clear error."""
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError(
            f"scores has shape {table.shape}; expected one row per data set and one column per "
            "method, with at least two methods."
        )
    if not np.isfinite(table).all():
        raise ValueError(
            "scores contains NaN or infinity: every method needs a score on every data set. Drop "
            "the data sets that some method could not handle."
        )
    return table
