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
        loss: Any = objective.loss
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

    def shares(self, beta: np.ndarray) -> np.ndarray:
        """α of β = Sα with one hinge for each point and sign; 0 where β has the other sign."""
        return np.maximum(beta[self.point] / self.S, 0.0)

    def _balanced(self, beta: np.ndarray) -> np.ndarray:
        for group in self.E.T > 0:
            up, down = beta[group & (beta > 0)].sum(), -beta[group & (beta < 0)].sum()
            total = min(up, down)
            scale = np.where(beta > 0, total / (up or 1.0), total / (down or 1.0))
            beta = np.where(group, beta * scale, beta)
        return beta


EDGE = 1e-7  # within this share of its bound, a multiplier counts as at it


def polished(problem: DualProblem, beta: np.ndarray, b: np.ndarray):
    """Solve exactly for the β strictly between their bounds, until these are the right ones.

    This is the primal-dual active set method (Hintermüller, Ito, Kunisch 2003). β and f of a point
    say together whether β is at a bound, in the unit of k̃(x, x). The size of β alone does not: β of
    a point whose k̃(x, x) is large is small, and yet not 0.
    """
    alpha, best, gap = problem.shares(beta), (beta, b), problem.gap(beta, b)
    for _ in range(10):
        if gap <= 1e-15:  # at rounding already
            break
        before, (alpha, b) = alpha, _free_solution(problem, alpha, b)
        if np.array_equal(before, alpha):  # the same multipliers are between their bounds
            break
        candidate = problem.beta(np.clip(alpha, 0.0, 1.0)), b
        found = problem.gap(*candidate)
        if found < gap:
            best, gap = candidate, found
    return best


def _free_solution(problem: DualProblem, alpha, b):
    """Solve for the α strictly between their bounds: there f lies where the hinge turns."""
    unit = problem.S * np.maximum(problem.K.diagonal(), np.finfo(float).tiny)[problem.point]
    f = problem.K @ problem.beta(alpha) + problem.E @ b
    with np.errstate(over="ignore"):
        aim = alpha + (problem.turn - f[problem.point]) / unit
    between, alpha = (aim > 0) & (aim < 1), (aim >= 1).astype(float)
    free = problem.point[between]
    if not len(free):
        return alpha, b
    A, E = problem.K[np.ix_(free, free)], problem.E[free]
    beta = problem.beta(alpha)
    rhs = problem.turn[between] - problem.K[free] @ beta
    if E.shape[1]:
        A = np.block([[A, E], [E.T, np.zeros((E.shape[1],) * 2)]])
        rhs = np.append(rhs, -problem.E.T @ beta)
    x = np.linalg.lstsq(A, rhs, rcond=None)[0]
    alpha[between] = x[: len(free)] / problem.S[between]
    return alpha, x[len(free) :]


def adapted(problem: DualProblem, beta: np.ndarray, b: np.ndarray):
    """β, b and the number of β between their bounds, from a start for a similar problem.

    The labels and weights of the other problem are nearly the same. With no β between the bounds, b
    is not determined. Several β that share the largest part of their bound were at the bound.
    """
    alpha = problem.shares(beta)
    top = alpha.max(initial=0.0)
    if np.count_nonzero(alpha > (1.0 - 1e-9) * top) > 1:
        beta = problem.beta(np.minimum(alpha / (top or 1.0), 1.0))
    beta, b = polished(problem, beta, b)
    alpha = problem.shares(beta)
    return beta, b, np.count_nonzero((alpha > EDGE) & (alpha < 1.0 - EDGE))
