"""The error of several targets in one number: the average root mean squared error (MT eq. 9)."""

import numpy as np
from sklearn.metrics import make_scorer

from ..types import TargetLike


def armse(y_true: TargetLike, y_pred: TargetLike, *, sample_weight: TargetLike = None) -> float:
    """aRMSE = (1/m) Σ_k √( (1/n_k) Σ_i (y_ik − ŷ_ik)² ) over the observed entries.

    m is the number of targets, and n_k the number of observed entries of target k. If the targets
    have mean 0 and variance 1, predicting 0 everywhere scores 1.

    Parameters
    ----------
    y_true : array of shape (n,) or (n, m)
        The targets. NaN marks an entry that was not observed and does not count. A target without
        any observed entry does not enter the average.
    y_pred : array of shape (n,) or (n, m)
        The predictions.
    sample_weight : array of shape (n,), optional
        The weights of the rows.

    Returns
    -------
    float

    References
    ----------
    Kraus, Benabdeslem, Canitia (MT), eq. 9.

    Examples
    --------
    >>> from lapwing.metrics import armse
    >>> armse([[0.0, 0.0], [0.0, 0.0]], [[1.0, 2.0], [1.0, 2.0]])
    1.5
    """
    return float(np.mean(rmse_per_target(y_true, y_pred, sample_weight)))


def relative_armse(
    y_true: TargetLike,
    y_pred: TargetLike,
    y_reference: TargetLike = None,
    *,
    sample_weight: TargetLike = None,
) -> float:
    """aRMSE(ŷ) / aRMSE(reference). Below 1, the prediction ŷ is better than the reference.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,) or (n, m)
        As in :func:`armse`.
    y_reference : array of shape (n,) or (n, m), optional
        The predictions of the reference method (SSSL in MT Table III). None is the best constant:
        the mean of each target over ``y_true``.
    sample_weight : array of shape (n,), optional
        The weights of the rows.

    Returns
    -------
    float
        If the reference has no error, it is 1 if ŷ has none either, and infinity otherwise.

    References
    ----------
    Kraus, Benabdeslem, Canitia (MT), §IV.C, Table III.

    Examples
    --------
    >>> from lapwing.metrics import relative_armse
    >>> relative_armse([0.0, 2.0], [0.5, 1.5])
    0.5
    """
    if y_reference is None:
        truth, _, weights = _aligned(y_true, y_pred, sample_weight)
        y_reference = np.broadcast_to(_means(truth, weights), truth.shape)
        y_reference = y_reference.reshape(np.shape(y_true))
    error = armse(y_true, y_pred, sample_weight=sample_weight)
    reference = armse(y_true, y_reference, sample_weight=sample_weight)
    if reference == 0.0:
        return 1.0 if error == 0.0 else float("inf")
    return error / reference


def rmse_per_target(
    y_true: TargetLike, y_pred: TargetLike, sample_weight: TargetLike = None
) -> np.ndarray:
    """√( Σ_i w_i (y_ik − ŷ_ik)² / Σ_i w_i ) of each target with an observed entry."""
    truth, predicted, weights = _aligned(y_true, y_pred, sample_weight)
    squared = np.where(weights > 0, np.nan_to_num(truth) - predicted, 0.0) ** 2
    mass = weights.sum(axis=0)
    if not mass.any():
        raise ValueError(
            "y_true has no observed entry of positive weight, so there is no error to measure. "
            "Score on rows whose targets are known."
        )
    seen = mass > 0
    return np.sqrt((weights * squared).sum(axis=0)[seen] / mass[seen])


def _aligned(y_true: TargetLike, y_pred: TargetLike, sample_weight: TargetLike):
    """Targets and predictions as (n, m), and the weight of each entry; 0 if not observed."""
    truth, predicted = (np.asarray(y, dtype=float) for y in (y_true, y_pred))
    if truth.shape != predicted.shape or truth.ndim not in (1, 2):
        raise ValueError(
            f"y_true has shape {truth.shape} and y_pred {predicted.shape}; both must have the "
            "same shape, (n,) or (n, m)."
        )
    n = len(truth)
    truth, predicted = truth.reshape(n, -1), predicted.reshape(n, -1)
    if not np.isfinite(predicted).all():
        raise ValueError("y_pred contains NaN or infinity; only y_true may have missing entries.")
    weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weights.shape != (n,) or not (weights >= 0).all():
        raise ValueError(f"sample_weight must be {n} non-negative numbers, one per row.")
    return truth, predicted, weights[:, None] * ~np.isnan(truth)


def _means(truth: np.ndarray, weights: np.ndarray) -> np.ndarray:
    mass = weights.sum(axis=0)
    return (weights * np.nan_to_num(truth)).sum(axis=0) / np.where(mass > 0, mass, 1.0)


armse_scorer = make_scorer(armse, greater_is_better=False)
"""−aRMSE as a scorer for ``cross_val_score`` and scikit-learn's searches."""

relative_armse_scorer = make_scorer(relative_armse, greater_is_better=False)
"""−aRMSE relative to the mean of the scored targets, as a scorer."""
