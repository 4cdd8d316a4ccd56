"""Hide most labels of a fully labeled data set."""

import numpy as np
from sklearn.utils import check_random_state

from ..types import RandomState, TargetLike


def keep_labels(
    truth: TargetLike, labels_per_class: int = 1, random_state: RandomState = None
) -> np.ndarray:
    """Keep ``labels_per_class`` random labels of each class. Others become −1 (None for strings).

    Parameters
    ----------
    truth : array of shape (n,)
        The labels of all rows.
    labels_per_class : int, default=1
        The number of labels to keep in each class.
    random_state : int, RandomState or None
        The seed that draws the labels.

    Examples
    --------
    >>> import numpy as np
    >>> keep_labels(np.array([0, 0, 1, 1, 1]), 2, random_state=0)
    array([ 0,  0,  1, -1,  1])
    """
    truth = np.asarray(truth)
    draw = check_random_state(random_state)
    integer = truth.dtype.kind in "iu"
    y = np.full(len(truth), -1 if integer else None, dtype=int if integer else object)
    for c in np.unique(truth):
        rows = np.flatnonzero(truth == c)
        if len(rows) < labels_per_class:
            raise ValueError(
                f"Class {c!r} has {len(rows)} rows, fewer than labels_per_class={labels_per_class}."
            )
        kept = draw.choice(rows, labels_per_class, replace=False)
        y[kept] = truth[kept]
    return y
