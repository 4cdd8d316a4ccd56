"""The points in one frame: transformed once, with widths, Gram matrices and graphs over them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..exceptions import Said, unsaid
from ..graphs import KNN, Given, Graph, Joined, WeightedGraph
from ..kernels import Kernel
from ..linalg.blocks import some_rows
from ..linalg.pairwise import distances
from ..operators import Operator
from ..regularizers import Regularizer
from .candidates import NEIGHBORS, Degree, alone_kernels, laplacian
from .frames import Frame
from .rules import ambient_rule, intrinsic_rule
from .sample import Sample

SMALL = 0.05
"""Share of the rows up to which a component without a label is joined with the nearest other one;
what is larger is answered by the ambient part."""


class AllRows(Protocol):
    """All rows, in memory or in blocks (:class:`lapwing.estimators.points.Points`)."""

    X: Any
    n: int

    def take(self, rows: np.ndarray, precomputed: bool = False) -> Any:
        """Some of them: ``.X`` is in memory."""

    def kernel(self, kernel: Any, random_state: Any) -> Kernel:
        """A kernel with its widths as numbers, its values checked."""

    def seen(self, transformer: Any) -> Any:
        """The rows as a transformer shows them; None is as they are."""

    def neighbors(self, graph: Graph, Z: Any) -> WeightedGraph:
        """A graph over :meth:`seen` rows."""

    def joined(self, graph: WeightedGraph, Z: Any, most: int) -> WeightedGraph:
        """With one more edge for each component of at most ``most`` points."""

    def seen_by_graphs(self, kernel: Kernel) -> Any:
        """The rows, or the distances that a Gram matrix stands for."""

    def penalty(self, regularizer: Regularizer, kernel: Any, codes: np.ndarray) -> Operator:
        """M over all rows."""


class Framed:
    """The rows of a sample as one frame sees them.

    Parameters
    ----------
    sample : Sample
    frame : Frame
    index : int
        Which of the frames it is.
    kernel, regularizer : Kernel and Regularizer, optional
        Those that were given; None is "auto".
    graphed : AllRows
        The rows that graphs are over: all of them, or the sample.
    """

    def __init__(
        self,
        sample: Sample,
        frame: Frame,
        index: int,
        kernel: Kernel | None,
        regularizer: Regularizer | None,
        graphed: AllRows,
    ):
        self.sample, self.frame, self.index = sample, frame, index
        self.kernel, self.regularizer, self.graphed = kernel, regularizer, graphed

    @cached_property
    def Z(self):
        """The transformed rows of the sample."""
        return self.frame.seen(self.sample.X)

    @cached_property
    def widths(self) -> tuple[float, float]:
        """The mean distance to the 10th nearest neighbor, and the median distance.

        300 rows, and at most 10,000 others, tell them to a few per cent.
        """
        points, n = self.Z, self.graphed.n
        if not self.frame.transformer:
            points = self.graphed.take(np.arange(n)[some_rows(n, 10_000)]).X
        D = distances(points[some_rows(points.shape[0], 300)], points)
        k = min(10, D.shape[1] - 1)
        local = float(np.partition(D, k, axis=1)[:, k].mean())
        apart = D[D > 0]
        median = float(np.median(apart)) if len(apart) else 1.0
        return local or median, median

    def kernels(self, linear_only: bool) -> list[tuple[Kernel, Kernel]]:
        """(as one types it, over Z) of each kernel; the first goes with a graph."""
        if self.kernel:
            return [(self.kernel, self.kernel)]
        widths = (1.0, 1.0) if linear_only else self.widths
        found = alone_kernels(self.frame, self.Z, *widths, linear_only)
        return [(self.frame.kernel(typed), inner) for typed, inner in found]

    @cached_property
    def _given_gram(self) -> tuple[np.ndarray, float]:
        assert self.kernel
        return self.sample.gram(self.kernel)

    def block(self, inner: Kernel) -> tuple[np.ndarray, np.ndarray, float]:
        """K among the labeled rows, between the voters and these, and the rule's γ_A."""
        rows, voters = self.sample.rows, self.sample.voters
        if self.kernel:
            K, rule = self._given_gram
            return K[np.ix_(rows, rows)], K[np.ix_(voters, rows)], rule
        labeled = self.Z[rows]
        rule = ambient_rule(inner.diagonal(self.Z))
        return np.asarray(inner(labeled)), np.asarray(inner(self.Z[voters], labeled)), rule

    def gram(self, inner: Kernel) -> np.ndarray:
        """K among the rows of the sample."""
        return self._given_gram[0] if self.kernel else np.asarray(inner(self.Z), dtype=float)

    def without_graph(self, how: bool | str, degree: Degree) -> Regularizer:
        """What stands beside γ_I = 0, as one types it."""
        return self.regularizer or laplacian(self.frame.graph(KNN(NEIGHBORS)), how, degree)

    def smooth(self, how: bool | str, degree: Degree) -> tuple[Regularizer, Operator, float, Said]:
        """A regularizer as one types it, its M, the rule's λ, and warnings for the fit to give."""
        own = self.regularizer or (self.kernel and self.kernel.precomputed)
        if own:
            typed = self.without_graph(how, degree)
            with unsaid() as said:
                M = self.graphed.penalty(typed, self.kernel, self.codes)
        else:
            rule, built, earlier = self._graph
            typed = laplacian(self.frame.graph(rule), how, degree)
            with unsaid() as said:
                M = laplacian(Given(built.W), how, degree).build(np.empty((built.n, 0)), None)
            said += earlier
        return typed, M, intrinsic_rule(M), said

    @cached_property
    def _graph(self) -> tuple[Graph, WeightedGraph, Said]:
        """Neighbors, searched once for all powers; components without a label are joined.

        A sample of the rows has components of its own, and nothing is joined there.
        """
        rule: Graph = KNN(NEIGHBORS)
        rows, Z = self.graphed, self.graphed.seen(self.frame.transformer)
        with unsaid() as said:
            built = rows.neighbors(rule, Z)
        labeled = self.sample.all_codes >= 0
        if len(labeled) != built.n:
            return rule, built, said
        sizes = np.bincount(built.components)
        silent = np.setdiff1d(np.arange(len(sizes)), built.components[labeled])
        small = sizes[silent][sizes[silent] <= SMALL * built.n]
        if not len(small):
            return rule, built, said
        most = int(small.max())
        return Joined(rule, most), rows.joined(built, Z, most), said

    @property
    def codes(self) -> np.ndarray:
        """Those of the rows that graphs are over."""
        every, some = self.sample.all_codes, self.sample.codes
        return every if len(every) == self.graphed.n else some
