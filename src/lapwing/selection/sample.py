"""The rows that the search uses: labeled rows and a sample of the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..targets import best_class
from .losses import Judge

SEARCH_ROWS, VOTERS = 1_000, 300
"""The numbers of rows that rank the frames, and of those that vote. More change nothing."""


@dataclass(frozen=True)
class Sample:
    """The points and labels of the search: all of up to 1,000 rows, else at most 400 labeled ones.

    Attributes
    ----------
    points : Points
        The rows.
    codes : integer array of shape (m,)
        Class codes, −1 for unlabeled rows. Other targets have 0 for labeled rows.
    rows : integer array of shape (l,)
        The labeled rows.
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)
        Weights that sum to one over the rows.
    n_classes : int
        0 if the targets are no classes.
    exclusive : bool
        Whether a row has one of several classes, or one of the listed outputs of a structure.
    judge : Judge
        It computes the loss of a left-out label.
    random_state : int, RandomState or None
    kept : integer array of shape (m,)
        The indices of these m rows among all n rows.
    all_codes : integer array of shape (n,)
        The codes of all rows.
    """

    points: Any
    codes: np.ndarray
    rows: np.ndarray
    Y: np.ndarray
    w: np.ndarray
    n_classes: int
    exclusive: bool
    judge: Judge
    random_state: Any
    kept: np.ndarray
    all_codes: np.ndarray

    @property
    def X(self) -> Any:
        return self.points.X

    @property
    def n(self) -> int:
        return len(self.codes)

    @cached_property
    def voters(self) -> np.ndarray:
        """At most 300 unlabeled rows. The predictions of the settings are compared there."""
        rest = np.flatnonzero(self.codes < 0)
        if len(rest) <= VOTERS:
            return rest
        return np.sort(np.random.default_rng(0).choice(rest, VOTERS, replace=False))

    def answers(self, readouts: np.ndarray) -> np.ndarray:
        """Turn readouts, (g, m, t), into class codes, (g, m), or scaled values, (g, m t)."""
        if self.n_classes:
            return best_class(readouts).astype(np.int16)
        spread = np.std(self.Y, axis=0, where=self.w > 0)
        units = np.nan_to_num(readouts / np.where(spread > 0, spread, 1.0))
        # more than a million deviations make no difference
        return np.clip(units, -1e6, 1e6).reshape(len(units), -1).astype(np.float32)


def sampled_rows(
    weights: np.ndarray,
    codes: np.ndarray,
    whole: bool = False,
    n_labels: int = 400,
) -> tuple[np.ndarray, np.ndarray]:
    """The labeled rows for the search, and all rows for it, both ascending.

    More than 400 labeled rows hardly change the choice. With ``whole`` all rows are used. This is
    needed if the user gave a matrix over all rows.
    """
    labeled = weights.any(axis=1)
    rows, rest = np.flatnonzero(labeled), np.flatnonzero(~labeled)
    if whole:
        return rows, np.arange(len(codes))
    draw = np.random.default_rng(0)  # a fixed seed: always the same rows
    if len(rows) > n_labels:
        rows = np.sort(_balanced(rows, codes[rows], draw, n_labels))
    free = max(SEARCH_ROWS - len(rows), len(rows) // 2)
    if len(rest) > free:
        rest = draw.choice(rest, free, replace=False)
    return rows, np.sort(np.concatenate([rows, rest]))


def _balanced(rows, codes, draw, most: int) -> np.ndarray:
    """At most ``most`` rows, with equal shares of the classes as far as they have enough rows."""
    order = draw.permutation(len(rows))
    rank = np.empty(len(rows))
    for c in np.unique(codes):
        at = order[codes[order] == c]
        rank[at] = np.arange(len(at))
    return rows[np.argsort(rank, kind="stable")[:most]]
