"""libsvm as an engine for the dual: quick where it applies."""

from __future__ import annotations

import numpy as np
from sklearn import svm

from .dual_problem import DualProblem

TOL = 1e-7


class SVC(svm.SVC):
    """Reaching the limit is no news for the user: interior points take over."""

    def _warn_from_fit_status(self):
        return None


class SVR(svm.SVR):
    """As :class:`SVC`."""

    def _warn_from_fit_status(self):
        return None


def applies(problem: DualProblem) -> bool:
    """One constant at most, hinges as libsvm knows them (one margin, or a tube), and a K̃ that
    rounding has left positive."""
    size = float(np.mean(np.diagonal(problem.K)))
    fits = problem.E.shape[1] <= 1 and 0 < size < np.inf
    return fits and _machine(problem) is not None


def solve(problem: DualProblem, max_iter: int) -> tuple[np.ndarray, np.ndarray, int]:
    """β, b and the number of iterations, at most ``max_iter``: libsvm cannot resume.

    Without an intercept the points are mirrored and their b is zero: the mirrored problem has
    (−φ(x), −y) beside every (φ(x), y), is unchanged under b → −b, hence solved at b = 0, and its
    minimiser is that of the problem without b.
    """
    machine, y, C, margin = _machine(problem)
    if problem.E.shape[1]:
        if isinstance(machine, SVC) and len(np.unique(y)) == 1:
            return np.zeros(len(y)), margin * y[:1], 1
        beta, b, n_iter = _fitted(machine, problem.K, y, C / margin, max_iter)
        return margin * beta, margin * b, n_iter
    K, C = problem.K, C / margin
    mirrored = np.block([[K, -K], [-K, K]])
    beta, _, n_iter = _fitted(
        machine, mirrored, np.concatenate([y, -y]), np.concatenate([C, C]) / 2, max_iter
    )
    return margin * (beta[: len(y)] - beta[len(y) :]), np.zeros(0), n_iter


def _machine(problem: DualProblem):
    """(machine, targets, bounds, margin) of libsvm for the loss's hinges; None if there is none.

    libsvm's margin is 1: f at another margin m is m times a function at margin 1.
    """
    n, pieces = len(problem.y), np.bincount(problem.point, minlength=len(problem.y))
    if (pieces == 1).all():
        sign, turn = np.empty(n), np.empty(n)
        sign[problem.point], turn[problem.point] = np.sign(problem.S), problem.turn
        size = np.empty(n)
        size[problem.point] = np.abs(problem.S)
        margin = float(turn[0] * sign[0])
        return (SVC(), sign, size, margin) if _all_equal(turn, margin * sign) else None
    if not (pieces == 2).all():
        return None
    upper, lower = problem.S < 0, problem.S > 0  # f above its target, f below
    if upper.sum() != n or lower.sum() != n:
        return None
    order = [np.argsort(problem.point[side]) for side in (upper, lower)]
    turns, sizes = (
        [values[side][at] for side, at in zip((upper, lower), order, strict=True)]
        for values in (problem.turn, np.abs(problem.S))
    )
    middle, width = 0.5 * (turns[0] + turns[1]), 0.5 * (turns[0] - turns[1])
    even = np.array_equal(*sizes) and np.ptp(width) <= 1e-12 * max(1.0, np.abs(turns).max())
    return (SVR(epsilon=float(max(width.mean(), 0.0))), middle, sizes[0], 1.0) if even else None


def _all_equal(turn: np.ndarray, expected: np.ndarray) -> bool:
    return bool(expected.any()) and np.array_equal(turn, expected)


def _fitted(machine, K, y, C, max_iter: int):
    # libsvm keeps K in float32: at a size near 1 it neither overflows nor vanishes
    size = float(np.mean(np.diag(K))) or 1.0
    # libsvm's C scales every sample's bound: one reference C keeps its numbers near 1
    reference = float(C.max())
    machine.set_params(kernel="precomputed", C=reference * size, tol=TOL, max_iter=max_iter)
    machine.random_state = 0  # or it would draw from numpy's global generator
    machine.fit(K / size, y, sample_weight=C / reference)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0] / size
    return beta, machine.intercept_[:1].copy(), int(np.max(machine.n_iter_))
