"""The point at which precision and recall are equal."""

import numpy as np
from sklearn.metrics import make_scorer

from ..types import TargetLike


def prbep(y_true: TargetLike, y_score: TargetLike) -> float:
    """The precision–recall break-even point: the precision at which it equals the recall.

    They are equal if the number of rows called positive is the number of positive rows P. If
    several rows share the score at the cut, each counts in proportion. The order of the rows does
    not matter.

    Parameters
    ----------
    y_true : array of shape (n,)
        The classes: two values, of which the larger is the positive class.
    y_score : array of shape (n,)
        The scores. A larger score means more likely positive.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), §5.2, §5.4.

    Examples
    --------
    >>> prbep([1, 1, 0, 0], [4.0, 1.0, 3.0, 2.0])
    0.5
    """
    positive, score = _checked(y_true, y_score)
    p = int(positive.sum())
    cut = np.sort(score)[-p]
    above, at = score > cut, score == cut
    share = (p - above.sum()) / at.sum()
    return float((positive[above].sum() + share * positive[at].sum()) / p)


def break_even_error(y_true: TargetLike, y_score: TargetLike) -> float:
    """The share of wrong rows at the break-even point, 2(1 − PRBEP)·P/n for P positive rows of n.

    Examples
    --------
    >>> break_even_error([1, 1, 0, 0], [4.0, 1.0, 3.0, 2.0])
    0.5
    """
    positive, _ = _checked(y_true, y_score)
    return float(2.0 * (1.0 - prbep(y_true, y_score)) * positive.mean())


prbep_scorer = make_scorer(prbep, response_method=("decision_function", "predict_proba"))
"""``prbep`` for ``cross_val_score`` and ``GridSearchCV``: ``scoring=prbep_scorer``."""


def _checked(y_true: TargetLike, y_score: TargetLike) -> tuple[np.ndarray, np.ndarray]:
    y_true, score = np.asarray(y_true), np.asarray(y_score, dtype=float)
    if y_true.ndim != 1 or y_true.shape != score.shape:
        raise ValueError(
            f"y_true has shape {y_true.shape} and y_score {score.shape}; expected one score for "
            "each row, (n,) both."
        )
    values = np.unique(y_true)
    if len(values) != 2:
        raise ValueError(
            f"y_true holds the values {values[:5].tolist()}; the break-even point needs exactly "
            "two classes among the scored rows."
        )
    if np.isnan(score).any():
        raise ValueError("y_score contains NaN; every row needs a score.")
    return y_true == values[1], score
