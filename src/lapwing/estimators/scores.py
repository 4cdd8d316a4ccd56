"""Scores over the labeled rows."""

import numpy as np

from .._scikit_learn import check_sample_weight


def score_entries(metric, truth, prediction, sample_weight=None) -> float:
    """The metric of each column over its observed entries, averaged over the columns.

    R² does not exist for a single entry. So columns with one observed entry count only if all
    columns have one.

    Parameters
    ----------
    metric : callable
        ``metric(truth, prediction, sample_weight=…)`` on one column.
    truth : array of shape (n, t)
        The targets; NaN if an entry is not known.
    prediction : array of shape (n,) or (n, t)
        The predictions.
    sample_weight : array of shape (n,), optional
        The weights of the rows.
    """
    prediction = np.asarray(prediction).reshape(truth.shape)
    seen = ~np.isnan(truth)
    counts = seen.sum(axis=0)
    columns = np.flatnonzero(counts >= max(1, min(2, counts.max(initial=0))))
    if not len(columns):
        raise ValueError("No entry of y is labeled: a score needs at least one.")
    pairs = [(prediction[:, j], truth[:, j], seen[:, j]) for j in columns]
    return float(np.mean([score_rows(metric, *pair, sample_weight) for pair in pairs]))


def score_rows(metric, prediction, truth, seen, sample_weight=None) -> float:
    """The metric over the labeled rows."""
    weight = labeled_weights(seen, sample_weight)
    return metric(list(truth[seen]), prediction[seen], sample_weight=weight)


def share_of_right_rows(truth, readout, sample_weight=None) -> float:
    """The share of labeled rows with every observed label right.

    Parameters
    ----------
    truth : array of shape (n, q)
        Positive if a label applies, NaN if it is not known.
    readout : array of shape (n, q)
        The scores.
    sample_weight : array of shape (n,), optional
        The weights of the rows.
    """
    missing = np.isnan(truth)
    seen = ~missing.all(axis=1)
    right = ((readout > 0) == (truth > 0)) | missing
    weight = labeled_weights(seen, sample_weight)
    return float(np.average(right[seen].all(axis=1), weights=weight))


def labeled_weights(seen: np.ndarray, sample_weight=None) -> np.ndarray:
    """The weights of the labeled rows. An error if no row is labeled."""
    if not seen.any():
        raise ValueError("No row of y is labeled: a score needs at least one.")
    return check_sample_weight(sample_weight, seen)[seen]
