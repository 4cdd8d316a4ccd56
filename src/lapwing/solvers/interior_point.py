"""Interior points for the dual: any sum of hinges, any number of constants."""

from __future__ import annotations

import numpy as np

from ..linalg.interior_point import Point, Program, iterate
from ..problem import Progress, no_progress
from .dual_problem import DualProblem


def by_interior_points(
    problem: DualProblem, tol: float, max_iter: int, progress: Progress = no_progress
) -> tuple[np.ndarray, np.ndarray, int]:
    """β, b, and the number of steps; the best found, judged by the gap.

    By interior points (:mod:`lapwing.linalg.interior_point`), one factor a step. libsvm knows a
    single constant and two kinds of hinges; here each group has its own constant, and points have
    as many hinges as they like.

    Parameters
    ----------
    problem : DualProblem
    tol : float
        Bound on the relative duality gap.
    max_iter : int
    progress : callable, optional
    """
    one_sided = _one_sided(problem)
    kept = np.flatnonzero(~one_sided)
    # a group whose points have all left the problem has no constraint either
    present = np.flatnonzero(problem.E[kept].any(axis=0))
    best = _spread(problem, kept, present, np.zeros(len(kept)), np.zeros(len(present)))
    if not len(kept):
        return *best, 1
    program = _program(problem, one_sided, kept, present)
    smallest = np.inf

    def judge(point: Point, n_iter: int) -> float:
        nonlocal best, smallest
        found = _spread(problem, kept, present, program.beta(point.x), point.b)
        gap = problem.gap(*found)
        progress(n_iter, gap)
        if gap < smallest:
            best, smallest = found, gap
        return gap

    n_iter = iterate(program, _start(program), judge, tol, max_iter)
    return *best, max(1, n_iter)


def _one_sided(problem: DualProblem) -> np.ndarray:
    """Points whose group pulls one way only: Eᵀβ = 0 leaves them β = 0, b does the rest."""
    out = np.zeros(len(problem.y), dtype=bool)
    for group in problem.E.T > 0:
        signs = np.sign(problem.S[group[problem.point]])
        if len(signs) and (signs == signs[0]).all():
            out |= group
    return out


def _program(problem: DualProblem, one_sided, kept, present) -> Program:
    """The dual of the points that are left."""
    taking_part = ~one_sided[problem.point]
    m = int(taking_part.sum())
    return Program(
        K=problem.K[np.ix_(kept, kept)],
        point=(np.cumsum(~one_sided) - 1)[problem.point[taking_part]],
        scale=problem.S[taking_part],
        cost=problem.k[taking_part],
        group=np.arange(m),
        cap=np.ones(m),
        E=problem.E[kept][:, present],
    )


def _spread(problem: DualProblem, kept, present, beta, b) -> tuple[np.ndarray, np.ndarray]:
    """β over all points and b of all groups; one-sided groups get the b that costs nothing."""
    whole, constants = np.zeros(len(problem.y)), np.zeros(problem.E.shape[1])
    whole[kept] = beta
    constants[present] = b
    f = problem.K @ whole
    for j in np.setdiff1d(np.arange(len(constants)), present):
        at = problem.E[problem.point, j] > 0
        reach = problem.turn[at] - f[problem.point[at]]
        if len(reach):
            constants[j] = reach.max() if problem.S[at][0] > 0 else reach.min()
    return whole, constants


def _start(program: Program) -> Point:
    x = np.full(len(program.cost), 0.5)
    slope = program.slope(program.K @ program.beta(x)) + program.cost
    size = max(float(np.abs(slope).max()), float(np.abs(program.cost).max()), 1e-300)
    bound = np.full_like(x, size)
    return Point(x, bound, x, bound, np.zeros(program.E.shape[1]))
