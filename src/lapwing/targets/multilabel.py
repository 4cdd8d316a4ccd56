"""Multi-label targets: indicators in two codings, single missing entries, and label sets."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import MultiLabelBinarizer

from ..parameters.arguments import to_array
from ..types import TargetLike
from .classes import Targets, encode_classes
from .markers import is_missing, missing_mask, with_missing
from .real import encode_real

SETS = (list, tuple, set, frozenset)


@dataclass(frozen=True)
class LabelCoding:
    """The coding of labels in y. Predictions use the same coding.

    Attributes
    ----------
    negative : int
        0 or −1, the entry of an indicator if the label does not apply.
    binarizer : MultiLabelBinarizer or None
        It is given if the rows of y are sets of labels.
    classes : array of shape (q,)
        The labels.
    """

    negative: int = 0
    binarizer: MultiLabelBinarizer | None = None
    classes: np.ndarray | None = None

    exclusive = False

    def decode(self, readout: np.ndarray) -> Any:
        """Predictions from scores, (n, q). A label applies if its score is positive."""
        positive = readout > 0
        if self.binarizer is not None:
            return self.binarizer.inverse_transform(positive.astype(int))
        return np.where(positive, 1, self.negative)

    def scores(self, readout: np.ndarray) -> np.ndarray:
        """The result of ``decision_function``, (n, q)."""
        return readout

    def signs(self, y: np.ndarray) -> None:
        """None, because the targets are ±1 already."""

    def answers(self, readout: np.ndarray) -> np.ndarray:
        """The targets that an ambient function learns, (n, q)."""
        return readout

    def encode_truth(self, y: TargetLike) -> np.ndarray:
        """An array (n, q) of 1, ``negative`` and NaN from y in the same coding, for scores."""
        if self.binarizer is not None:
            return from_sets(y, self.binarizer)
        return _indicator(y)


def is_multilabel(y: TargetLike) -> bool:
    """Whether y holds label sets, several columns, or one column of 0/1 or −1/1 entries."""
    if sp.issparse(y) or are_sets(y):
        return True
    shape = np.asarray(y).shape
    if len(shape) != 2 or shape[1] == 0:
        return False
    return shape[1] > 1 or len(stands_for_no(_indicator(y))) > 0


def encode_labels(y: TargetLike, sample_weight: Any = 1.0, marker: Any = "auto") -> Targets:
    """Encode y as classes that exclude each other, or as labels that do not, by its form."""
    y = with_missing(y, marker)
    if is_multilabel(y):
        return encode_multilabel(y, sample_weight)
    return encode_classes(y, sample_weight, marker)


def encode_multilabel(y: TargetLike, sample_weight: Any = 1.0) -> Targets:
    """Turn multi-label y into targets ±1 with a mask, and the coding of predictions.

    Raises
    ------
    ValueError
        If the entries are neither 0/1 nor −1/1. If a label, or all of y, is unobserved. If no label
        has both values among its observed entries.
    """
    if are_sets(y):
        binarizer = MultiLabelBinarizer().fit([s for s in y if not is_missing(s)])
        if not len(binarizer.classes_):
            raise ValueError("No row of y holds a label: every set is empty or None.")
        indicator = from_sets(y, binarizer)
        coding = LabelCoding(0, binarizer, binarizer.classes_)
    else:
        indicator = _indicator(y)
        negative = stands_for_no(indicator)
        if not negative:
            values = _shown(y, indicator)
            raise ValueError(
                f"Unknown label type: y is a matrix of labels but holds {values}; expected 0 and "
                "1, or -1 and 1, with NaN for entries that are not known."
            )
        coding = LabelCoding(negative[0], classes=np.arange(indicator.shape[1]))
    signs = np.where(np.isnan(indicator), np.nan, np.where(indicator > 0, 1.0, -1.0))
    targets = encode_real(signs, sample_weight)
    _check_two_sided(targets)
    return replace(targets, code=coding)


def _check_two_sided(targets: Targets) -> None:
    seen = np.broadcast_to(targets.observed, targets.Y.shape)
    mixed = ((targets.Y > 0) & seen).any(axis=0) & ((targets.Y < 0) & seen).any(axis=0)
    if not mixed.any():
        raise ValueError(
            "Only one class is labeled: no label has both a positive and a negative entry among "
            "the observed rows. A classifier needs both for at least one label."
        )


def are_sets(y: TargetLike) -> bool:
    """Whether the rows are collections of labels. Lists of numbers of equal length are a matrix."""
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    if isinstance(y, np.ndarray):
        if y.dtype.kind != "O" or y.ndim != 1:
            return False
    elif not isinstance(y, list | tuple):
        return False
    seen = [row for row in y if not is_missing(row)]
    if not seen or not all(isinstance(row, SETS) for row in seen):
        return False
    matrix = len(seen) == len(y) and len({len(row) for row in seen}) == 1
    numbers = all(isinstance(v, int | float | np.number) for row in seen for v in row)
    return not (matrix and numbers and all(isinstance(row, list | tuple) for row in seen))


def from_sets(y: TargetLike, binarizer: MultiLabelBinarizer) -> np.ndarray:
    """The indicator rows of label sets, (n, q). A missing set gives a row of NaN."""
    out = np.full((len(y), len(binarizer.classes_)), np.nan)
    known = {i: row for i, row in enumerate(y) if not is_missing(row)}
    if known:
        out[list(known)] = binarizer.transform(list(known.values()))
    return out


def _indicator(y) -> np.ndarray:
    """y as a float matrix with NaN for missing entries."""
    array = y.toarray() if sp.issparse(y) else to_array(y)
    if array.dtype.kind == "O":
        array = np.where(missing_mask(array), np.nan, array)
    if array.dtype.kind in "USOmM":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            return np.full(array.shape, 2.0)  # text is no indicator: the caller raises an error
    return array.astype(np.float64)


def _shown(y, indicator: np.ndarray) -> list:
    """Some entries of y as the user passed them."""
    raw = indicator if sp.issparse(y) else to_array(y)
    seen = raw[~np.isnan(indicator)].tolist()
    return sorted(set(seen), key=str)[:5]


def stands_for_no(indicator: np.ndarray) -> list[int]:
    """The entry for "no": [0] or [−1]. Empty if the entries are neither 0/1 nor −1/1."""
    values = set(np.unique(indicator[~np.isnan(indicator)]))
    return [no for no in (0, -1) if values <= {float(no), 1.0}][:1]
