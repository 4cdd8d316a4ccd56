"""The rows of X for recipes. Each part over the rows is built once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graphs import Distances, Graph, WeightedGraph, joined
from ..kernels import Kernel, get_kernel
from ..kernels.magnitude import checked_build
from ..kernels.precomputed import kernel_distances
from ..linalg.points import as_points
from ..operators import Operator, ZeroOperator
from ..parameters.shelf import Shelf
from ..regularizers import Regularizer, get_regularizer, joint_operator
from ..regularizers.base import stacked
from ..spaces import Space, WithExtraPoints, asks_for_graph, choose_space, space_everywhere
from ..targets import Targets
from .settings import Settings


def silent(stage: str) -> None:
    """The callback that ignores all stages."""


class Points:
    """All rows in memory. :mod:`lapwing.distributed` has the same methods over blocks.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or the Gram matrix
        The rows.
    shelf : Shelf
        The store of parts over these rows.
    say : callable
        It gets the stages of the work.
    """

    def __init__(self, X, shelf: Shelf | None = None, say: Callable[[str], None] = silent):
        self.X = X
        self.n = X.shape[0]
        self.shelf = shelf or Shelf()
        self.say = say

    def kernel(self, kernel, random_state) -> Kernel:
        """The kernel of a parameter, with its widths as numbers."""

        return self.shelf.once(
            lambda: checked_build(get_kernel(kernel), self.X, random_state),
            "kernel", kernel, random_state,
        )  # fmt: skip

    def mean_square(self, kernel: Kernel) -> float:
        """The mean of k(x, x)."""
        return float(np.mean(kernel.diagonal(self.X)))

    def space(self, p: Settings, kernel: Kernel, targets: Targets, rule=None) -> Space:
        """The scalar functions over the rows, and over the points that the regularizer adds."""
        rule = rule or p.space
        key: list[Any] = ["space", rule, kernel, p.smooth]
        adds = p.smooth and adds_points(p.regularizer)
        if adds:
            key += [p.regularizer, targets.codes.tobytes()]
        return self.shelf.once(lambda: self._space(p, kernel, targets, rule, adds), *key)

    def _space(self, p: Settings, kernel, targets: Targets, rule, adds: bool) -> Space:
        if not p.smooth:  # without M, nothing would join values on the graph
            rule, rows = "auto" if asks_for_graph(rule) else rule, np.flatnonzero(targets.labeled)
            return choose_space(rule, kernel, self.X, labeled=rows)
        if not adds:
            return choose_space(rule, kernel, self.X, smooth=True)
        if kernel.precomputed or asks_for_graph(rule):
            given = "kernel='precomputed'" if kernel.precomputed else f"space={rule!r}"
            raise ValueError(
                f"The regularizer transforms points, but {given} has values on the given rows "
                "only: give a kernel on points, and 'auto', 'exact', 'blockwise', 'landmarks' or "
                "'linear' as space."
            )
        own = get_regularizer(in_codes(p.regularizer, targets.coding.classes))
        extra = own.extra_points(self.X, targets.codes)
        everything = stacked([self.X, extra])
        return WithExtraPoints(space_everywhere(rule, kernel, everything), self.n)

    def operator(
        self, p: Settings, kernel: Kernel, targets: Targets, q: int = 1, affinity=None
    ) -> Operator:
        """M over the rows, or over the pairs of a row and one of q outputs; 0 if γ_I is 0."""
        if not p.smooth:
            return ZeroOperator(self.n)
        own, codes = p.regularizer, targets.codes
        key = self._operator_key(own, q, affinity, codes.tobytes() if reads_labels(own) else b"")

        def build() -> Operator:
            given = self.prepared(in_codes(own, targets.coding.classes))
            if q == 1 and affinity is None:
                return get_regularizer(given).build(self.seen_by_graphs(kernel), codes)
            return joint_operator(given, self.seen_by_graphs(kernel), codes, q, affinity)

        return self.shelf.once(build, *key)

    def keep_operator(self, operator: Operator, regularizer) -> None:
        """Keep an operator over all rows that a search has built, for the fit."""
        self.shelf.put(operator, *self._operator_key(regularizer))

    def _operator_key(self, regularizer, q: int = 1, affinity=None, codes: bytes = b"") -> tuple:
        known = isinstance(regularizer, Regularizer) and not regularizer.order
        if known or isinstance(regularizer, str):  # only a matrix may be one over the pairs
            q = 1
        return "operator", regularizer, q, affinity, codes

    def prepared(self, regularizer):
        """A regularizer, or a matrix, in a form that can be built over these rows."""
        return regularizer

    def seen_by_graphs(self, kernel: Kernel):
        """The rows of X, or the distances of a Gram matrix."""
        return graph_points(kernel, self.X) if isinstance(kernel, Kernel) else self.X

    def take(self, rows: np.ndarray, precomputed: bool = False) -> Points:
        """Some of the rows, with their own shelf and without messages."""
        if len(rows) == self.n:
            return Points(self.X)
        return Points(self.X[np.ix_(rows, rows)] if precomputed else self.X[rows])

    # For a search (:func:`lapwing.selection.select`).

    def searched_space(self, p: Settings):
        """The space for the search. Early stopping needs a kernel, so it uses "exact"."""
        return "exact" if p.is_open("space") and p.solver == "early_stopping" else p.space

    def seen(self, transformer):
        """The rows after a transformer."""
        return transformer.fit_transform(self.X) if transformer else self.X

    def neighbors(self, graph: Graph, Z) -> WeightedGraph:
        """The graph over transformed rows Z."""
        return graph.build(Z)

    def joined(self, graph: WeightedGraph, Z, most: int) -> WeightedGraph:
        """The graph with one more edge for each component of at most ``most`` points."""
        return joined(graph, as_points(Z), most)

    def penalty(self, regularizer, kernel, codes: np.ndarray) -> Operator:
        """M over the rows."""
        if isinstance(kernel, Kernel) and kernel.precomputed:
            kernel = self.kernel(kernel, None)
        return get_regularizer(self.prepared(regularizer)).build(self.seen_by_graphs(kernel), codes)


def in_codes(regularizer, classes):
    """A regularizer that names classes, with their codes instead."""
    if not isinstance(regularizer, Regularizer) or not regularizer.reads_labels:
        return regularizer
    return regularizer.for_classes(classes)


def reads_labels(regularizer) -> bool:
    """Whether a regularizer parameter is built from the labels."""
    return isinstance(regularizer, Regularizer) and regularizer.reads_labels


def adds_points(regularizer) -> bool:
    """Whether a regularizer parameter adds points to the rows."""
    return isinstance(regularizer, Regularizer) and regularizer.adds_points


def has_gaps(X) -> bool:
    """Whether an entry of X is NaN. Dask arrays with NaN are refused earlier."""
    entries = X.data if sp.issparse(X) else X
    return isinstance(entries, np.ndarray) and bool(np.isnan(entries).any())


def graph_points(kernel: Kernel, X):
    """The input of a graph: the rows of X, or the distances of a Gram matrix.

    Rows that lack columns have only the distances of the kernel.
    """
    if kernel.precomputed or (kernel.takes_missing and has_gaps(X)):
        return Distances(kernel_distances(kernel(X)))
    return X
