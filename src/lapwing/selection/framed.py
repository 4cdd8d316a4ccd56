"""The points in one frame: transformed once, with widths, Gram matrices and graphs over them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..exceptions import Said, unsaid
from ..graphs import KNN, Given, Graph, Joined, WeightedGraph, joined
from ..kernels import Kernel
from ..linalg.blocks import some_rows
from ..linalg.pairwise import distances
from ..linalg.points import as_points
from ..operators import Operator
from ..regularizers import Regularizer
from .candidates import NEIGHBORS, Degree, alone_kernels, laplacian
from .frames import Frame
from .problem import Problem
from .rules import ambient_rule, intrinsic_rule

WIDTH_ROWS, WIDTH_POINTS = 300, 10_000
"""Rows whose distances, to so many others at most, tell the widths to a few per cent."""

SMALL = 0.05
"""Share of the rows up to which a component without a label is joined with the nearest other one;
what is larger is answered by the ambient part."""

NEIGHBOR = 10
"""Of RBF("local"): the distance to the 10th nearest neighbor."""


class Framed:
    """The rows of a problem as one frame sees them.

    Parameters
    ----------
    problem : Problem
    frame : Frame
    index : int
        Which of the frames it is.
    kernel, regularizer : Kernel and Regularizer, optional
        Those that were given; None is "auto".
    whole : array or CSR matrix, optional
        All rows, where the problem holds a sample of many.
    """

    def __init__(
        self,
        problem: Problem,
        frame: Frame,
        index: int = 0,
        kernel: Kernel | None = None,
        regularizer: Regularizer | None = None,
        whole: Any = None,
    ):
        self.problem = problem
        self.frame = frame
        self.index = index
        self.kernel = kernel
        self.regularizer = regularizer
        self.whole = whole
        self._kernels: list[tuple[Kernel, Kernel]] | None = None
        self._grams: dict = {}

    @cached_property
    def Z(self):
        """The transformed rows of the problem."""
        return self.frame.seen(self.problem.X)

    @cached_property
    def all_Z(self):
        """The transformed rows of all points."""
        return self.Z if self.whole is None else self.frame.seen(self.whole)

    @cached_property
    def widths(self) -> tuple[float, float]:
        """The mean distance to the 10th nearest neighbor, and the median distance."""
        points = self.Z
        if self.whole is not None and self.frame.transformer is None:
            points = self.whole[some_rows(self.whole.shape[0], WIDTH_POINTS)]
        D = distances(points[some_rows(points.shape[0], WIDTH_ROWS)], points)
        k = min(NEIGHBOR, D.shape[1] - 1)
        local = float(np.partition(D, k, axis=1)[:, k].mean())
        apart = D[D > 0]
        median = float(np.median(apart)) if len(apart) else 1.0
        return local or median, median

    def kernels(self, linear_only: bool) -> list[tuple[Kernel, Kernel]]:
        """(as one types it, over Z) of each kernel; the first goes with a graph."""
        if self._kernels is None:
            self._kernels = self._made_kernels(linear_only)
        return self._kernels

    def _made_kernels(self, linear_only: bool) -> list[tuple[Kernel, Kernel]]:
        if self.kernel is not None:
            return [(self.kernel, self.kernel)]
        widths = (1.0, 1.0) if linear_only else self.widths
        found = alone_kernels(self.frame, self.Z, *widths, linear_only)
        return [(self.frame.kernel(typed), inner) for typed, inner in found]

    @cached_property
    def _given_gram(self) -> tuple[np.ndarray, float]:
        assert self.kernel is not None
        return self.problem.gram(self.kernel)

    def block(self, inner: Kernel) -> tuple[np.ndarray, np.ndarray, float]:
        """K among the labeled rows, between the voters and these, and the rule's γ_A."""
        rows, voters = self.problem.rows, self.problem.voters
        if self.kernel is not None:
            K, rule = self._given_gram
            return K[np.ix_(rows, rows)], K[np.ix_(voters, rows)], rule
        labeled = self.Z[rows]
        rule = ambient_rule(inner.diagonal(self.Z))
        return np.asarray(inner(labeled)), np.asarray(inner(self.Z[voters], labeled)), rule

    def gram(self, inner: Kernel) -> tuple[np.ndarray, float]:
        """K among the rows of the problem, and the rule's γ_A."""
        if self.kernel is not None:
            return self._given_gram
        if id(inner) not in self._grams:
            K = np.asarray(inner(self.Z), dtype=float)
            self._grams = {id(inner): (inner, K, ambient_rule(inner.diagonal(self.Z)))}
        return self._grams[id(inner)][1:]

    def without_graph(self, how: bool | str, degree: Degree) -> Regularizer:
        """What stands beside γ_I = 0, as one types it."""
        if self.regularizer is not None:
            return self.regularizer
        return laplacian(self.frame.graph(KNN(NEIGHBORS)), how, degree)

    def smooth(self, how: bool | str, degree: Degree) -> tuple[Regularizer, Operator, float, Said]:
        """A regularizer as one types it, its M, the rule's λ, and warnings for the fit to give."""
        if self.regularizer is not None or self.problem.precomputed:
            typed = self.without_graph(how, degree)
            with unsaid() as said:
                M = self._given_operator(typed)
        else:
            rule, built, own = self._graph
            typed = laplacian(self.frame.graph(rule), how, degree)
            with unsaid() as said:
                M = laplacian(Given(built.W), how, degree).build(self.all_Z, None)
            said += own
        return typed, M, intrinsic_rule(M), said

    @cached_property
    def _graph(self) -> tuple[Graph, WeightedGraph, Said]:
        """Neighbors, searched once for all powers; components without a label are joined.

        A sample of the rows has components of its own, and nothing is joined there.
        """
        rule: Graph = KNN(NEIGHBORS)
        with unsaid() as said:
            built = rule.build(self.all_Z)
        labeled = self.problem.all_codes >= 0
        if len(labeled) != built.n:
            return rule, built, said
        sizes = np.bincount(built.components)
        silent = np.setdiff1d(np.arange(len(sizes)), built.components[labeled])
        small = sizes[silent][sizes[silent] <= SMALL * built.n]
        if not len(small):
            return rule, built, said
        most = int(small.max())
        return Joined(rule, most), joined(built, as_points(self.all_Z), most), said

    def _given_operator(self, typed: Regularizer) -> Operator:
        problem, kernel = self.problem, self.kernel
        if self.whole is not None:
            return typed.build(self.whole, problem.all_codes)
        if kernel is None or not kernel.precomputed:
            return typed.build(problem.X, problem.codes)
        built = kernel.build(problem.X, problem.random_state)
        return typed.build(problem.points(built, problem.X), problem.codes)
