"""The area under the ROC curve of each label, and its average."""

import numpy as np
from sklearn.metrics import make_scorer, roc_auc_score

from ..types import TargetLike


def label_auc(Y_true: TargetLike, Y_score: TargetLike) -> np.ndarray:
    """AUC_j = P(s_j(x⁺) > s_j(x⁻)) + ½ P(s_j(x⁺) = s_j(x⁻)) of each label j, shape (q,).

    s_j is the score of label j. x⁺ is a random row with the label, and x⁻ one without it.

    Parameters
    ----------
    Y_true : array of shape (n, q) or (n,)
        1 if the label holds, 0 or −1 if it does not, NaN if it is not known.
    Y_score : array of shape (n, q) or (n,)
        The scores. A larger score means more likely.

    Returns
    -------
    array of shape (q,)
        NaN for a label without a positive or without a negative among the known rows.

    Examples
    --------
    >>> label_auc([[1, 0], [0, 0], [1, 0]], [[0.9, 0.1], [0.2, 0.3], [0.1, 0.5]])
    array([0.5, nan])
    """
    Y_true, Y_score = _checked(Y_true, Y_score)
    return np.array([_auc(t, s) for t, s in zip(Y_true.T, Y_score.T, strict=True)])


def macro_auc(Y_true: TargetLike, Y_score: TargetLike) -> float:
    """The mean of :func:`label_auc` over the labels that have both positives and negatives.

    Parameters
    ----------
    Y_true, Y_score : arrays of shape (n, q) or (n,)
        As in :func:`label_auc`.

    Returns
    -------
    float
        NaN if no label has both.

    References
    ----------
    Minh, Sindhwani 2011 (VV), §6: the mean of the area under the ROC curve over all labels.

    Examples
    --------
    >>> macro_auc([[1, 0], [0, 0], [1, 0]], [[0.9, 0.1], [0.2, 0.3], [0.1, 0.5]])
    0.5
    """
    areas = label_auc(Y_true, Y_score)
    known = areas[~np.isnan(areas)]
    return float(known.mean()) if len(known) else float("nan")


macro_auc_scorer = make_scorer(macro_auc, response_method=("decision_function", "predict_proba"))
"""``macro_auc`` for ``cross_val_score`` and ``GridSearchCV``: ``scoring=macro_auc_scorer``."""


def _auc(truth: np.ndarray, score: np.ndarray) -> float:
    known = ~np.isnan(truth)
    positive = truth[known] > 0
    return roc_auc_score(positive, score[known]) if 0 < positive.sum() < len(positive) else np.nan


def _checked(Y_true: TargetLike, Y_score: TargetLike) -> tuple[np.ndarray, np.ndarray]:
    Y_true, Y_score = np.asarray(Y_true, dtype=np.float64), np.asarray(Y_score, dtype=np.float64)
    if Y_true.shape != Y_score.shape or Y_true.ndim not in (1, 2):
        raise ValueError(
            f"Y_true has shape {Y_true.shape} and Y_score {Y_score.shape}; expected one score for "
            "each entry, (n_rows, n_labels) or (n_rows,)."
        )
    if np.isnan(Y_score).any():
        raise ValueError("Y_score contains NaN; every row needs a score for every label.")
    values = set(np.unique(Y_true[~np.isnan(Y_true)]))
    if not (values <= {0.0, 1.0} or values <= {-1.0, 1.0}):
        raise ValueError(
            f"Y_true holds {sorted(values)[:5]}; expected 0 and 1, or -1 and 1 (NaN: not known)."
        )
    return Y_true.reshape(len(Y_true), -1), Y_score.reshape(len(Y_score), -1)
