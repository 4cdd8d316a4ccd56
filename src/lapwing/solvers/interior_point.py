"""An interior-point method for the dual: any sum of hinges, any number of constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from ..objective import Progress, no_progress

if TYPE_CHECKING:
    from .dual import DualProblem

TO_BOUNDARY = 0.995  # fraction of the way to the nearest bound that a step may go
STALLED_AFTER = 5


@dataclass
class _Point:
    """Primal–dual iterate: 0 < α < 1, z and v > 0 for its two bounds, b for the constraints."""

    alpha: np.ndarray
    z: np.ndarray
    v: np.ndarray
    b: np.ndarray

    @property
    def mu(self) -> float:
        """Mean complementarity: zero at the solution."""
        return float(self.alpha @ self.z + (1.0 - self.alpha) @ self.v) / (2 * len(self.alpha))

    def moved(self, step: float, d: _Point) -> _Point:
        return _Point(
            self.alpha + step * d.alpha,
            self.z + step * d.z,
            self.v + step * d.v,
            self.b + step * d.b,
        )

    def reach(self, d: _Point) -> float:
        """The longest step ≤ 1 along d that keeps every sign."""
        ratios = [1.0 / TO_BOUNDARY]
        for x, dx in (
            (self.alpha, d.alpha),
            (1.0 - self.alpha, -d.alpha),
            (self.z, d.z),
            (self.v, d.v),
        ):
            falling = dx < 0
            ratios.append(float(np.min(-x[falling] / dx[falling], initial=np.inf)))
        return TO_BOUNDARY * min(ratios)


class InteriorPoint:
    """Mehrotra's predictor and corrector, one Cholesky factor of order P a step.

    libsvm knows a single constant and two kinds of hinges; here each group has its own constant,
    and points have as many hinges as they like.

    Parameters
    ----------
    problem : DualProblem
    tol : float
        Bound on the relative duality gap.
    max_iter : int
    progress : callable, optional

    References
    ----------
    Mehrotra 1992, *On the implementation of a primal–dual interior point method*.
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
        self.point = place[problem.point[taking_part]]
        self.scale, self.cost = problem.S[taking_part], problem.k[taking_part]
        self.K = problem.K[np.ix_(self.kept, self.kept)]
        # a group whose points have all left the problem has no constraint either
        self.present = np.flatnonzero(problem.E[self.kept].any(axis=0))
        self.E = problem.E[self.kept][:, self.present]

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
        point, best, smallest, since, n_iter = self._start(), None, np.inf, 0, 0
        while n_iter < self.max_iter and since < STALLED_AFTER and not smallest <= self.tol:
            following = self._step(point)
            if following is None:
                break
            point = following
            n_iter += 1
            found = self._solution(self._beta(point.alpha), point.b)
            gap = self.problem.gap(*found)
            self.progress(n_iter, gap)
            if best is None or gap < smallest:
                best, smallest, since = found, gap, 0
            else:
                since += 1
        if best is None:
            best = self._solution(np.zeros(len(self.kept)), np.zeros(len(self.present)))
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

    def _start(self) -> _Point:
        alpha = np.full(len(self.point), 0.5)
        slope = self._transpose(self.K @ self._beta(alpha)) + self.cost
        size = max(float(np.abs(slope).max()), float(np.abs(self.cost).max()), 1e-300)
        bound = np.full_like(alpha, size)
        return _Point(alpha, bound, bound, np.zeros(len(self.present)))

    def _step(self, p: _Point) -> _Point | None:
        beta, rest = self._beta(p.alpha), 1.0 - p.alpha
        f = self.K @ beta + self.E @ p.b
        dual = self._transpose(f) + self.cost - p.z + p.v
        theta = p.z / p.alpha + p.v / rest
        H = np.bincount(self.point, weights=self.scale**2 / theta, minlength=len(self.kept))
        try:
            solve = _bordered(self.K, H, self.E)
        except np.linalg.LinAlgError:  # rounding has the last word
            return None

        def direction(low: np.ndarray, high: np.ndarray) -> _Point:
            r = -dual + low / p.alpha - high / rest
            d_beta, d_b = solve(self._beta(r / theta), self.E.T @ beta)
            d_alpha = (r - self._transpose(self.K @ d_beta + self.E @ d_b)) / theta
            d_z = (low - p.z * d_alpha) / p.alpha
            d_v = (high + p.v * d_alpha) / rest
            return _Point(d_alpha, d_z, d_v, d_b)

        affine = direction(-p.alpha * p.z, -rest * p.v)
        mu = p.mu
        centre = (p.moved(p.reach(affine), affine).mu / mu) ** 3 * mu if mu > 0 else 0.0
        d = direction(
            centre - p.alpha * p.z - affine.alpha * affine.z,
            centre - rest * p.v + affine.alpha * affine.v,
        )
        moved = p.moved(p.reach(d), d)
        return moved if np.isfinite(moved.mu) else None

    def _beta(self, alpha: np.ndarray) -> np.ndarray:
        """β = Sα."""
        return np.bincount(self.point, weights=self.scale * alpha, minlength=len(self.kept))

    def _transpose(self, f: np.ndarray) -> np.ndarray:
        """Sᵀf."""
        return self.scale * f[self.point]


def _bordered(K: np.ndarray, H: np.ndarray, E: np.ndarray):
    """Factor once: (t, r) ↦ (d, δ) with (I + HK) d + HE δ = t and Eᵀd = −r."""
    s = np.sqrt(H)
    A = K * (s[:, None] * s)
    A.flat[:: len(A) + 1] += 1.0
    factor = scipy.linalg.cho_factor(A, lower=True, overwrite_a=True, check_finite=False)

    def shifted(V: np.ndarray) -> np.ndarray:
        """(I + HK)⁻¹ H V."""
        return s[:, None] * scipy.linalg.cho_solve(factor, s[:, None] * V, check_finite=False)

    X = shifted(E)
    border = E.T @ X

    def solve(t: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = t - shifted((K @ t)[:, None])[:, 0]
        if not E.shape[1]:
            return x, np.zeros(0)
        delta = scipy.linalg.lstsq(border, E.T @ x + r, cond=1e-14)[0]
        return x - X @ delta, delta

    return solve
