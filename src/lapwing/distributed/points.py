"""The rows of a Dask array for recipes: the same methods as in memory, over blocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.base import clone

from ..estimators.points import Points, silent
from ..graphs import KNN, Given, Graph, WeightedGraph, joined_by
from ..kernels import Kernel, check_magnitude, get_kernel
from ..linalg.points import as_points
from ..regularizers import get_regularizer
from ..spaces import Features, GraphValues, GraphValuesSpace, Landmarks, Space
from ..spaces.landmarks import LandmarkMap
from .ambient import learn
from .computed import computed
from .neighbors import build_graph, check_graph, nearest_of_all
from .rows import Rows, transformed
from .widths import build_kernel


class Blocks(Points):
    """Rows in blocks. Sparse matrices and vectors stay in the calling process.

    Parameters
    ----------
    rows : Rows
        The rows of the Dask array.
    rule : GraphValues
        The landmarks of the function for new rows.
    say : callable
        It gets the stages of the work.
    """

    def __init__(self, rows: Rows, rule: GraphValues, say: Callable[[str], None] = silent):
        super().__init__(rows, say=say)
        self.rule = rule

    def kernel(self, kernel, random_state) -> Kernel:
        return self.shelf.once(
            lambda: build_kernel(get_kernel(kernel), self.X, random_state),
            "kernel", kernel, random_state,
        )  # fmt: skip

    def mean_square(self, kernel: Kernel) -> float:
        return float(
            sum(computed(*self.X.each(lambda block: kernel.diagonal(as_points(block)).sum())))
            / self.n
        )

    def space(self, p, kernel: Kernel, targets, rule=None) -> Space:
        """Values at the rows, or without a graph one kernel section per labeled row."""
        if not p.smooth:
            labeled = self.X.take(np.flatnonzero(targets.labeled))
            check_magnitude(kernel, labeled)
            phi = LandmarkMap(kernel, labeled)
            return Features(np.vstack(computed(*self.X.each(phi))), phi)
        landmarks = self.rule.landmarks or Landmarks()
        landmarks.check(kernel, self.n)
        return GraphValuesSpace(self.n, partial(learn, kernel, self.X, landmarks))

    def prepared(self, regularizer):
        """The regularizer over the graph that the blocks have found."""
        regularizer = clone(get_regularizer(regularizer))
        graph = graph_of(regularizer)
        if graph.reads_points:
            graph = Given(build_graph(graph, self.X).W)
        return regularizer.set_params(graph=graph)

    def seen_by_graphs(self, kernel: Kernel):
        """No coordinates, because the graph is given."""
        return np.empty((self.n, 0))

    def take(self, rows: np.ndarray, precomputed: bool = False) -> Points:
        return Points(self.X.take(rows))

    # For a search: the graph of all rows, found block by block.

    def searched_space(self, p):
        return self.rule

    def seen(self, transformer):
        return transformed(self.X, transformer)[0] if transformer else self.X

    def neighbors(self, graph: Graph, Z: Rows) -> WeightedGraph:
        return build_graph(graph, Z)

    def joined(self, graph: WeightedGraph, Z: Rows, most: int) -> WeightedGraph:
        return joined_by(graph, partial(nearest_of_all, Z), most)


def on_points(space) -> GraphValues:
    """The space of values at the rows, the only space for blocks."""
    if isinstance(space, str) and space in ("auto", "graph"):
        return GraphValues()
    if not isinstance(space, GraphValues):
        raise ValueError(
            f"space={space!r} is not for Dask arrays: give 'auto' or GraphValues(...)."
        )
    return space


def graph_of(regularizer) -> Graph:
    """The graph of a regularizer. It must be given, or one that blocks can search."""
    if "graph" not in regularizer.get_params(deep=False):
        raise ValueError(
            "Over a Dask array the regularizer must be one Laplacian, Heat or LaplacianPolynomial "
            f"and have a graph of its own, not {regularizer!r}: give such a one, or fit in memory."
        )
    graph = regularizer.graph or KNN()
    if graph.reads_points:
        check_graph(graph)
    return graph
