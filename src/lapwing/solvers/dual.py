"""Losses with a kink: the dual on the labeled points (MR eqs. 10–12), libsvm its first engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import config_context, svm

from ..losses import DualLoss
from ..objective import (
    Objective,
    Progress,
    Reduced,
    Solution,
    check_loss,
    no_progress,
    reduce,
    relative_gap,
    status_of,
)
from ..spaces import Element
from .base import Solver
from .interior_point import by_interior_points

LIBSVM_STEPS = 100_000
"""Iterations after which libsvm gives way to interior points, and 100 for each point more."""

LIBSVM_TOL = 1e-7
MAX_POLISH = 20
EXACT, ROUNDED = 1e-11, 1e-15
"""Gaps up to which what is at a bound is known, and up to which nothing is to gain."""
EDGES = (1e-7, 1e-5, 1e-3)  # shares of a bound up to which a multiplier counts as at it


@dataclass(eq=False)
class Dual(Solver):
    """max −Σ w V*(u) − βᵀK̃β with β = −w∘u/2, and Eᵀβ = 0 for what nothing penalizes.

    K̃ is the deformed kernel on the labeled points, or on the observed pairs of related outputs.
    libsvm solves a standard model (MR eq. 11) under a limit on its iterations; what it leaves
    open, and every other sum of hinges, goes to an interior-point method. The certificate is the
    relative duality gap |P − D|/max(P, P(0)), P being the objective over all n points.

    Parameters
    ----------
    tol : float, default=1e-6
        Bound on the relative duality gap above which the status says so.
    max_iter : int, default=100
        Steps of the interior-point method per column.
    progress : callable, optional
    hopeless : tuple of int, optional
        Columns that are not given to libsvm.
    """

    requires = DualLoss

    tol: float = 1e-6
    max_iter: int = 100
    progress: Progress = no_progress
    hopeless: tuple[int, ...] = ()

    def without(self, i: int, found: Solution) -> Dual:
        """What libsvm missed once it misses with other weights too."""
        return Dual(self.tol, self.max_iter, self.progress, (*self.hopeless, *found.slow))

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        check_loss(objective.loss, self)
        reduced = reduce(objective)
        columns, n_iter, history, at_limit = [], 1, [], False
        slow: list[int] = []
        problems = [DualProblem(reduced.objective, t) for t in range(reduced.objective.n_columns)]
        for t, problem in enumerate(problems):
            beta, b, steps, fast = self._column(problem, _begin(objective, start, problem))
            slow += [] if fast else [t]
            columns.append(problem.column(beta, b))
            history.append(problem.gap(beta, b))
            at_limit |= steps >= self.max_iter and not history[-1] <= self.tol
            n_iter = max(n_iter, steps)
            self.progress(t + 1, history[-1])
        coef = reduced.lift(np.column_stack(columns))
        optimality = _certificate(objective, reduced, problems, columns, coef)
        status = status_of(optimality, self.tol, at_limit)
        l, found = len(objective.rows), np.column_stack(columns)
        own = found[:l] if found.shape[1] == objective.n_columns else None  # not pairs
        return Solution(
            coef, status, n_iter, optimality, history, slow=tuple(slow), multipliers=own
        )

    def _column(self, problem: DualProblem, start=None) -> tuple[np.ndarray, np.ndarray, int, bool]:
        """β, b, steps, and whether no interior points were needed.

        libsvm is first where it applies; interior points where that misses the tolerance. Where
        ``start``, β and b, has the solution's points at their bounds and between, the rest is one
        linear system.
        """
        first = None
        if start is not None:
            beta, b, free = adapted(problem, *start)
            if free and problem.gap(beta, b) <= min(EXACT, 0.5 * self.tol):
                return beta, b, 1, True
        if problem.t not in self.hopeless and libsvm_applies(problem):
            l = len(problem.y)  # a step costs l, interior points a few l³: no more than these
            beta, b, n_iter = by_libsvm(problem, min(LIBSVM_STEPS + 100 * l, 2000 + 2 * l**2))
            first = polished(problem, beta, b)
            if problem.gap(*first) <= 0.5 * self.tol:
                return *first, n_iter, True
        beta, b, n_iter = by_interior_points(problem, 0.5 * self.tol, self.max_iter, self.progress)
        if problem.gap(beta, b) <= 0.5 * self.tol:
            return beta, b, n_iter, False
        second = polished(problem, beta, b)
        if first is not None and not problem.gap(*second) < problem.gap(*first):
            second = first
        return *second, n_iter, False


def _begin(objective: Objective, start: Element | None, problem: DualProblem):
    """β and b of a start over a Gram matrix, f = (K/γ_A)β + E b; None where there is none."""
    if start is None or objective.lam or objective.space.gram is None:
        return None
    return problem.split_of(objective, start.coef)


def _certificate(objective: Objective, reduced: Reduced, problems, columns, coef) -> float:
    """The worst column's gap, P over all n points; of all columns where they are coupled."""
    primal = objective.value(objective.space.element(coef))
    origin = objective.value(objective.start)
    dual = np.array([p.dual(p.split(c)[0]) for p, c in zip(problems, columns, strict=True)])
    if len(dual) != len(primal):
        primal, origin, dual = (np.array([part.sum()]) for part in (primal, origin, dual))
    gaps = [relative_gap(*column) for column in zip(primal, dual, origin, strict=True)]
    return float(np.max(gaps))


class DualProblem:
    """min_α ½ βᵀK̃β + kᵀα over β = Sα, 0 ≤ α ≤ 1 and Eᵀβ = 0,

    the dual of Σ w V(y, f) + βᵀK̃β over f = K̃β + E b, divided by two. The loss gives the box: with
    V(y, f) = Σ_k max(0, s_k f − c_k), S holds −w s_k/2 and k holds w c_k/2, one α per hinge.

    Parameters
    ----------
    objective : Objective
        A reduced problem: over K̃, with or without offsets, M = 0 and γ_A = 1.
    t : int
        The column.

    References
    ----------
    MR eqs. 10–12 for one output.
    """

    def __init__(self, objective: Objective, t: int):
        self.whole = objective
        self.t = t
        loss = objective.loss
        self.loss: Any = loss if loss.at is None else loss.at(t)
        w = objective.w[:, min(t, objective.w.shape[1] - 1)]
        self.seen = np.flatnonzero(w > 0)
        self.w, self.y = w[self.seen], objective.y[self.seen, t]
        gram, free = objective.space.gram, objective.space.free
        assert gram is not None
        self.K = gram if len(self.seen) == len(gram) else gram[np.ix_(self.seen, self.seen)]
        self.E = np.zeros((len(self.seen), 0)) if free is None else free[self.seen]
        slope, cost = self.loss.box(self.y)
        self.piece, self.point = np.nonzero(slope)
        self.S = (-0.5 * self.w * slope)[self.piece, self.point]
        self.k = (0.5 * self.w * cost)[self.piece, self.point]
        self.turn = np.divide(cost, slope, out=np.zeros_like(cost), where=slope != 0)[
            self.piece, self.point
        ]  # where each hinge turns: f at which its α is free
        self.origin = float(np.sum(self.w * self.loss.value(self.y, np.zeros_like(self.y))))

    def beta(self, alpha: np.ndarray) -> np.ndarray:
        """β = Sα."""
        return np.bincount(self.point, weights=self.S * alpha, minlength=len(self.y))

    def primal(self, beta: np.ndarray, b: np.ndarray) -> float:
        """Σ w V(y, K̃β + E b) + βᵀK̃β."""
        f = self.K @ beta
        return float(self.w @ self.loss.value(self.y, f + self.E @ b) + beta @ f)

    def dual(self, beta: np.ndarray) -> float:
        """−Σ w V*(u) − βᵀK̃β at a feasible u = −2β/w close to the one that β stands for.

        Only a feasible u bounds the primal from below: u is clipped to the domain of V*, and the
        heavier sign of each group is scaled down until Eᵀβ = 0 (0 lies in the domain, so this
        stays in it).
        """
        u = self.loss.clip(self.y, -2.0 * beta / self.w)
        beta = self._balanced(-0.5 * self.w * u)
        conjugate = self.w @ self.loss.conjugate(self.y, -2.0 * beta / self.w)
        return float(-conjugate - beta @ self.K @ beta)

    def gap(self, beta: np.ndarray, b: np.ndarray) -> float:
        """|P − D|/max(P, P(0)): not-a-number and a dual above the primal certify nothing."""
        return relative_gap(self.primal(beta, b), self.dual(beta), self.origin)

    def column(self, beta: np.ndarray, b: np.ndarray) -> np.ndarray:
        """β and b as coefficients of the objective's space."""
        out = np.zeros(self.whole.space.n_coef)
        out[self.seen] = beta
        if self.E.shape[1]:
            out[-self.E.shape[1] :] = b
        return out

    def split(self, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """β and b from coefficients of the objective's space."""
        return column[self.seen], column[len(column) - self.E.shape[1] :]

    def split_of(self, whole: Objective, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """β and b of this column, from coefficients over a Gram matrix of all rows."""
        rows, column = whole.rows[self.seen], coef[:, self.t]
        return whole.gamma_A * column[rows], column[len(column) - self.E.shape[1] :]

    def bounds(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How large each |β| may be, and the f at which it is free; 0 where β is 0."""
        bound, turn = np.zeros(len(beta)), np.zeros(len(beta))
        alike = np.sign(self.S) == np.sign(beta[self.point])
        bound[self.point[alike]] = np.abs(self.S[alike])
        turn[self.point[alike]] = self.turn[alike]
        return bound, turn

    def _balanced(self, beta: np.ndarray) -> np.ndarray:
        for group in self.E.T > 0:
            up, down = beta[group & (beta > 0)].sum(), -beta[group & (beta < 0)].sum()
            total = min(up, down)
            scale = np.where(beta > 0, total / (up or 1.0), total / (down or 1.0))
            beta = np.where(group, beta * scale, beta)
        return beta


def polished(problem: DualProblem, beta: np.ndarray, b: np.ndarray):
    """Solve exactly for the β strictly between their bounds while the gap falls."""
    gap = problem.gap(beta, b)
    for edge in EDGES:
        for _ in range(MAX_POLISH):
            if gap <= ROUNDED:
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


class SVC(svm.SVC):
    """Reaching the limit is no news for the user: interior points take over.

    Its targets are ±1, both of them: what scikit-learn asks of them costs more than a small fit.
    """

    def _warn_from_fit_status(self):
        return None

    def _validate_targets(self, y):
        self.classes_, self.class_weight_ = np.array([-1.0, 1.0]), np.ones(2)
        return (y > 0).astype(np.float64)


class SVR(svm.SVR):
    """As :class:`SVC`, with targets of any size."""

    def _warn_from_fit_status(self):
        return None


def libsvm_applies(problem: DualProblem) -> bool:
    """One constant at most, hinges as libsvm knows them (one margin, or a tube), and a K̃ that
    rounding has left positive."""
    size = float(np.mean(np.diagonal(problem.K)))
    fits = problem.E.shape[1] <= 1 and 0 < size < np.inf
    return fits and _model(problem) is not None


def by_libsvm(problem: DualProblem, max_iter: int) -> tuple[np.ndarray, np.ndarray, int]:
    """β, b and the number of iterations, at most ``max_iter``: libsvm cannot resume.

    Without an intercept the points are mirrored and their b is zero: the mirrored problem has
    (−φ(x), −y) beside every (φ(x), y), is unchanged under b → −b, hence solved at b = 0, and its
    minimizer is that of the problem without b.
    """
    model, y, C, margin = _model(problem)
    if problem.E.shape[1]:
        if isinstance(model, SVC) and len(np.unique(y)) == 1:
            return np.zeros(len(y)), margin * y[:1], 1
        beta, b, n_iter = _fitted(model, problem.K, y, C / margin, max_iter)
        return margin * beta, margin * b, n_iter
    K, C = problem.K, C / margin
    mirrored = np.block([[K, -K], [-K, K]])
    beta, _, n_iter = _fitted(
        model, mirrored, np.concatenate([y, -y]), np.concatenate([C, C]) / 2, max_iter
    )
    return margin * (beta[: len(y)] - beta[len(y) :]), np.zeros(0), n_iter


def _model(problem: DualProblem):
    """(model, targets, bounds, margin) of libsvm for the loss's hinges; None if there is none.

    libsvm's margin is 1: f at another margin m is m times a function at margin 1.
    """
    n, pieces = len(problem.y), np.bincount(problem.point, minlength=len(problem.y))
    if (pieces == 1).all():
        sign, turn = np.empty(n), np.empty(n)
        sign[problem.point], turn[problem.point] = np.sign(problem.S), problem.turn
        size = np.empty(n)
        size[problem.point] = np.abs(problem.S)
        margin = float(turn[0] * sign[0])
        alike = margin != 0 and np.array_equal(turn, margin * sign)
        return (SVC(), sign, size, margin) if alike else None
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


def _fitted(model, K, y, C, max_iter: int):
    # libsvm keeps K in float32: at a size near 1 it neither overflows nor vanishes
    size = float(np.mean(np.diag(K))) or 1.0
    # libsvm's C scales every sample's bound: one reference C keeps its numbers near 1
    reference = float(C.max())
    model.kernel, model.C = "precomputed", reference * size
    model.tol, model.max_iter = LIBSVM_TOL, max_iter
    model.random_state = 0  # or it would draw from numpy's global generator
    with config_context(skip_parameter_validation=True):  # of ours, which takes as long as a fit
        model.fit(K / size, y, sample_weight=C / reference)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0] / size
    return beta, model.intercept_[:1].copy(), int(np.max(model.n_iter_))
