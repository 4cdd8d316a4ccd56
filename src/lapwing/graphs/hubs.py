"""Hubs: rows that are among the neighbors of far more rows than they have neighbors.

Example: a row of zeros has distance 1 to every row of norm 1. It is nearer than their real
neighbors and is in all their lists. Through this row, every row is joined with every other.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..exceptions import GraphWarning, warn
from .base import WeightedGraph
from .lists import NeighborLists


def most_listed(k: int, n: int) -> int:
    """The largest number of neighbor lists for a row that is no hub.

    It is 10k, because natural data stay below it (decision 0056). It is smaller for small n, since
    few rows could be in so many lists.

    Examples
    --------
    >>> most_listed(10, 10_000), most_listed(10, 150)
    (100, 50)
    """
    return max(5 * k, min(10 * k, n // 3))


def find_hubs(indices: np.ndarray, k: int, n: int) -> np.ndarray:
    """The sorted indices of the rows that are in more lists than :func:`most_listed`."""
    return np.flatnonzero(np.bincount(indices, minlength=n) > most_listed(k, n))


def without_hubs(
    neighbors: Any, lists: NeighborLists, k: int, most: int, keep: bool
) -> NeighborLists:
    """Replace hubs in the lists by the next nearest rows. Hubs keep their own lists.

    This may make other rows hubs. It is therefore repeated up to four times.
    """
    n = lists.n
    found = find_hubs(lists.indices, k, n)
    if not len(found):
        return lists
    listed = int(np.bincount(lists.indices).max())
    hub, own = np.zeros(n, dtype=bool), lists
    for _ in range(4):
        hub[found] = True
        if keep:
            break
        rows = np.unique(lists.rows[hub[lists.indices]])
        rows = rows[~hub[rows]]
        lists = lists.replaced(rows, neighbors.nearest(k, most, rows, np.flatnonzero(~hub)))
        found = find_hubs(lists.indices[~hub[lists.indices]], k, n)
        if not len(found):
            break
    hubs = np.flatnonzero(hub)
    _say(hubs, listed, k, n, keep)
    return lists if keep else lists.replaced(hubs, own)


def say_stars(graph: WeightedGraph, many: int = 100) -> None:
    """Warn of rows with over 100 edges and ten times as many as their neighbors on average.

    It is called for graphs without a k and for given graphs. These graphs are not changed.
    """
    degree = np.diff(graph.W.indptr)
    joined = sp.csr_array((np.ones(graph.W.nnz), graph.W.indices, graph.W.indptr), graph.W.shape)
    around = (joined @ degree) / np.maximum(degree, 1)
    stars = np.flatnonzero((degree > many) & (degree > 10.0 * around))  # not with few edges
    if len(stars):
        warn(
            f"{len(stars)} of {graph.n} points are hubs, such as rows {_some(stars)}: joined with "
            f"up to {degree[stars].max()} others that are hardly joined with each other. Rows of "
            f"zeros (empty documents) do this: drop them, use metric='cosine', or KNN(), which "
            f"leaves hubs out.",
            GraphWarning,
        )


def _say(hubs: np.ndarray, listed: int, k: int, n: int, kept: bool) -> None:
    """Warn of hubs. The message says how many there are, how large, and how to avoid them."""
    done = (
        "They are kept, as asked (hubs='keep')."
        if kept
        else f"They keep their own {k} neighbors and are left out of the others' lists, which "
        "are filled with the next nearest."
    )
    warn(
        f"{len(hubs)} of {n} points are hubs, such as rows {_some(hubs)}: among the {k} nearest "
        f"neighbors of up to {listed} others. {done} Rows of zeros (empty documents) do this: "
        f"drop them, or use metric='cosine'; in high dimensions reduce the dimension (PCA).",
        GraphWarning,
    )


def _some(hubs: np.ndarray) -> str:
    return ", ".join(str(h) for h in hubs[:3]) + (", …" if len(hubs) > 3 else "")
