"""Losses with a kink and several unpenalised constants: an interior-point method for the dual."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..losses import EpsilonInsensitive, Hinge
from ..objective import Objective
from ..spaces.with_offsets import WithOffsets
from .base import Progress, Solution, Status

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


class BoxQP:
    """min_α ½ βᵀK̃β + kᵀα with β = Sα, 0 ≤ α ≤ 1, and Σ β = 0 within each group of points.

    The dual of Σ w V + γ_A βᵀK̃β over f = K̃β + b_group, divided by 2γ_A, with C = w/(2γ_A).
    Hinge: S = diag(yC), k = −C. ε-insensitive: two α per point, S = [C, −C],
    k = C(ε ∓ y). libsvm knows a single constant; here each output has its own. Mehrotra's
    predictor and corrector, one Cholesky factor of order P a step.

    Parameters
    ----------
    objective : Objective
        One column, over an exact space with or without offsets, M = 0.
    tol : float
        Bound on the relative duality gap.
    max_iter : int
    progress : callable

    References
    ----------
    MR eqs. 10–12 for one output; Mehrotra 1992, *On the implementation of a primal–dual
    interior point method*.
    """

    def __init__(self, objective: Objective, tol: float, max_iter: int, progress: Progress):
        self.objective, self.tol = objective, tol
        self.max_iter, self.progress = max_iter, progress
        space = objective.space
        if isinstance(space, WithOffsets):
            exact, self.group, self.n_groups = space.space, space.group, space.n_groups
        else:
            exact, self.group, self.n_groups = space, np.zeros(space.n_points, int), 0
        gram: np.ndarray = exact.gram  # type: ignore[attr-defined]
        self.kept = np.flatnonzero(~self._one_sided())
        self.K = gram[np.ix_(self.kept, self.kept)]
        # a group whose points have all left the problem has no constraint either
        self.present = np.unique(self.group[self.kept]) if self.n_groups else np.zeros(0, int)
        self.E = (self.group[self.kept][:, None] == self.present).astype(np.float64)
        self._variables()

    def _one_sided(self) -> np.ndarray:
        """Points whose group holds one class only: Σβ = 0 leaves them β = 0, b does the rest."""
        if not self.n_groups or not isinstance(self.objective.loss, Hinge):
            return np.zeros(len(self.group), dtype=bool)
        signs = np.sign(self.objective.y[:, 0])
        total = np.bincount(self.group, weights=signs, minlength=self.n_groups)
        return (np.abs(total) == np.bincount(self.group, minlength=self.n_groups))[self.group]

    def _variables(self) -> None:
        loss, y = self.objective.loss, self.objective.y[self.kept, 0]
        C = self.objective.w[self.kept, 0] / (2.0 * self.objective.gamma_A)
        points = np.arange(len(self.kept))
        if isinstance(loss, Hinge):
            self.point, self.scale, self.cost = points, y * C, -C
        elif isinstance(loss, EpsilonInsensitive):
            self.point = np.concatenate([points, points])
            self.scale = np.concatenate([C, -C])
            self.cost = np.concatenate([C * (loss.epsilon - y), C * (loss.epsilon + y)])
        else:
            raise TypeError(
                f"The interior-point solver knows Hinge and EpsilonInsensitive, not "
                f"{type(loss).__name__}; a smooth loss goes to Newton's method."
            )

    def solve(self) -> Solution:
        if not len(self.kept):
            coef = self._coef(np.zeros(0), np.zeros(0))
            return Solution(coef, Status.CONVERGED, 1, self.gap(coef))
        point, best, history = self._start(), None, [np.inf]
        while len(history) <= self.max_iter:
            point = self._step(point)
            coef = self._coef(self._beta(point.alpha), point.b)
            gap = self.gap(coef)
            if gap < min(history):
                best = coef
            history.append(gap)
            self.progress(len(history) - 1, gap)
            if gap <= self.tol or min(history[-STALLED_AFTER:]) > min(history):
                break
        smallest, n_iter = min(history), len(history) - 1
        status = Status.CONVERGED if smallest <= self.tol else Status.STALLED
        if status is Status.STALLED and n_iter >= self.max_iter:
            status = Status.MAX_ITER
        return Solution(coef if best is None else best, status, n_iter, smallest, history[1:])

    def _start(self) -> _Point:
        alpha = np.full(len(self.point), 0.5)
        slope = self._transpose(self.K @ self._beta(alpha)) + self.cost
        size = max(float(np.abs(slope).max()), float(np.abs(self.cost).max()), 1e-300)
        bound = np.full_like(alpha, size)
        return _Point(alpha, bound, bound, np.zeros(len(self.present)))

    def _step(self, p: _Point) -> _Point:
        beta, rest = self._beta(p.alpha), 1.0 - p.alpha
        f = self.K @ beta + self.E @ p.b
        dual = self._transpose(f) + self.cost - p.z + p.v
        theta = p.z / p.alpha + p.v / rest
        H = np.bincount(self.point, weights=self.scale**2 / theta)
        solve = _bordered(self.K, H, self.E)

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
        return p.moved(p.reach(d), d)

    def _beta(self, alpha: np.ndarray) -> np.ndarray:
        """β = Sα."""
        return np.bincount(self.point, weights=self.scale * alpha, minlength=len(self.kept))

    def _transpose(self, f: np.ndarray) -> np.ndarray:
        """Sᵀf."""
        return self.scale * f[self.point]

    def _coef(self, beta: np.ndarray, b: np.ndarray) -> np.ndarray:
        """β and the constants as coefficients of the objective's space, (P + groups, 1)."""
        o, n = self.objective, len(self.group)
        coef = np.zeros((n + self.n_groups, 1))
        coef[self.kept, 0] = beta
        if not self.n_groups:
            return coef
        coef[n + self.present, 0] = b
        f, y = o.space.element(coef).values[:, 0], o.y[:, 0]
        for j in np.setdiff1d(np.unique(self.group), self.present):
            sign, at = np.sign(y[self.group == j][0]), self.group == j
            coef[n + j, 0] = sign * np.max(1.0 - sign * f[at])
        return coef

    def gap(self, coef: np.ndarray) -> float:
        """(P − D)/max(P, P(0))."""
        o = self.objective
        primal, origin = (float(o.value(e)[0]) for e in (o.space.element(coef), o.start))
        return max(0.0, primal - self.dual_value(coef)) / (max(primal, origin) or 1.0)

    def dual_value(self, coef: np.ndarray) -> float:
        """D at the β among the coefficients: −Σ w V*(u) − γ_A βᵀK̃β with u = −2γ_A β/w."""
        o = self.objective
        beta, w, y = coef[self.kept, 0], o.w[self.kept, 0], o.y[self.kept, 0]
        u = o.loss.clip(y, -2.0 * o.gamma_A * beta / w)  # type: ignore[attr-defined]
        beta = -w * u / (2.0 * o.gamma_A)
        conjugate = w @ o.loss.conjugate(y, u)  # type: ignore[attr-defined]
        return float(-conjugate - o.gamma_A * beta @ self.K @ beta)


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
