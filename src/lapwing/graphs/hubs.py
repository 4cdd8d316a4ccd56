"""Hubs: points that stand in the lists of far more others than they have neighbors themselves.

A row of zeros lies at distance 1 from every row of norm 1, nearer than their real neighbors, and
fills their lists: through it everything is joined with everything.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..exceptions import GraphWarning, warn
from .base import WeightedGraph
from .lists import NeighborLists


def most_listed(k: int, n: int) -> int:
    """How many lists a point may stand in and be no hub.

    10k, below which natural data stay (decision 0056); less where n is so small that nobody
    could stand in so many.

    Examples
    --------
    >>> most_listed(10, 10_000), most_listed(10, 150)
    (100, 50)
    """
    return max(5 * k, min(10 * k, n // 3))


def find_hubs(indices: np.ndarray, k: int, n: int) -> np.ndarray:
    """The points that stand in more lists than :func:`most_listed`, sorted."""
    return np.flatnonzero(np.bincount(indices, minlength=n) > most_listed(k, n))


def without_hubs(
    neighbors: Any, lists: NeighborLists, k: int, most: int, keep: bool
) -> NeighborLists:
    """The lists without hubs in them, filled with the next nearest; hubs keep their own lists.

    Leaving out hubs may make new ones, so it is repeated while there are any, a few times.
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


def say_stars(graph: WeightedGraph) -> None:
    """Warn of vertices joined with ten times as many others as their neighbors are, in the mean.

    A graph that has no k, or was given, is left as it is.
    """
    degree = np.diff(graph.W.indptr)
    joined = sp.csr_array((np.ones(graph.W.nnz), graph.W.indices, graph.W.indptr), graph.W.shape)
    around = (joined @ degree) / np.maximum(degree, 1)
    stars = np.flatnonzero((degree > 100) & (degree > 10.0 * around))  # fewer edges make no hub
    if len(stars):
        warn(
            f"{len(stars)} of {graph.n} points are hubs, such as rows {_some(stars)}: joined with "
            f"up to {degree[stars].max()} others that are hardly joined with each other. Rows of "
            f"zeros (empty documents) do this: drop them, use metric='cosine', or KNN(), which "
            f"leaves hubs out.",
            GraphWarning,
        )


def _say(hubs: np.ndarray, listed: int, k: int, n: int, kept: bool) -> None:
    """Warn of hubs: how many, how large, what was done and what helps."""
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
