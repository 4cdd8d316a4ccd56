"""The graph of nearest neighbours: candidates of block against block, merged."""

from __future__ import annotations

import dask
import numpy as np
from sklearn.base import clone

from ..graphs import KNN, WeightedGraph
from ..graphs.assemble import symmetric_graph
from ..graphs.hubs import tamed
from ..graphs.lists import NeighbourLists
from ..graphs.search import Neighbours
from ..graphs.ties import content_ranks, nearest_of
from .computed import computed
from .rows import Rows, stacked

ALL_TIES = 1 << 30


def build_graph(graph: KNN, X: Rows) -> WeightedGraph:
    """What ``graph.build`` gives for the same rows in memory under exact search."""
    if not isinstance(graph, KNN) or graph.weight == "cosine":
        raise ValueError(
            f"The graph over a Dask array is KNN(...) with a weight that depends on distances "
            f"alone, not {graph!r}. Build another graph yourself and give Given(W)."
        )
    clone(graph).build(np.zeros((3, 1)))  # its parameters are checked before any search
    n = X.shape[0]
    k, most = min(int(graph.k), n - 1), 2 * int(graph.k)
    found = BlockNeighbours(X, graph.metric)
    lists = tamed(found, found.nearest(k, most), k, most, keep=graph.hubs == "keep")
    return symmetric_graph(lists, graph.weight, None, graph.t, graph.symmetrize)


class BlockNeighbours:
    """As :class:`lapwing.graphs.search.Neighbours`, over blocks."""

    def __init__(self, X: Rows, metric: str):
        self.X = X
        self.n = X.shape[0]
        self.metric = metric

    def nearest(self, k: int, most: int, rows=None, columns=None) -> NeighbourLists:
        """The k nearest of each row among the columns, with their ties, at most ``most``."""
        every = np.arange(self.n)
        rows = self.X.local(every if rows is None else rows)
        columns = self.X.local(every if columns is None else columns)
        found = computed(*[self._row_block(I, rows[I], columns, k) for I in range(len(rows))])
        i, j, d = (np.concatenate(part) for part in zip(*found, strict=True))
        crowded = np.bincount(i, minlength=self.n).max(initial=0) > most
        if crowded:  # more ties than are kept: the rows' contents decide, as in memory
            i, j, d = nearest_of(i, j, d, k, most, self._ranks)
        return NeighbourLists.of_pairs(self.n, i, j.astype(np.int32), d)

    def _row_block(self, I: int, rows, columns, k: int):
        """The candidates of a block's rows, from all blocks, merged one after the other."""
        X, start = self.X, self.X.starts
        pair, merge = dask.delayed(_pair), dask.delayed(_merged)
        best = None
        for J, at in enumerate(columns):
            other = None if I == J else X.blocks[J]
            found = pair(X.blocks[I], other, rows, at, k, self.metric, (start[I], start[J]))
            best = found if best is None else merge(best, found, k)
        return best

    def _ranks(self) -> np.ndarray:
        # the ranks of n rows need all of them; only who shares ties beyond 2k is told apart
        return content_ranks(self.X.take(np.arange(self.n)))


def _pair(block, other, rows, columns, k: int, metric: str, starts):
    """(i, j, d), global, of the k nearest and their ties of a block's rows among another's."""
    k = min(k, len(columns))
    if other is None:
        points, shift = block, 0
    else:
        points, shift = stacked([block, other]), block.shape[0]
    if not len(rows) or k < 1:
        return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
    search = Neighbours(points, metric, "exact", k)
    lists = search.nearest(k, ALL_TIES, rows, columns + shift)
    return (
        lists.rows + starts[0],
        lists.indices.astype(np.intp) - shift + starts[1],
        lists.distances,
    )


def _merged(a, b, k: int):
    i, j, d = (np.concatenate(pair) for pair in zip(a, b, strict=True))
    return nearest_of(i, j, d, k, ALL_TIES, None)
