"""The dual of a loss with a kink over K̃ at the labeled points, and its duality gap."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..problem import Problem, relative_gap


class DualProblem:
    """min_α ½ βᵀK̃β + kᵀα over β = Sα, 0 ≤ α ≤ 1 and Eᵀβ = 0.

    This is half of the dual of Σ w V(y, f) + βᵀK̃β over f = K̃β + E b. The loss gives the box: with
    V(y, f) = Σ_k max(0, s_k f − c_k), S holds −w s_k/2 and k holds w c_k/2. There is one α per
    hinge.

    Parameters
    ----------
    objective : Problem
        A reduced problem: over K̃, with or without offsets, with M = 0 and γ_A = 1.
    t : int
        The column.

    References
    ----------
    MR eqs. 10–12 for one output.
    """

    def __init__(self, objective: Problem, t: int):
        self.whole = objective
        self.t = t
        loss = objective.loss
        w = objective.w[:, min(t, objective.w.shape[1] - 1)]
        self.seen = np.flatnonzero(w > 0)
        self.loss: Any = loss.at(t, self.seen)
        self.w, self.y = w[self.seen], objective.y[self.seen, t]
        gram, free = objective.space.gram, objective.space.free
        self.K = gram if len(self.seen) == len(gram) else gram[np.ix_(self.seen, self.seen)]
        self.E = free[self.seen]
        slope, cost = self.loss.box(self.y)
        self.piece, self.point = np.nonzero(slope)
        self.S = (-0.5 * self.w * slope)[self.piece, self.point]
        self.k = (0.5 * self.w * cost)[self.piece, self.point]
        self.turn = np.divide(cost, slope, out=np.zeros_like(cost), where=slope != 0)[
            self.piece, self.point
        ]  # the f at which each hinge turns; there its α may lie between its bounds
        self.origin = float(np.sum(self.w * self.loss.value(self.y, np.zeros_like(self.y))))

    def beta(self, alpha: np.ndarray) -> np.ndarray:
        """β = Sα."""
        return np.bincount(self.point, weights=self.S * alpha, minlength=len(self.y))

    def primal(self, beta: np.ndarray, b: np.ndarray) -> float:
        """Σ w V(y, K̃β + E b) + βᵀK̃β."""
        f = self.K @ beta
        return float(self.w @ self.loss.value(self.y, f + self.E @ b) + beta @ f)

    def dual(self, beta: np.ndarray) -> float:
        """−Σ w V*(u) − βᵀK̃β at a feasible u close to −2β/w.

        Only a feasible u bounds the primal from below. u is therefore clipped to the domain of V*.
        The heavier sign of each group is scaled down until Eᵀβ = 0. This stays in the domain, which
        contains 0.
        """
        u = self.loss.clip(self.y, -2.0 * beta / self.w)
        beta = self._balanced(-0.5 * self.w * u)
        conjugate = self.w @ self.loss.conjugate(self.y, -2.0 * beta / self.w)
        return float(-conjugate - beta @ self.K @ beta)

    def gap(self, beta: np.ndarray, b: np.ndarray) -> float:
        """|P − D|/max(P, P(0)). NaN, or a dual above the primal, certifies nothing."""
        return relative_gap(self.primal(beta, b), self.dual(beta), self.origin)

    def column(self, beta: np.ndarray, b: np.ndarray) -> np.ndarray:
        """β and b as coefficients of the objective's space, (m,)."""
        out = np.zeros(self.whole.space.n_coef)
        out[self.seen] = beta
        if self.E.shape[1]:
            out[-self.E.shape[1] :] = b
        return out

    def split(self, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """β and b from coefficients of the objective's space."""
        return column[self.seen], column[len(column) - self.E.shape[1] :]

    def split_of(self, whole: Problem, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """β and b of this column, from coefficients over a Gram matrix of all rows."""
        rows, column = whole.rows[self.seen], coef[:, self.t]
        return whole.gamma_A * column[rows], column[len(column) - self.E.shape[1] :]

    def bounds(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The largest |β| of each point, and the f at which its β is free; 0 where β is 0."""
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


EDGES = (1e-7, 1e-5, 1e-3)  # within this share of its bound, a multiplier counts as at it


def polished(problem: DualProblem, beta: np.ndarray, b: np.ndarray):
    """Solve exactly for the β strictly between their bounds, as long as the gap falls."""
    gap = problem.gap(beta, b)
    for edge in EDGES:
        for _ in range(20):
            if gap <= 1e-15:  # at rounding already
                return beta, b
            candidate = _free_solution(problem, beta, b, edge)
            found = problem.gap(*candidate)
            if not found < gap:
                break
            (beta, b), gap = candidate, found
    return beta, b


def _free_solution(problem: DualProblem, beta, b, share: float):
    """Solve for the β strictly between their bounds: there f lies where a hinge turns."""
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
    """β, b and the number of β between their bounds, from a start for a similar problem.

    The labels and weights of the other problem are nearly the same. With no β between the bounds, b
    is not determined. Several β that share the largest part of their bound were at the bound.
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
