"""Losses with a kink: the dual on the labelled points, through libsvm (MR eqs. 10–12)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.svm import SVC, SVR

from ..losses import DualLoss, EpsilonInsensitive, Hinge
from ..objective import Objective
from ..spaces import Element, core_of
from .base import Progress, Solution, Solver, Status, no_progress
from .reduce import Reduced, reduce

LIBSVM_TOL = 1e-7
MAX_POLISH = 20


class Dual(Solver):
    """max_u −Σ w_i V*(u_i) − γ_A βᵀK̃β with β = −w∘u/(2γ_A), and Σβ = 0 with an intercept.

    K̃ is the Gram matrix of the deformed kernel on the labelled points: the l × l problem is a
    standard SVM (MR eq. 11) and libsvm solves it. What libsvm's tolerance leaves open is closed
    by solving exactly for the coefficients between their bounds. The certificate is the
    relative duality gap (P − D)/max(P, P(0)), P being the objective over all n points.

    Parameters
    ----------
    tol : float, default=1e-6
        Bound on the relative duality gap above which the status says so.
    max_iter : int, default=-1
        libsvm's limit on iterations per column; −1 is none.
    progress : callable, optional
    """

    requires = DualLoss

    def __init__(self, tol: float = 1e-6, max_iter: int = -1, progress: Progress = no_progress):
        self.tol = tol
        self.max_iter = max_iter
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        reduced = reduce(objective)
        intercept = core_of(objective.space)[1]
        columns, n_iter, history = [], 1, []
        for t in range(objective.n_columns):
            machine = _Column(reduced, t, intercept, self.max_iter)
            column, steps = machine.solve()
            columns.append(column)
            n_iter = max(n_iter, steps)
            history.append(machine.gap(column))
            self.progress(t + 1, history[-1])
        small = np.column_stack(columns)
        coef = reduced.lift(small)
        optimality = relative_gap(objective, reduced, coef, small)
        status = Status.CONVERGED if optimality <= self.tol else Status.STALLED
        if status is not Status.CONVERGED and 0 < self.max_iter <= n_iter:
            status = Status.MAX_ITER
        return Solution(coef, status, n_iter, optimality, history)


def relative_gap(
    objective: Objective, reduced: Reduced, coef: np.ndarray, small: np.ndarray
) -> float:
    """(P − D)/max(P, P(0)), the worst column; P over all n points, D from the β."""
    primal = objective.value(objective.space.element(coef))
    dual = np.array([dual_value(reduced, small[:, t], t) for t in range(small.shape[1])])
    scale = np.maximum(primal, objective.value(objective.start))
    return float(np.max(np.maximum(primal - dual, 0.0) / np.where(scale > 0, scale, 1.0)))


def dual_value(reduced: Reduced, column: np.ndarray, t: int) -> float:
    """D at a feasible u close to the one that the coefficients β stand for.

    Only a feasible u bounds P from below: u is clipped to the domain of V*, and with an
    intercept the heavier sign is scaled down until Σβ = 0 (0 lies in the domain, so this stays
    in it).
    """
    o = reduced.objective
    w = o.w[:, min(t, o.w.shape[1] - 1)]
    y, beta = o.y[:, t], column[: len(w)]
    seen = w > 0
    u = np.zeros_like(beta)
    u[seen] = -2.0 * o.gamma_A * beta[seen] / w[seen]
    u = o.loss.clip(y, u)  # type: ignore[attr-defined]
    beta = -w * u / (2.0 * o.gamma_A)
    if core_of(o.space)[1]:
        beta = _balanced(beta)
        u[seen] = -2.0 * o.gamma_A * beta[seen] / w[seen]
    conjugate = w @ o.loss.conjugate(y, u)  # type: ignore[attr-defined]
    return float(-conjugate - o.gamma_A * beta @ reduced.gram @ beta)


def _balanced(beta: np.ndarray) -> np.ndarray:
    up, down = beta[beta > 0].sum(), -beta[beta < 0].sum()
    total = min(up, down)
    return beta * np.where(beta > 0, total / (up or 1.0), total / (down or 1.0))


@dataclass
class _Column:
    """One binary or regression machine over the labelled points."""

    reduced: Reduced
    t: int
    intercept: bool
    max_iter: int

    def __post_init__(self):
        o = self.reduced.objective
        w = o.w[:, min(self.t, o.w.shape[1] - 1)]
        self.seen = np.flatnonzero(w > 0)
        self.y = o.y[self.seen, self.t]
        self.C = w[self.seen] / (2.0 * o.gamma_A)
        self.K = self.reduced.gram[np.ix_(self.seen, self.seen)]
        self.loss = o.loss

    def solve(self) -> tuple[np.ndarray, int]:
        beta, b, n_iter = self._libsvm()
        candidate = self._polish(self._column(beta, b))
        return candidate, n_iter

    def gap(self, column: np.ndarray) -> float:
        """P − D of this column, relative to P(0)."""
        o = self.reduced.objective
        whole = np.zeros((len(column), o.n_columns))
        whole[:, self.t] = column
        primal = o.value(o.space.element(whole))[self.t]
        scale = max(primal, o.value(o.start)[self.t]) or 1.0
        return max(0.0, primal - dual_value(self.reduced, column, self.t)) / scale

    def _column(self, beta: np.ndarray, b: float) -> np.ndarray:
        out = np.zeros(len(self.reduced.gram) + self.intercept)
        out[self.seen] = beta
        if self.intercept:
            out[-1] = b
        return out

    def _libsvm(self) -> tuple[np.ndarray, float, int]:
        """β and b; without an intercept, the points are mirrored and their b is zero.

        The mirrored problem has (−φ(x), −y) beside every (φ(x), y): it is unchanged under
        b → −b, hence solved at b = 0, and its minimiser is that of the problem without b.
        """
        if self.intercept:
            if isinstance(self.loss, Hinge) and len(np.unique(self.y)) == 1:
                return np.zeros(len(self.y)), float(self.y[0]), 1
            return self._machine(self.K, self.y, self.C)
        mirrored = np.block([[self.K, -self.K], [-self.K, self.K]])
        y = np.concatenate([self.y, -self.y])
        beta, _, n_iter = self._machine(mirrored, y, np.concatenate([self.C, self.C]) / 2)
        return beta[: len(self.y)] - beta[len(self.y) :], 0.0, n_iter

    def _machine(self, K, y, C) -> tuple[np.ndarray, float, int]:
        # libsvm keeps K in float32: at a size near 1 it neither overflows nor vanishes
        size = float(np.mean(np.diag(K))) or 1.0
        beta = np.zeros(len(y))
        common = {"kernel": "precomputed", "tol": LIBSVM_TOL, "max_iter": self.max_iter}
        # libsvm's C scales every sample's bound: one reference C keeps its numbers near 1
        reference, K = float(C.max()), K / size
        if isinstance(self.loss, Hinge):
            svm = SVC(C=reference * size, **common)
            svm.fit(K, np.sign(y), sample_weight=C / reference)
        elif isinstance(self.loss, EpsilonInsensitive):
            svm = SVR(C=reference * size, epsilon=self.loss.epsilon, **common)
            svm.fit(K, y, sample_weight=C / reference)
        else:
            raise TypeError(
                f"The dual solver knows Hinge and EpsilonInsensitive, not "
                f"{type(self.loss).__name__}; a smooth loss goes to solver='newton'."
            )
        beta[svm.support_] = svm.dual_coef_[0] / size
        return beta, float(svm.intercept_[0]), int(np.max(svm.n_iter_))

    def _polish(self, column: np.ndarray) -> np.ndarray:
        """Solve exactly for the β strictly between their bounds while the gap falls."""
        best, best_gap = column, self.gap(column)
        for _ in range(MAX_POLISH):
            candidate = self._free_solution(best)
            gap = self.gap(candidate)
            if not gap < best_gap:
                break
            best, best_gap = candidate, gap
        return best

    def _free_solution(self, column: np.ndarray) -> np.ndarray:
        beta = column[self.seen]
        edge = 1e-7 * self.C
        free = np.flatnonzero((np.abs(beta) > edge) & (np.abs(beta) < self.C - edge))
        bound = np.abs(beta) >= self.C - edge
        if not len(free):
            return column
        beta = np.where(bound, np.sign(beta) * self.C, 0.0) + np.where(_mask(free, beta), beta, 0.0)
        fixed = np.where(bound, beta, 0.0)
        target = self._margin(beta)[free] - self.K[free] @ fixed
        A, rhs = self.K[np.ix_(free, free)], target
        if self.intercept:
            ones = np.ones((len(free), 1))
            A = np.block([[A, ones], [ones.T, np.zeros((1, 1))]])
            rhs = np.append(target, -fixed.sum())
        x = np.linalg.lstsq(A, rhs, rcond=None)[0]
        beta = fixed.copy()
        beta[free] = x[: len(free)]
        return self._column(np.clip(beta, -self.C, self.C), x[-1] if self.intercept else 0.0)

    def _margin(self, beta: np.ndarray) -> np.ndarray:
        """The value that f + b takes exactly where β is free."""
        if isinstance(self.loss, Hinge):
            return self.y
        return self.y - self.loss.epsilon * np.sign(beta)


def _mask(index: np.ndarray, like: np.ndarray) -> np.ndarray:
    mask = np.zeros(len(like), dtype=bool)
    mask[index] = True
    return mask
