"""Several labels in one cell: "red;round" is a set of two."""

from collections import Counter
from typing import Any

import numpy as np

from ..targets.markers import is_missing
from ..types import Frame
from .labels import Labels, read_labels


def read_label_sets(column: Frame, separator: str, unlabeled: Any = None) -> Labels:
    """A column of cells with several labels each, as sets; None where a cell is unlabeled.

    Examples
    --------
    >>> found = read_label_sets(["red;round", "", "red"], ";")
    >>> [None if s is None else sorted(s) for s in found.y]
    [['red', 'round'], None, ['red']]
    >>> found.task, found.counts
    ('labels', {'red': 2, 'round': 1})
    """
    words = read_labels([None if is_missing(v) else str(v) for v in column], unlabeled, "class")
    y = np.empty(len(words.y), dtype=object)
    for i, cell in enumerate(words.y):
        if cell is not None:
            y[i] = tuple(sorted({part.strip() for part in cell.split(separator)} - {""}))
    counts = Counter(label for labels in y if labels is not None for label in labels)
    return Labels(y, "labels", words.skipped, dict(counts.most_common()))
