"""Widths of kernels over blocks: what a rule finds in memory, from a sample and a search."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from ..kernels import Kernel
from ..kernels.widths import NEIGHBOUR, median_distance, sample_rows
from .neighbours import BlockNeighbours
from .rows import Rows


def build_kernel(kernel: Kernel, X: Rows, random_state) -> Kernel:
    """``kernel.build`` of the same rows in memory, to rounding.

    A median is one of a sample of rows. A local width is the mean distance of the same sample to
    its 10th nearest neighbours, which are searched block by block.
    """
    if kernel.precomputed:
        raise ValueError(f"{kernel!r} is a matrix over all rows: give a kernel on points.")
    local = [name for name, value in kernel.get_params().items() if _is_local(value)]
    if local:
        if local != ["sigma"]:
            raise ValueError(
                f"{kernel!r} has a local width inside another kernel: over a Dask array give sigma "
                "as a number there."
            )
        width = _local_distance(X, kernel.metric, random_state)
        kernel = clone(kernel).set_params(sigma=width)
    rows = sample_rows(X.shape[0], random_state)
    return kernel.build(X.take(np.arange(X.shape[0]) if rows is None else rows))


def _is_local(value) -> bool:
    return isinstance(value, str) and value == "local"


def _local_distance(X: Rows, metric: str, random_state) -> float:
    rows = sample_rows(X.shape[0], random_state)
    k = min(NEIGHBOUR, X.shape[0] - 1)
    lists = BlockNeighbours(X, metric).nearest(k, 2 * k, rows=rows)
    order = np.lexsort((lists.distances, lists.rows))
    kth = lists.distances[order][lists.indptr[:-1][np.diff(lists.indptr) > 0] + k - 1]
    if kth.any():
        return float(kth.mean())
    seen = X.take(np.arange(X.shape[0]) if rows is None else rows)
    return median_distance(seen, metric, random_state)
