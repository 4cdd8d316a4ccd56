"""Interior points for the dual: any sum of hinges, any number of constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..linalg.interior_point import Point, Program, iterate
from ..objective import Progress, no_progress

if TYPE_CHECKING:
    from .dual import DualProblem

STALLED_AFTER = 5


class InteriorPoint:
    """The dual by interior points (:mod:`lapwing.linalg.interior_point`): one factor a step.

    libsvm knows a single constant and two kinds of hinges; here each group has its own constant,
    and points have as many hinges as they like.

    Parameters
    ----------
    problem : DualProblem
    tol : float
        Bound on the relative duality gap.
    max_iter : int
    progress : callable, optional
    """

    def __init__(
        self, problem: DualProblem, tol: float, max_iter: int, progress: Progress = no_progress
    ):
        self.problem, self.tol, self.max_iter = problem, tol, max_iter
        self.progress = progress
        one_sided = self._one_sided()
        self.kept = np.flatnonzero(~one_sided)
        place = np.cumsum(~one_sided) - 1
        taking_part = ~one_sided[problem.point]
        point, m = place[problem.point[taking_part]], int(taking_part.sum())
        # a group whose points have all left the problem has no constraint either
        self.present = np.flatnonzero(problem.E[self.kept].any(axis=0))
        self.program = Program(
            K=problem.K[np.ix_(self.kept, self.kept)],
            point=point,
            scale=problem.S[taking_part],
            cost=problem.k[taking_part],
            group=np.arange(m),
            cap=np.ones(m),
            E=problem.E[self.kept][:, self.present],
        )

    def _one_sided(self) -> np.ndarray:
        """Points whose group pulls one way only: Eᵀβ = 0 leaves them β = 0, b does the rest."""
        problem, out = self.problem, np.zeros(len(self.problem.y), dtype=bool)
        for group in problem.E.T > 0:
            signs = np.sign(problem.S[group[problem.point]])
            if len(signs) and (signs == signs[0]).all():
                out |= group
        return out

    def solve(self) -> tuple[np.ndarray, np.ndarray, int]:
        """β, b, and the number of steps; the best found, judged by the gap."""
        if not len(self.kept):
            return *self._solution(np.zeros(0), np.zeros(0)), 1
        best = self._solution(np.zeros(len(self.kept)), np.zeros(len(self.present)))
        smallest = np.inf

        def judge(point: Point, n_iter: int) -> float:
            nonlocal best, smallest
            found = self._solution(self.program.beta(point.x), point.b)
            gap = self.problem.gap(*found)
            self.progress(n_iter, gap)
            if gap < smallest:
                best, smallest = found, gap
            return gap

        start = self._start()
        n_iter = iterate(self.program, start, judge, self.tol, self.max_iter, STALLED_AFTER)
        return *best, max(1, n_iter)

    def _solution(self, beta: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """β over all points and b of all groups; one-sided groups get the b that costs nothing."""
        problem = self.problem
        whole, constants = np.zeros(len(problem.y)), np.zeros(problem.E.shape[1])
        whole[self.kept] = beta
        constants[self.present] = b
        f = problem.K @ whole
        for j in np.setdiff1d(np.arange(len(constants)), self.present):
            at = problem.E[problem.point, j] > 0
            reach = problem.turn[at] - f[problem.point[at]]
            if len(reach):
                constants[j] = reach.max() if problem.S[at][0] > 0 else reach.min()
        return whole, constants

    def _start(self) -> Point:
        program = self.program
        x = np.full(len(program.cost), 0.5)
        slope = program.slope(program.K @ program.beta(x)) + program.cost
        size = max(float(np.abs(slope).max()), float(np.abs(program.cost).max()), 1e-300)
        bound = np.full_like(x, size)
        return Point(x, bound, x, bound, np.zeros(len(self.present)))
