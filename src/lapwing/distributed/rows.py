"""The rows of a Dask array, block by block."""

from __future__ import annotations

import copy
from operator import call, getitem
from typing import Any

import dask
import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from ..linalg.blocks import some_rows
from ..linalg.memory import readable
from ..regularizers.base import stacked
from ..views.built import count_entries
from .computed import computed, current_client

HELD, STREAMED = 8, 3
"""Blocks that must fit in memory, with copies and results: for a task that compares two blocks, and
for a task that reads blocks one after the other."""

FITTED = 100_000
"""Maximum number of rows to which a transformer is fitted."""

BASE_BYTES = 2**28
"""Memory of a worker without any data: Python, the libraries, and a reserve."""


class Rows:
    """Blocks of whole rows of a Dask array. Each block is a task that can run again.

    Parameters
    ----------
    X : dask array of shape (n, d)
        Its chunks may be arrays or CSR matrices. The number of rows of each chunk must be known.
    """

    def __init__(self, X):
        if X.ndim != 2 or any(np.isnan(size) for size in X.chunks[0]):
            raise ValueError(
                f"X has the chunks {X.chunks}: expected a matrix whose chunks' sizes are known. "
                "Call X.compute_chunk_sizes() first."
            )
        X = X.rechunk({1: -1}) if len(X.chunks[1]) > 1 else X
        self.blocks = list(X.to_delayed().ravel())
        self.starts = np.concatenate([[0], np.cumsum(X.chunks[0])]).astype(int)
        self.shape = (int(X.shape[0]), int(X.shape[1]))

    def is_sparse(self) -> bool:
        """Whether the blocks are CSR matrices. Only the first block is checked."""
        return bool(computed(dask.delayed(sp.issparse)(self.blocks[0]))[0])

    def mapped(self, function, columns: int) -> Rows:
        """function(block) in place of each block, with this number of columns."""
        out = copy.copy(self)
        out.blocks, out.shape = self.each(function), (self.shape[0], columns)
        return out

    def held_at_once(self) -> int:
        """The number of blocks that every worker of the cluster can hold, at least two.

        Only a quarter of the memory counts. The rest is for the two blocks of a comparison, for
        data from the network, and for memory that Python has not released yet.
        """
        return int(np.clip(self._room() / 4, 2, 2 * len(self.blocks)))

    def check_memory(self, searched: bool = True) -> None:
        """An error if the workers of a cluster cannot hold enough chunks at once.

        ``searched`` says whether neighbors are searched, which compares blocks with each other.
        """
        room, held = self._room(), HELD if searched else STREAMED
        if room < held:
            rows, size = self._largest()
            fewer = max(1, int(rows * room / held))
            raise ValueError(
                f"The largest chunk of X has {readable(size)}, and a worker holds about {held} of "
                f"them at once, but has {readable(int(_worker_limit()))}, of which "
                f"{readable(BASE_BYTES)} are its own. Use chunks of at most {fewer} rows, "
                f"X.rechunk(({fewer}, -1)), or workers with more memory."
            )

    def check_finite(self) -> None:
        """An error for NaN and infinite entries, as in memory, before any other work."""
        found = computed(*self.each(_not_finite))
        bad = [start + at for at, start in zip(found, self.starts[:-1], strict=True) if at >= 0]
        if bad:
            raise ValueError(
                f"X has NaN or infinite entries, the first in row {bad[0]}, and in "
                f"{len(bad)} of its {len(self.blocks)} chunks: drop or fill these rows."
            )

    def _room(self) -> float:
        """The number of blocks of the largest size that a worker of the cluster can hold."""
        limit = _worker_limit()
        return max(limit - BASE_BYTES, 1) / max(self._largest()[1], 1) if limit < np.inf else limit

    def _largest(self) -> tuple[int, int]:
        """The rows and bytes of the block with most rows."""
        block = int(np.argmax(np.diff(self.starts)))
        size = computed(dask.delayed(_bytes_of)(self.blocks[block]))[0]
        return int(np.diff(self.starts)[block]), size

    def slices(self) -> list[slice]:
        """The rows of each block."""
        return [slice(a, b) for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]

    def local(self, rows: np.ndarray) -> list[np.ndarray]:
        """Sorted rows as positions within each block."""
        cuts = np.searchsorted(rows, self.starts)
        pairs = zip(cuts[:-1], cuts[1:], self.starts[:-1], strict=True)
        return [rows[a:b] - start for a, b, start in pairs]

    def take(self, rows: np.ndarray):
        """Some rows, sorted, in memory."""
        rows = np.asarray(rows)
        parts = [
            dask.delayed(getitem)(block, at)
            for block, at in zip(self.blocks, self.local(rows), strict=True)
            if len(at)
        ]
        return stacked(computed(*parts))

    __getitem__ = take

    def each(self, function, *per_block) -> list:
        """function(block, …) of every block, as tasks. ``per_block`` holds further arguments.

        The function is a task of its own, so its data (a model, axes) is sent only once.
        """
        task, held = dask.delayed(call), dask.delayed(function)
        return [
            task(held, block, *args) for block, *args in zip(self.blocks, *per_block, strict=True)
        ]


def transformed(X: Rows, transformer) -> tuple[Rows, Any]:
    """The transformed rows, and the transformer fitted to at most 100,000 of them."""
    seen = X.take(np.arange(X.shape[0])[some_rows(X.shape[0], FITTED)])
    fitted = clone(transformer).fit(seen)
    return X.mapped(fitted.transform, fitted.transform(seen[:1]).shape[1]), fitted


def summed(tasks: list):
    """The sum of the results of tasks, added in pairs. A worker never holds more than a few."""
    add = dask.delayed(_add)
    while len(tasks) > 1:
        pairs = [tasks[at : at + 2] for at in range(0, len(tasks), 2)]
        tasks = [add(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return tasks[0]


def _worker_limit() -> float:
    """The memory limit of the smallest worker of the current cluster; ∞ without a cluster."""
    client = current_client()
    workers = client.scheduler_info(n_workers=-1)["workers"].values() if client else ()
    return min((w["memory_limit"] for w in workers if w["memory_limit"]), default=np.inf)


def _bytes_of(block) -> int:
    parts = (block.data, block.indices, block.indptr) if sp.issparse(block) else (block,)
    return sum(part.nbytes for part in parts)


def _not_finite(block) -> int:
    """The first row with an entry that is not finite; −1 without one."""
    bad = count_entries(block, lambda values: ~np.isfinite(values)) > 0
    return int(bad.argmax()) if bad.any() else -1


def _add(a, b):
    return tuple(map(np.add, a, b))
