"""What the search looks at: the labeled rows, and a sample of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..exceptions import unsaid
from ..kernels import Kernel
from ..operators import Operator
from ..regularizers import Regularizer
from .rules import ambient_rule, intrinsic_rule

SEARCH_ROWS = 1000
"""Rows the search looks at; above, all labeled and a sample of unlabeled ones."""

SEARCH_LABELS = 400
"""Labeled rows the search looks at: more of them no longer change the choice."""

FAR = 1e6
"""Deviations of the targets beyond which a value is as wrong as any."""

VOTERS = 300
"""Unlabeled rows, of those looked at, that tell how far apart two settings are."""


@dataclass(frozen=True)
class Problem:
    """Points and labels to choose by.

    Attributes
    ----------
    X : array or CSR matrix of shape (n, d), or the Gram matrix
    codes : integer array of shape (n,)
        Class codes, −1 where unlabeled; 0 and −1 for regression.
    rows : integer array of shape (l,)
        The labeled ones.
    Y : array of shape (l, t)
    w : array of shape (l, 1) or (l, t)
        Weights that sum to one over the rows.
    n_classes : int
        0 for regression and for several labels per row.
    random_state : int, RandomState or None
    points : callable
        (kernel, X) ↦ what a graph sees.
    precomputed : bool
        Whether X is a Gram matrix.
    all_codes : integer array
        The codes of all rows, where these are a sample.
    """

    X: object
    codes: np.ndarray
    rows: np.ndarray
    Y: np.ndarray
    w: np.ndarray
    n_classes: int
    random_state: object
    points: Callable
    precomputed: bool
    all_codes: np.ndarray

    @property
    def n(self) -> int:
        return len(self.codes)

    @cached_property
    def voters(self) -> np.ndarray:
        """Unlabeled rows at which settings are compared with each other."""
        rest = np.flatnonzero(self.codes < 0)
        if len(rest) <= VOTERS:
            return rest
        return np.sort(np.random.default_rng(0).choice(rest, VOTERS, replace=False))

    def answers(self, readouts: np.ndarray) -> np.ndarray:
        """What readouts, (g, m, t), say: class codes, (g, m), or values in the targets' units."""
        if not self.n_classes:
            spread = np.std(self.Y, axis=0, where=self.w > 0)
            units = np.nan_to_num(readouts / np.where(spread > 0, spread, 1.0))
            return np.clip(units, -FAR, FAR).reshape(len(units), -1).astype(np.float32)
        if self.n_classes == 2:
            return (readouts[:, :, 0] > 0).astype(np.int16)
        return readouts.argmax(axis=2).astype(np.int16)

    def gram(self, kernel: Kernel) -> tuple[np.ndarray, float]:
        """K over the rows, and the rule's γ_A."""
        built = kernel.build(self.X, self.random_state)
        return np.asarray(built(self.X), dtype=float), ambient_rule(built.diagonal(self.X))

    def operator(self, kernel: Kernel, regularizer: Regularizer) -> tuple[Operator, float]:
        """M over the rows, and the rule's λ."""
        built = kernel.build(self.X, self.random_state) if kernel.precomputed else kernel
        with unsaid():  # the fit itself says what is to say of its graph
            M = regularizer.build(self.points(built, self.X), self.codes)
        return M, intrinsic_rule(M)


def sampled(
    X, Y, weights, codes, n_classes, *, random_state, points, precomputed=False, whole=False
) -> Problem:
    """All of up to 1,000 rows; above, up to 400 labeled and a sample of unlabeled rows.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or the (n, n) Gram matrix
    Y, weights : arrays of shape (n, t) and (n, 1) or (n, t)
    codes : integer array of shape (n,)
    n_classes : int
    random_state : int, RandomState or None
    points : callable
    precomputed : bool
        X is a Gram matrix, and rows are taken with their columns.
    whole : bool
        Nothing may be left out: a given matrix belongs to all rows.
    """
    rows, kept = sampled_rows(weights, codes, whole)
    at = np.searchsorted(kept, rows)
    w = weights[rows] / weights[rows].max(axis=1).sum()
    everything = len(kept) == len(codes)
    taken = X if everything else X[np.ix_(kept, kept)] if precomputed else X[kept]
    known = np.full(len(kept), -1)
    known[at] = codes[rows]
    return Problem(
        taken, known, at, Y[rows], w, n_classes, random_state, points, precomputed, codes
    )


def sampled_rows(
    weights: np.ndarray, codes: np.ndarray, whole: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The labeled rows to choose by, and all rows to look at, both ascending."""
    kept = np.arange(len(codes)) if whole else searched_rows(codes, weights)
    rows = np.intersect1d(kept, np.flatnonzero(weights.any(axis=1)), assume_unique=True)
    return rows, kept


def searched_rows(codes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rows that the search looks at, sorted; it looks at all of them once they are alone."""
    labeled = weights.any(axis=1)
    rows, rest = np.flatnonzero(labeled), np.flatnonzero(~labeled)
    draw = np.random.default_rng(0)  # the same rows whatever else is random
    if len(rows) > SEARCH_LABELS:
        rows = np.sort(_balanced(rows, codes[rows], draw))
    free = max(SEARCH_ROWS - len(rows), len(rows) // 2)
    if len(rest) > free:
        rest = draw.choice(rest, free, replace=False)
    return np.sort(np.concatenate([rows, rest]))


def _balanced(rows, codes, draw) -> np.ndarray:
    """As many rows of each class as there are, up to an equal share."""
    order = draw.permutation(len(rows))
    rank = np.empty(len(rows))
    for c in np.unique(codes):
        at = order[codes[order] == c]
        rank[at] = np.arange(len(at))
    return rows[np.argsort(rank, kind="stable")[:SEARCH_LABELS]]
