"""The last digits of a dual: which points lie at their bounds, and a linear system for the rest."""

from __future__ import annotations

import numpy as np

from .dual_problem import DualProblem

EDGES = (1e-7, 1e-5, 1e-3)  # shares of a bound up to which a multiplier counts as at it


def polished(problem: DualProblem, beta: np.ndarray, b: np.ndarray):
    """Solve exactly for the β strictly between their bounds while the gap falls."""
    gap = problem.gap(beta, b)
    for edge in EDGES:
        for _ in range(20):
            if gap <= 1e-15:  # nothing is to gain
                return beta, b
            candidate = _free_solution(problem, beta, b, edge)
            found = problem.gap(*candidate)
            if not found < gap:
                break
            (beta, b), gap = candidate, found
    return beta, b


def _free_solution(problem: DualProblem, beta, b, share: float):
    """β free where it is strictly between its bounds: there f + b lies where a hinge turns."""
    bound, turn = problem.bounds(beta)
    edge = share * bound
    free = np.flatnonzero((np.abs(beta) > edge) & (np.abs(beta) < bound - edge))
    if not len(free):
        return beta, b
    fixed = np.where((np.abs(beta) >= bound - edge) & (beta != 0), np.sign(beta) * bound, 0.0)
    A, rhs = problem.K[np.ix_(free, free)], turn[free] - problem.K[free] @ fixed
    E = problem.E[free]
    if E.shape[1]:
        A = np.block([[A, E], [E.T, np.zeros((E.shape[1],) * 2)]])
        rhs = np.append(rhs, -problem.E.T @ fixed)
    x = np.linalg.lstsq(A, rhs, rcond=None)[0]
    fixed[free] = np.clip(x[: len(free)], -bound[free], bound[free])
    return fixed, x[len(free) :]


def adapted(problem: DualProblem, beta: np.ndarray, b: np.ndarray):
    """β and b for a problem whose labels and weights are nearly those of the given ones.

    Also the number of β between their bounds: with none, b is not determined. Where several β
    share the largest part of their bound, they were at it.
    """
    bound = problem.bounds(beta)[0]
    parts = np.divide(np.abs(beta), bound, out=np.zeros(len(beta)), where=bound > 0)
    top = parts.max(initial=0.0)
    if np.count_nonzero(parts > (1.0 - 1e-9) * top) > 1:
        beta = np.clip(beta / (top or 1.0), -bound, bound)
    beta, b = polished(problem, beta, b)
    size, bound = np.abs(beta), problem.bounds(beta)[0]
    between = (size > EDGES[0] * bound) & (size < (1.0 - EDGES[0]) * bound)
    return beta, b, np.count_nonzero(between)
