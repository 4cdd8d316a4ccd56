"""Turn readouts into predictions, and labels into targets. Two classes have one column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import softmax

from ..linalg.blocks import some_rows

SURE = 5.75
"""The log odds of the best class against the second one, if their scores differ by the typical gap.
It is the center of the prior of the temperature (:mod:`lapwing.confidence.calibration`)."""

GAP_ROWS = 10_000
"""Maximum number of rows that determine a typical gap."""


def class_columns(codes: np.ndarray, q: int) -> np.ndarray:
    """Targets ±1 for class codes 0 … q − 1: one column for two classes, else one per class.

    Examples
    --------
    >>> class_columns(np.array([0, 1]), 2).ravel().tolist()
    [-1.0, 1.0]
    >>> class_columns(np.array([0, 2]), 3).tolist()
    [[1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]]
    """
    positive = np.arange(q) if q > 2 else np.ones(1)
    return np.where(np.asarray(codes)[:, None] == positive, 1.0, -1.0)


def best_class(readout: np.ndarray) -> np.ndarray:
    """The code of the predicted class, (..., n), from a readout, (..., n, 1) or (..., n, q)."""
    if readout.shape[-1] == 1:
        return (readout[..., 0] > 0).astype(int)
    return readout.argmax(axis=-1)


def both_columns(scores: np.ndarray) -> np.ndarray:
    """One score per class, (n, q). A single column of two classes becomes two columns."""
    return np.hstack([-scores, scores]) if scores.shape[1] == 1 else scores


def column_offsets(per_class: np.ndarray, n_columns: int) -> np.ndarray:
    """The offset of each column of a readout, (t,), for given offsets of the classes, (q,).

    An offset that is common to all classes has no effect.

    Examples
    --------
    >>> column_offsets(np.array([1.0, 3.0]), 1).tolist(), column_offsets(np.array([1.0, 3.0]), 2)
    ([1.0], array([-1.,  1.]))
    """
    centered = per_class - per_class.mean()
    return centered[1:] if n_columns == 1 else centered


def typical_gap(scores: np.ndarray) -> float:
    """The median difference of the two largest scores; the mean if the median is 0.

    Examples
    --------
    >>> import numpy as np
    >>> typical_gap(np.array([[1.0, 0.0, 0.5], [0.0, 3.0, 0.0], [1.0, 1.0, 0.0]]))
    0.5
    """
    if not len(scores):
        return 1.0
    best = np.sort(both_columns(scores[some_rows(len(scores), GAP_ROWS)]), axis=1)[:, -2:]
    gaps = best[:, 1] - best[:, 0]
    return float(np.median(gaps) or gaps.mean())


def expected_targets(scores: np.ndarray) -> np.ndarray:
    """The mean target ±1 of each class, 2 P(class) − 1, (n, t), from scores (n, t).

    Examples
    --------
    >>> expected_targets(np.array([[0.0], [1.0], [-1.0]])).round(3).ravel().tolist()
    [0.0, 0.994, -0.994]
    """
    both = both_columns(scores)
    behind = both - both.max(axis=1, keepdims=True)
    with np.errstate(over="ignore"):  # infinitely far behind: probability 0
        p = softmax(SURE * (behind / max(typical_gap(scores), np.finfo(float).tiny)), axis=1)
    return 2.0 * p[:, -scores.shape[1] :] - 1.0


@dataclass(frozen=True)
class Coding:
    """Turn readouts into predictions: classes by one-vs-rest, or real values.

    Attributes
    ----------
    classes : array or None
        None for real targets.
    flat : bool
        Whether predicted real values have one dimension.

    Examples
    --------
    >>> Coding(np.array(["no", "yes"])).decode(np.array([[-0.5], [0.2]])).tolist()
    ['no', 'yes']
    """

    classes: Any
    flat: bool = True

    @property
    def exclusive(self) -> bool:
        """Whether predictions are classes that exclude each other."""
        return self.classes is not None

    def decode(self, readout: np.ndarray) -> np.ndarray:
        """Predictions, (n,) or (n, t)."""
        if self.exclusive:
            return self.classes[best_class(readout)]
        return readout[:, 0] if self.flat else readout

    def scores(self, readout: np.ndarray) -> np.ndarray:
        """The result of ``decision_function``: (n,) for two classes, otherwise (n, q)."""
        return readout[:, 0] if readout.shape[1] == 1 else readout

    def class_targets(self) -> np.ndarray:
        """The target of each class, (q, t)."""
        q = len(self.classes)
        return class_columns(np.arange(q), q)

    def signs(self, y: np.ndarray) -> np.ndarray | None:
        """The targets as ±1 if they have another coding. Otherwise None."""
        return None

    def answers(self, readout: np.ndarray) -> np.ndarray:
        """The targets that an ambient function learns from the readout of the training rows.

        For classes, they are the expected targets times the mean size of the readout. Values on a
        graph get smaller far from labels, so the values themselves would count labeled rows only.
        Decisions would count a doubtful row as much as a sure one.
        """
        if not self.exclusive:
            return readout
        return expected_targets(readout) * np.mean(np.abs(readout))
