"""The points in one frame: transformed once, with widths, Gram matrices and graphs over them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..exceptions import unsaid
from ..graphs import KNN, Given
from ..kernels import Kernel
from ..linalg.blocks import some_rows
from ..linalg.pairwise import distances
from ..operators import Operator
from ..regularizers import Regularizer
from .candidates import Degree, alone_kernels, laplacian
from .frames import Frame
from .problem import Problem
from .rules import ambient_rule, intrinsic_rule

WIDTH_ROWS, WIDTH_POINTS = 300, 10_000
"""Rows whose distances, to so many others at most, tell the widths to a few per cent."""

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
        self._graphs: dict = {}

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

    def typed_graph(self, k: int, how: bool | str, degree: Degree) -> Regularizer:
        """The regularizer as one types it."""
        if self.regularizer is not None:
            return self.regularizer
        return laplacian(self.frame.graph(KNN(k)), how, degree)

    def operator(
        self, typed: Regularizer, k: int, how: bool | str, degree: Degree, everywhere: bool
    ) -> tuple[Operator, float]:
        """M and the rule's λ, over all rows or the problem's; neighbors are searched once.

        The fit itself says what is to say of its graph.
        """
        points = self.all_Z if everywhere else self.Z
        with unsaid():
            if self.regularizer is not None or self.problem.precomputed:
                M = self._given_operator(typed, everywhere)
            else:
                if (k, everywhere) not in self._graphs:
                    self._graphs[k, everywhere] = KNN(k).build(points).W
                M = laplacian(Given(self._graphs[k, everywhere]), how, degree).build(points, None)
        return M, intrinsic_rule(M)

    def _given_operator(self, typed: Regularizer, everywhere: bool) -> Operator:
        problem, kernel = self.problem, self.kernel
        if everywhere and self.whole is not None:
            return typed.build(self.whole, problem.all_codes)
        if kernel is None or not kernel.precomputed:
            return typed.build(problem.X, problem.codes)
        built = kernel.build(problem.X, problem.random_state)
        return typed.build(problem.points(built, problem.X), problem.codes)
