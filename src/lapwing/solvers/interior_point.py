"""Interior points for the dual: any sum of hinges, any number of constants."""

from __future__ import annotations

import numpy as np

from ..linalg.interior_point import Point, Program, iterate
from ..problem import Progress, no_progress
from .dual_problem import DualProblem


def by_interior_points(
    problem: DualProblem, tol: float, max_iter: int, progress: Progress = no_progress
) -> tuple[np.ndarray, np.ndarray, int]:
    """β, b and the number of steps, by interior points; the best iterate, judged by the gap.

    Each step takes one factor (:mod:`lapwing.linalg.interior_point`). libsvm allows one constant
    and two kinds of hinges. This method allows one constant per group, and any number of hinges per
    point.

    Parameters
    ----------
    problem : DualProblem
    tol : float
        Bound on the relative duality gap.
    max_iter : int
    progress : callable, optional
    """
    kept = np.flatnonzero(~_one_sided(problem)[problem.point])
    at, S = problem.point[kept], problem.S[kept]
    E = S[:, None] * problem.E[at]
    # a group that has lost all its points has no constraint
    present = np.flatnonzero(E.any(axis=0))

    def found(x: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        alpha, constants = np.zeros(len(problem.S)), np.zeros(problem.E.shape[1])
        alpha[kept], constants[present] = x, b
        beta = problem.beta(alpha)
        return beta, _constants(problem, beta, constants, present)

    if not len(kept):
        return *found(np.zeros(0), np.zeros(len(present))), 1
    H, one = problem.K[np.ix_(at, at)] * (S[:, None] * S), np.ones(len(kept))
    program = Program(H, problem.k[kept], np.arange(len(kept)), one, E[:, present])

    def judge(point: Point, n_iter: int):
        trial = found(point.x, point.b)
        gap = float(np.nan_to_num(problem.gap(*trial), nan=np.inf))
        progress(n_iter, gap)
        return gap, trial

    slope = 0.5 * H.sum(axis=1) + program.cost
    size = max(float(np.abs(slope).max()), float(np.abs(program.cost).max()), 1e-300) * one
    start = Point(0.5 * one, size, 0.5 * one, size, np.zeros(len(present)))
    best, n_iter = iterate(program, start, judge, tol, max_iter)
    return *best, max(1, n_iter)


def _one_sided(problem: DualProblem) -> np.ndarray:
    """Points whose group has hinges of one sign only: Eᵀβ = 0 leaves β = 0 there."""
    out = np.zeros(len(problem.y), dtype=bool)
    for group in problem.E.T > 0:
        signs = np.sign(problem.S[group[problem.point]])
        if len(signs) and (signs == signs[0]).all():
            out |= group
    return out


def _constants(problem: DualProblem, beta, constants: np.ndarray, present) -> np.ndarray:
    """b of all groups. A one-sided group gets a b at which its loss is zero."""
    f = problem.K @ beta
    for j in np.setdiff1d(np.arange(len(constants)), present):
        at = problem.E[problem.point, j] > 0
        reach = problem.turn[at] - f[problem.point[at]]
        if len(reach):
            constants[j] = reach.max() if problem.S[at][0] > 0 else reach.min()
    return constants
