"""The graph of nearest neighbors: candidates of block against block, merged."""

import dask
import numpy as np
from sklearn.base import clone
from sklearn.utils import gen_batches

from ..graphs import KNN, Transformed, WeightedGraph
from ..graphs.assemble import symmetric_graph
from ..graphs.axes import Axes, how_many, sample_of
from ..graphs.hubs import without_hubs
from ..graphs.lists import NeighborLists
from ..graphs.search import Neighbors
from ..graphs.ties import content_ranks, nearest_of
from ..graphs.weights import NEED_COORDINATES
from .computed import computed
from .rows import Rows, stacked, transformed

ALL_TIES = 1 << 30


def build_graph(graph, X: Rows) -> WeightedGraph:
    """What ``graph.build`` gives for the same rows in memory under exact search.

    A transformer of the points is fitted to at most 100,000 of them.
    """
    if isinstance(graph, Transformed):
        return build_graph(graph.graph, transformed(X, graph.transformer)[0])
    check_graph(graph)
    n = X.shape[0]
    k, most = min(int(graph.n_neighbors), n - 1), 2 * int(graph.n_neighbors)
    found = BlockNeighbors(_along_axes(X, graph), graph.metric)
    lists = without_hubs(found, found.nearest(k, most), k, most, keep=graph.hubs == "keep")
    return symmetric_graph(lists, graph.weight, None, graph.t, graph.symmetrize)


def check_graph(graph) -> None:
    """Refuse a graph that blocks cannot search, and wrong parameters, before any search."""
    if isinstance(graph, Transformed):
        check_graph(graph.graph)
        return
    if not isinstance(graph, KNN) or graph.weight in NEED_COORDINATES:
        raise ValueError(
            f"The graph over a Dask array is KNN(...) with a weight that depends on distances "
            f"alone, not {graph!r}. Build another graph yourself and give Given(W)."
        )
    clone(graph).build(np.zeros((3, 1)))


def _along_axes(X: Rows, graph: KNN) -> Rows:
    """X along its leading principal axes where the graph asks for them, as in memory."""
    euclidean = graph.metric == "euclidean"
    if how_many(X.shape, graph.components, euclidean, say=False) is None:
        return X
    r = how_many(X.shape, graph.components, euclidean and not X.is_sparse())
    if r is None:
        return X
    axes = Axes(X.take(np.arange(X.shape[0])[sample_of(X.shape[0])]), r)
    return X.mapped(axes, r)


class BlockNeighbors:
    """As :class:`lapwing.graphs.search.Neighbors`, over blocks."""

    def __init__(self, X: Rows, metric: str):
        self.X = X
        self.n = X.shape[0]
        self.metric = metric

    def nearest(self, k: int, most: int, rows=None, columns=None) -> NeighborLists:
        """The k nearest of each row among the columns, with their ties, at most ``most``."""
        every = np.arange(self.n)
        rows = self.X.local(every if rows is None else rows)
        columns = self.X.local(every if columns is None else columns)
        found = self._searched(rows, columns, k)
        i, j, d = (np.concatenate(part) for part in zip(*found, strict=True))
        crowded = np.bincount(i, minlength=self.n).max(initial=0) > most
        if crowded:  # more ties than are kept: the rows' contents decide, as in memory
            i, j, d = nearest_of(i, j, d, k, most, self._ranks)
        return NeighborLists.of_pairs(self.n, i, j.astype(np.int32), d)

    def _searched(self, rows, columns, k: int) -> list:
        """The nearest of each block's rows, (i, j, d) of every block.

        Block meets block in stages of which a worker can hold every block: a block that has
        come to a worker stays there until nobody needs it, and all of them need all others.
        """
        at = list(zip(rows, columns, self.X.starts[:-1], strict=True))
        groups = list(gen_batches(len(at), self.X.held_at_once() // 2))
        best: list = [None] * len(at)
        for A, mine in enumerate(groups):
            for theirs in groups[A:]:
                stage = self._meetings(mine, theirs, at, k)
                for block, found in zip(stage, computed(*stage.values()), strict=True):
                    best[block] = found if best[block] is None else _merged(best[block], found, k)
        return best

    def _meetings(self, mine: slice, theirs: slice, at, k: int) -> dict:
        """What the blocks of two groups find in each other, or within one: a task for each."""
        X, best = self.X, {}
        alone, meet = dask.delayed(_among), dask.delayed(_between, nout=2)
        merge = dask.delayed(_merged)
        if mine == theirs:
            best = {I: alone(X.blocks[I], *at[I], k, self.metric) for I in _of(mine)}
        for I in _of(mine):
            for J in (J for J in _of(theirs) if I < J):
                found = meet(X.blocks[I], X.blocks[J], at[I], at[J], k, self.metric)
                for block, new in zip((I, J), found, strict=True):
                    best[block] = merge(best[block], new, k) if block in best else new
        return best

    def _ranks(self) -> np.ndarray:
        # the ranks of n rows need all of them; only who shares ties beyond 2k is told apart
        return content_ranks(self.X.take(np.arange(self.n)))


def _of(group: slice) -> range:
    return range(group.start, group.stop)


def _among(block, rows, columns, start: int, k: int, metric: str):
    """(i, j, d), global, of the k nearest and their ties of a block's rows among its columns."""
    search = Neighbors(block, metric, "exact", k)
    return _found(search, rows, columns, k, start, start)


def _between(block, other, mine, theirs, k: int, metric: str):
    """The same of a block's rows among another's columns, and of the other's among its own."""
    (rows, columns, start), (other_rows, other_columns, other_start) = mine, theirs
    n = block.shape[0]
    search = Neighbors(stacked([block, other]), metric, "exact", k)
    return (
        _found(search, rows, other_columns + n, k, start, other_start - n),
        _found(search, other_rows + n, columns, k, other_start - n, start),
    )


def _found(search: Neighbors, rows, columns, k: int, start: int, other_start: int):
    k = min(k, len(columns))
    if not len(rows) or k < 1:
        return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
    lists = search.nearest(k, ALL_TIES, rows, columns)
    return lists.rows + start, lists.indices.astype(np.intp) + other_start, lists.distances


def _merged(a, b, k: int):
    i, j, d = (np.concatenate(pair) for pair in zip(a, b, strict=True))
    return nearest_of(i, j, d, k, ALL_TIES, None)
