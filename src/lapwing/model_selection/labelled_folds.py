"""Cross-validation where only the labelled rows are split."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import BaseCrossValidator, KFold
from sklearn.utils.validation import _num_samples

from ..targets import as_labels, missing_mask, unlabelled_mask


class LabelledKFold(BaseCrossValidator):
    """K folds of the labelled rows; the unlabelled ones are in every training part.

    Train = the unlabelled rows and all labelled folds but one, test = that one. For
    ``cross_val_score``, ``GridSearchCV`` and ``RandomizedSearchCV``.

    Parameters
    ----------
    n_splits : int, default=10
    shuffle : bool, default=True
    random_state : int, RandomState or None, default=None

    References
    ----------
    MT §IV.B: only the labelled data are split, the unlabelled ones serve all folds.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.model_selection import LabelledKFold
    >>> y = np.array([1.0, np.nan, 2.0, np.nan])
    >>> for train, test in LabelledKFold(2, shuffle=False).split(np.zeros((4, 1)), y):
    ...     print(train, test)
    [1 2 3] [0]
    [0 1 3] [2]
    """

    def __init__(self, n_splits=10, *, shuffle=True, random_state=None):
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """How many folds there are."""
        return self.n_splits

    def split(self, X, y=None, groups=None):
        """Row indices (train, test) of each fold.

        Parameters
        ----------
        X : array of shape (n, …)
        y : array of shape (n,) or (n, t)
            Unlabelled rows marked as everywhere; of several targets, a row is labelled that has
            any.
        """
        if y is None:
            raise ValueError("LabelledKFold needs y: it splits the rows whose label is known.")
        labelled = labelled_rows(y)
        if _num_samples(X) != len(labelled):
            raise ValueError(f"X has {_num_samples(X)} rows but y has {len(labelled)}.")
        rows = np.flatnonzero(labelled)
        if len(rows) < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} folds need as many labelled rows, but only {len(rows)} "
                "are labelled: use fewer folds."
            )
        seed = self.random_state if self.shuffle else None
        folds = KFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
        everything = np.arange(len(labelled))
        for _, fold in folds.split(rows):
            yield np.setdiff1d(everything, rows[fold]), rows[fold]


def labelled_rows(y) -> np.ndarray:
    """True where a row has a label, or any observed target, (n,)."""
    y = y if hasattr(y, "ndim") else np.asarray(y)
    if y.ndim == 2:
        return np.asarray(~missing_mask(np.asarray(y)).all(axis=1))
    return ~unlabelled_mask(as_labels(y))
