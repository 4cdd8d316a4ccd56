"""The class of each drawn point."""

from dataclasses import dataclass

import numpy as np

from ..targets import as_labels, unlabeled_mask
from ..types import TargetLike


@dataclass(frozen=True)
class PointLabels:
    """The classes of a legend, and the class of each point.

    Attributes
    ----------
    classes : array of shape (c,)
    codes : integer array of shape (n,)
        The position of the class of each point in ``classes``. −1 if a point has no label.
    """

    classes: np.ndarray
    codes: np.ndarray

    @property
    def labeled(self) -> np.ndarray:
        """Whether a point has a label, (n,)."""
        return self.codes >= 0


def read_labels(y: TargetLike, n: int, classes: TargetLike = None) -> PointLabels:
    """Turn labels in any coding of the estimators into positions in ``classes``.

    Parameters
    ----------
    y : array of shape (n,) or None
        −1 (integers) or None/NaN/pd.NA marks a point without a label; None is no label at all.
    n : int
        The number of drawn points.
    classes : array of shape (c,), optional
        Those of a fitted classifier; None takes the labels found in y.

    Examples
    --------
    >>> read_labels([7, -1, 3], 3).codes
    array([ 1, -1,  0])
    """
    if y is None:
        found = np.array([]) if classes is None else np.asarray(classes)
        return PointLabels(found, np.full(n, -1))
    labels = as_labels(y)
    if len(labels) != n:
        raise ValueError(f"y has {len(labels)} labels for {n} points: give one per point.")
    seen = ~unlabeled_mask(labels, () if classes is None else classes)
    found = np.unique(labels[seen]) if classes is None else np.asarray(classes)
    codes = np.full(n, -1)
    codes[seen] = _places(labels[seen], found)
    return PointLabels(found, codes)


def _places(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    place = {c: i for i, c in enumerate(classes.tolist())}
    unknown = sorted({str(v) for v in labels.tolist() if v not in place})
    if unknown:
        raise ValueError(
            f"y holds {', '.join(unknown)}, but the classes are {', '.join(map(str, place))}."
        )
    return np.array([place[v] for v in labels.tolist()], dtype=int)
