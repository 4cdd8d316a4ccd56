"""The points in one frame: transformed once, with their widths, Gram matrices and graphs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..exceptions import Said, unsaid
from ..graphs import KNN, Given, Graph, Joined, WeightedGraph, axes_of
from ..kernels import Kernel
from ..kernels.widths import median_distance
from ..linalg.blocks import some_rows
from ..linalg.pairwise import distances
from ..operators import Operator
from ..regularizers import Regularizer
from .candidates import NEIGHBORS, Degree, alone_kernels, laplacian
from .frames import Frame, few_entries
from .rules import ambient_rule, intrinsic_rule
from .sample import Sample

WIDE = 1000
"""Rows with more columns are not compared by Manhattan distances, which no BLAS computes."""

SMALL = 0.05
"""A component without a label is joined to the nearest other one if it has at most this share of
the rows. The kernel alone predicts larger components."""


@dataclass(eq=False)
class Framed:
    """The rows of a sample, transformed by one frame.

    Attributes
    ----------
    sample : Sample
    frame : Frame
    index : int
        The number of the frame.
    kernel, regularizer : Kernel and Regularizer, optional
        The given ones. None is "auto".
    graphed : Points
        The rows of the graphs: all rows, or the sample.
    """

    sample: Sample
    frame: Frame
    index: int
    kernel: Any
    regularizer: Any
    graphed: Any

    @cached_property
    def _seen(self) -> tuple[Any, Any]:
        """The transformed rows of the sample, and at most 10,000 of the rows of the graphs.

        The transform is fitted to the second ones: the fit uses that of all rows, and components
        and widths of a small sample are others.
        """
        rows, transformer = self.graphed, self.frame.transformer
        at = np.arange(rows.n)[some_rows(rows.n, 10_000)]
        many = (self.sample.points if self.kernel else rows.take(at)).seen(transformer)
        return (transformer.transform(self.sample.X) if transformer else self.sample.X), many

    @property
    def Z(self):
        """The transformed rows of the sample."""
        return self._seen[0]

    @cached_property
    def widths(self) -> tuple[float, float]:
        """The mean distance to the 10th nearest neighbor, and the median distance.

        They are estimated to a few per cent from 300 rows and at most 10,000 others.
        """
        points, n = self._seen[1], self._seen[1].shape[0]
        D, k = distances(points[some_rows(n, 300)], points), min(10, n - 1)
        local = float(np.partition(D, k, axis=1)[:, k].mean())
        median = float(np.median(D[D > 0])) if D.any() else 1.0
        return local or median, median

    @cached_property
    def manhattan(self) -> float:
        """The median Manhattan distance between 300 rows.

        It is 0 for CSR rows, counts of words and very wide rows, where these distances take long.
        """
        points = self._seen[1]
        n, d = points.shape
        if not self.frame.plain or sp.issparse(points) or d > WIDE or few_entries(points):
            return 0.0
        return median_distance(points[some_rows(n, 300)], "manhattan")

    def kernels(self, linear_only: bool) -> list[tuple[Kernel, Kernel]]:
        """Pairs (kernel as a user types it, kernel on Z). The first pair is used with a graph."""
        if self.kernel:
            return [(self.kernel, self.kernel)]
        widths = (1.0, 1.0, 0.0) if linear_only else (*self.widths, self.manhattan)
        found = alone_kernels(self.frame, self.Z, *widths, linear_only)
        return [(self.frame.kernel(typed), inner) for typed, inner in found]

    @cached_property
    def _given_gram(self) -> tuple[np.ndarray, float]:
        built = self.kernel.build(self.Z, self.sample.random_state)
        return np.asarray(built(self.Z), dtype=float), ambient_rule(built.diagonal(self.Z))

    def block(self, inner: Kernel) -> tuple[np.ndarray, np.ndarray, float]:
        """K of the labeled rows, K between voters and labeled rows, and γ_A by the rule."""
        rows, voters = self.sample.rows, self.sample.voters
        if self.kernel:
            K, rule = self._given_gram
            return K[np.ix_(rows, rows)], K[np.ix_(voters, rows)], rule
        labeled, rule = self.Z[rows], ambient_rule(inner.diagonal(self.Z))
        return np.asarray(inner(labeled)), np.asarray(inner(self.Z[voters], labeled)), rule

    def gram(self, inner: Kernel) -> np.ndarray:
        """The Gram matrix K of the rows of the sample."""
        return self._given_gram[0] if self.kernel else np.asarray(inner(self.Z), dtype=float)

    def without_graph(self, how: bool | str, degree: Degree) -> Regularizer:
        """The regularizer that is reported with γ_I = 0, as a user types it."""
        return self.regularizer or laplacian(self.frame.graph(self._rule), how, degree)

    def smooth(self, how: bool | str, degree: Degree) -> tuple[Regularizer, Operator, float, Said]:
        """A regularizer as a user types it, its M, λ by the rule, and warnings for the fit."""
        if self.regularizer or (self.kernel and self.kernel.precomputed):
            typed = self.without_graph(how, degree)
            with unsaid() as said:
                M = self.graphed.penalty(typed, self.kernel, self.codes)
            return typed, M, intrinsic_rule(M), said
        rule, built, earlier = self._graph
        with unsaid() as said:
            M = laplacian(Given(built), how, degree).build(np.empty((built.n, 0)), None)
        typed = laplacian(self.frame.graph(rule), how, degree)
        return typed, M, intrinsic_rule(M), said + earlier

    @cached_property
    def _rule(self) -> KNN:
        """The graph's neighbors. Words keep all columns, because a rare one may tell a class."""
        apart = (self.kernel and self.kernel.precomputed) or few_entries(self.Z)
        return KNN(NEIGHBORS, components=axes_of(self.Z, not apart))

    @cached_property
    def _graph(self) -> tuple[Graph, WeightedGraph, Said]:
        """The graph, built once for all powers of L. Components without a label are joined.

        A sample of the rows has other components than all rows. Nothing is joined there.
        """
        rule, rows, Z = self._rule, self.graphed, self.graphed.seen(self.frame.transformer)
        with unsaid() as said:
            built = rows.neighbors(rule, Z)
        labeled, most = self.sample.all_codes >= 0, 0
        if len(labeled) == built.n:
            silent = np.delete(np.bincount(built.components), built.components[labeled])
            most = int(silent[silent <= SMALL * built.n].max(initial=0))
        return (
            (Joined(rule, most), rows.joined(built, Z, most), said) if most else (rule, built, said)
        )

    @property
    def codes(self) -> np.ndarray:
        """The codes of the rows of the graphs."""
        every, some = self.sample.all_codes, self.sample.codes
        return every if len(every) == self.graphed.n else some
