"""Views fitted on the training rows: X split into blocks, kernels with their widths."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from ..graphs.row_keys import row_keys
from ..kernels import Kernel, get_kernel
from ..kernels.magnitude import checked_build
from ..types import MatrixLike, RandomState
from .columns import column_indices
from .spec import View

DENSE_FROM = 0.25  # from this share of nonzeros on, a block of a sparse X is stored dense


@dataclass(frozen=True)
class SplitRows:
    """The rows of X, view by view.

    Attributes
    ----------
    blocks : tuple of arrays or CSR matrices of shape (n_j, d_j)
        For each view, the rows that have it, with the columns of the view.
    rows : tuple of sorted integer arrays of shape (n_j,)
        For each view, the numbers of these rows among the n rows.
    n : int
        The number of rows of X.
    """

    blocks: tuple = field(repr=False)
    rows: tuple[np.ndarray, ...] = field(repr=False)
    n: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.n, len(self.blocks)

    @property
    def complete(self) -> bool:
        """Whether every row has every view."""
        return all(len(rows) == self.n for rows in self.rows)

    @property
    def present(self) -> np.ndarray:
        """Which row has which view, boolean, (n, m)."""
        mask = np.zeros(self.shape, dtype=bool)
        for j, rows in enumerate(self.rows):
            mask[rows, j] = True
        return mask

    @property
    def keys(self) -> np.ndarray:
        """The keys of each row by view, (n, m); NaN where the row lacks the view."""
        found = np.full(self.shape, np.nan)
        for j, (rows, block) in enumerate(zip(self.rows, self.blocks, strict=True)):
            found[rows, j] = row_keys(block)
        return found

    def readout_weights(self, a: np.ndarray) -> np.ndarray:
        """The weights a_j of the views at each row, (n, m).

        Where a row lacks a view, the other views share its weight. The weights of a row always have
        the sum Σ a_j. A function on which all views agree is thus read out alike at every row.
        """
        if self.complete:
            return np.tile(a, (self.n, 1))
        weights = self.present * a
        partial = ~self.present.all(axis=1)
        left = weights.sum(axis=1)
        if np.any(partial & (np.abs(left) < 1e-12 * np.abs(a).sum())):
            row = np.flatnonzero(partial & (np.abs(left) < 1e-12 * np.abs(a).sum()))[0]
            raise ValueError(
                f"Row {row} has only views whose weights add up to 0: nothing could be predicted "
                "there. Give every view a positive weight, or drop the row."
            )
        weights[partial] *= (a.sum() / left[partial])[:, None]
        return weights


@dataclass(frozen=True)
class BuiltViews:
    """The views after :func:`build_views`: all that is needed to split any other X."""

    names: tuple[str, ...]
    kernels: tuple[Kernel, ...]
    columns: tuple[np.ndarray, ...] = field(repr=False)
    scalers: tuple[Any, ...] = field(repr=False)
    n_features: int

    def __len__(self) -> int:
        return len(self.names)

    def split(self, X: MatrixLike) -> SplitRows:
        """X, (n, d), view by view. X is validated and may hold NaN.

        Raises
        ------
        ValueError
            If a row is only partly NaN in a view, or has no view at all.
        """
        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} columns, the point cloud had {self.n_features}.")
        raw = [_present(X, *view) for view in zip(self.columns, self.names, strict=True)]
        blocks = [
            scaler.transform(block) if scaler else block
            for (_, block), scaler in zip(raw, self.scalers, strict=True)
        ]
        split = SplitRows(tuple(blocks), tuple(rows for rows, _ in raw), X.shape[0])
        none = np.flatnonzero(~split.present.any(axis=1))
        if len(none):
            raise ValueError(
                f"Row {none[0]} is NaN in every view ({len(none)} such row(s)): a row needs at "
                "least one view. Drop these rows."
            )
        return split


def build_views(
    views: Sequence[View],
    X: MatrixLike,
    names: np.ndarray | None = None,
    random_state: RandomState = None,
) -> tuple[BuiltViews, SplitRows]:
    """Fit the views on the rows of X: find their columns, fit scalers, compute kernel widths.

    Parameters
    ----------
    views : sequence of View
    X : array or CSR matrix of shape (n, d), NaN allowed
    names : array of shape (d,), optional
        Column names.
    random_state : int, RandomState or None
        Passed to the rules for kernel widths.
    """
    columns = tuple(column_indices(view.columns, X, names, view.name) for view in views)
    scalers = []
    for view, at in zip(views, columns, strict=True):
        rows, block = _present(X, at, view.name)
        if not len(rows):
            raise ValueError(f"Every row lacks the view {view.name!r}: drop the view.")
        scalers.append(view.scaler and clone(view.scaler).fit(block))
    called = tuple(view.name for view in views)
    built = BuiltViews(called, (), columns, tuple(scalers), X.shape[1])
    cloud = built.split(X)
    kernels = [
        checked_build(get_kernel(view.kernel), block, random_state)
        for view, block in zip(views, cloud.blocks, strict=True)
    ]
    return replace(built, kernels=tuple(kernels)), cloud


def _present(X, columns: np.ndarray, name: str) -> tuple[np.ndarray, Any]:
    """The numbers of the rows that have the view, and their block."""
    everything = len(columns) == X.shape[1] and np.array_equal(columns, np.arange(X.shape[1]))
    block = X if everything else X[:, columns]
    missing = count_entries(block)
    partly = np.flatnonzero((missing > 0) & (missing < len(columns)))
    if len(partly):
        raise ValueError(
            f"Row {partly[0]} is NaN in {missing[partly[0]]} of the {len(columns)} columns of the "
            f"view {name!r}. A row that is NaN in all of them lacks the view, which is allowed; "
            "impute single missing values first."
        )
    rows = np.flatnonzero(missing == 0)
    block = block if len(rows) == X.shape[0] else block[rows]
    if sp.issparse(block):
        filled = block.nnz / max(1, block.shape[0] * block.shape[1])
        block = block.toarray() if filled >= DENSE_FROM else block.tocsr()
    return rows, block


def count_entries(block, bad: Callable = np.isnan) -> np.ndarray:
    """The number of bad entries in each row, (n,): NaN, or whatever ``bad`` marks."""
    if not sp.issparse(block):
        # one pass: the sum is finite only if all entries are, and then no entry is bad
        if np.isfinite(np.sum(block)):
            return np.zeros(block.shape[0], dtype=int)
        return bad(np.asarray(block)).sum(axis=1)
    block = sp.csr_array(block)
    rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
    return np.bincount(rows[bad(block.data)], minlength=block.shape[0])
