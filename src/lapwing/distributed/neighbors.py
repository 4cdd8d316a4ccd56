"""The neighbor graph: blocks search each other for candidates, and these are merged."""

from functools import partial, singledispatch
from typing import Any

import dask
import numpy as np
from sklearn.base import clone
from sklearn.utils import gen_batches

from ..graphs import KNN, Joined, Transformed, WeightedGraph, joined_by, nearest_rows
from ..graphs.assemble import symmetric_graph
from ..graphs.axes import Axes, how_many, sample_of
from ..graphs.hubs import without_hubs
from ..graphs.lists import NeighborLists
from ..graphs.search import Neighbors
from ..graphs.ties import content_ranks, nearest_of
from ..graphs.weights import NEED_COORDINATES
from ..regularizers.base import stacked
from .computed import computed
from .rows import Rows, transformed


@singledispatch
def build_graph(graph: Any, X: Rows) -> WeightedGraph:
    """The graph that ``graph.build`` gives for the same rows in memory with exact search.

    A transformer of the rows is fitted to at most 100,000 of them.
    """
    check_graph(graph)
    n = X.shape[0]
    k, most = min(int(graph.n_neighbors), n - 1), 2 * int(graph.n_neighbors)
    found = BlockNeighbors(_along_axes(X, graph), graph.metric)
    lists = without_hubs(found, found.nearest(k, most), k, most, keep=graph.hubs == "keep")
    return symmetric_graph(lists, graph.weight, None, graph.t, graph.symmetrize)


@build_graph.register
def _transformed_graph(graph: Transformed, X: Rows) -> WeightedGraph:
    return build_graph(graph.graph, transformed(X, graph.transformer)[0])


@build_graph.register
def _joined_graph(graph: Joined, X: Rows) -> WeightedGraph:
    return joined_by(build_graph(graph.graph, X), partial(nearest_of_all, X), graph.most)


def check_graph(graph) -> None:
    """An error for wrong parameters and for a graph that blocks cannot search."""
    if isinstance(graph, Transformed | Joined):
        check_graph(graph.graph)
        return
    if not isinstance(graph, KNN) or graph.weight in NEED_COORDINATES:
        raise ValueError(
            f"The graph over a Dask array is KNN(...) with a weight that depends on distances "
            f"alone, not {graph!r}. Build another graph yourself and give Given(W)."
        )
    clone(graph).build(np.zeros((3, 1)))


def nearest_of_all(X: Rows, rows: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distance of each of some rows to the nearest row of the rest, and this nearest row."""
    some = X.take(rows)
    blocks = X.each(partial(_nearest_in, some), X.local(rest))
    apart, nearest = np.full(len(rows), np.inf), np.zeros(len(rows), dtype=int)
    for start, (distance, at) in zip(X.starts[:-1], computed(*blocks), strict=True):
        closer = distance < apart
        apart[closer], nearest[closer] = distance[closer], start + at[closer]
    return apart, nearest


def _nearest_in(some, block, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As :func:`nearest_of_all`, among some places of one block."""
    if not len(places):
        return np.full(some.shape[0], np.inf), np.zeros(some.shape[0], dtype=int)
    n = some.shape[0]
    apart, at = nearest_rows(stacked([some, block]), np.arange(n), n + places)
    return apart, at - n


def _along_axes(X: Rows, graph: KNN) -> Rows:
    """X along its leading principal axes if the graph asks for them, as in memory."""
    if graph.components is None:
        return X
    possible = graph.metric == "euclidean" and not X.is_sparse()
    r = how_many(X.shape, graph.components, possible) or X.shape[1]
    axes = Axes(X.take(np.arange(X.shape[0])[sample_of(X.shape[0])]), r)
    return X.mapped(axes, r)


class BlockNeighbors:
    """As :class:`lapwing.graphs.search.Neighbors`, over blocks."""

    def __init__(self, X: Rows, metric: str):
        self.X = X
        self.n = X.shape[0]
        self.metric = metric

    def nearest(self, k: int, most: int, rows=slice(None), columns=slice(None)) -> NeighborLists:
        """The k nearest columns of each row, with their ties, at most ``most``."""
        every = np.arange(self.n)
        rows, columns = self.X.local(every[rows]), self.X.local(every[columns])
        found = self._searched(rows, columns, k)
        i, j, d = (np.concatenate(part) for part in zip(*found, strict=True))
        crowded = np.bincount(i, minlength=self.n).max(initial=0) > most
        if crowded:  # too many ties: the contents of the rows decide, as in memory
            i, j, d = nearest_of(i, j, d, k, most, self._ranks)
        return NeighborLists.of_pairs(self.n, i, j.astype(np.int32), d)

    def _searched(self, rows, columns, k: int) -> list:
        """The nearest rows of each block's rows: (i, j, d) for every block.

        Blocks meet in stages. A worker can hold all blocks of a stage. A block on a worker stays
        there until no task of the stage needs it.
        """
        at = list(zip(rows, columns, self.X.starts[:-1], strict=True))
        groups = list(gen_batches(len(at), self.X.held_at_once() // 2))
        best: dict = {}
        for A, mine in enumerate(groups):
            for theirs in groups[A:]:
                stage = self._meetings(_of(mine), _of(theirs), at, k)
                for block, found in zip(stage, computed(*stage.values()), strict=True):
                    best[block] = _merged(best[block], found, k) if block in best else found
        return list(best.values())

    def _meetings(self, mine: range, theirs: range, at, k: int) -> dict:
        """The results of each pair of blocks of two groups, or of one group: one task per block."""
        meet, merge = dask.delayed(_met, nout=2), dask.delayed(_merged)
        best: dict = {}
        for I, J in ((I, J) for I in mine for J in theirs if I <= J):
            pair = sorted({I, J})
            found = meet([self.X.blocks[b] for b in pair], [at[b] for b in pair], k, self.metric)
            for block, new in zip(pair, found, strict=False):
                best[block] = merge(best[block], new, k) if block in best else new
        return best

    def _ranks(self) -> np.ndarray:
        # the ranks need all n rows; they only decide between ties beyond 2k neighbors
        return content_ranks(self.X.take(np.arange(self.n)))


def _of(group: slice) -> range:
    return range(group.start, group.stop)


def _met(blocks: list, at: list, k: int, metric: str) -> list:
    """The k nearest and their ties as global (i, j, d), of two blocks in each other or of one
    block.
    """
    search = Neighbors(stacked(blocks), metric, "exact", k)
    begins = [0, blocks[0].shape[0]][: len(blocks)]
    sides = list(zip(begins, at, strict=True))
    return [
        _found(search, k, mine, theirs) for mine, theirs in zip(sides, sides[::-1], strict=True)
    ]


def _found(search: Neighbors, k: int, mine: tuple, theirs: tuple) -> tuple:
    (here, (rows, _, start)), (there, (_, columns, other)) = mine, theirs
    k = min(k, len(columns))
    if not len(rows) or k < 1:
        return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
    lists = search.nearest(k, len(columns), rows + here, columns + there)
    return (
        lists.rows + (start - here),
        lists.indices.astype(np.intp) + (other - there),
        lists.distances,
    )


def _merged(a, b, k: int):
    i, j, d = (np.concatenate(pair) for pair in zip(a, b, strict=True))
    return nearest_of(i, j, d, k, len(d), None)
