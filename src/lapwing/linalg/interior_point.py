"""The interior-point method for convex quadratic programs over boxes and simplices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.linalg.lapack import dpotrf, dpotrs


@dataclass(frozen=True)
class Program:
    """min ½ xᵀHx + cᵀx over x ≥ 0, Σ_{k in group g} x_k ≤ cap_g and Eᵀx = 0.

    With one variable per group the constraints are a box.

    Attributes
    ----------
    H : array of shape (m, m)
        Symmetric PSD, possibly singular.
    cost : array of shape (m,)
    group : integer array of shape (m,)
    cap : array of shape (g,)
        Positive.
    E : array of shape (m, e)
    """

    H: np.ndarray
    cost: np.ndarray
    group: np.ndarray
    cap: np.ndarray
    E: np.ndarray

    def filled(self, x: np.ndarray) -> np.ndarray:
        """Σ x over each group, (g,)."""
        return np.bincount(self.group, weights=x, minlength=len(self.cap))

    @cached_property
    def is_box(self) -> bool:
        return len(self.cap) == len(self.cost)

    @cached_property
    def member(self) -> sp.csr_array:
        """The (g, m) matrix that sums the rows of each group."""
        m = len(self.group)
        return sp.csr_array((np.ones(m), (self.group, np.arange(m))), shape=(len(self.cap), m))


@dataclass
class Point:
    """An iterate: x and z > 0 of x ≥ 0, s and ν > 0 of the caps, b of Eᵀx = 0."""

    x: np.ndarray
    z: np.ndarray
    s: np.ndarray
    nu: np.ndarray
    b: np.ndarray

    @property
    def mu(self) -> float:
        """The mean complementarity, which is zero at the solution."""
        return float(self.x @ self.z + self.s @ self.nu) / (len(self.x) + len(self.s))

    def moved(self, step: float, d: Point) -> Point:
        return Point(*(getattr(self, f.name) + step * getattr(d, f.name) for f in fields(self)))

    def reach(self, d: Point, share: float = 0.995) -> float:
        """The longest step ≤ 1 along d that keeps all signs: ``share`` of the way to the bounds."""
        limit = 1.0 / share
        for v, dv in ((self.x, d.x), (self.z, d.z), (self.s, d.s), (self.nu, d.nu)):
            falling = dv < 0
            limit = min(limit, float(np.min(-v[falling] / dv[falling], initial=np.inf)))
        return share * limit


def iterate(
    program: Program,
    point: Point,
    judge: Callable[[Point, int], tuple[float, Any]],
    goal: float,
    max_iter: int = 100,
) -> tuple[Any, int]:
    """Step until the gap is at most ``goal``; returns the best point and the number of steps.

    ``judge(point, n_iter)`` returns the gap of a point, never NaN, and the object that the caller
    wants for it. The iteration also ends at ``max_iter``, after eight steps without a smaller gap,
    and where rounding leaves no step.

    References
    ----------
    Mehrotra 1992, *On the implementation of a primal–dual interior point method*.
    """
    (smallest, best), since, n_iter = judge(point, 0), 0, 0
    while n_iter < max_iter and since < 8 and not smallest <= goal:
        try:
            point = _moved(program, point)
        except np.linalg.LinAlgError:  # rounding allows no further step
            break
        n_iter, since = n_iter + 1, since + 1
        gap, found = judge(point, n_iter)
        if gap < smallest:
            smallest, best, since = gap, found, 0
    return best, n_iter


def _moved(program: Program, p: Point) -> Point:
    """One step: predictor, corrector, and a length that stays inside."""
    newton = _Newton(program, p)
    low, high, mu = p.x * p.z, p.s * p.nu, p.mu
    affine = newton.direction(-low, -high)
    center = (p.moved(p.reach(affine), affine).mu / mu) ** 3 * mu if mu > 0 else 0.0
    d = newton.direction(center - low - affine.x * affine.z, center - high - affine.s * affine.nu)
    if p.reach(d) < 0.1:  # a short step: replaced by one towards the center
        d = newton.direction(0.5 * mu - low, 0.5 * mu - high)
    moved = p.moved(p.reach(d), d)
    if not all((v > 0).all() for v in (moved.x, moved.z, moved.s, moved.nu)):  # or not a number
        raise np.linalg.LinAlgError("a step that leaves the interior")
    return moved


class _Newton:
    """(H + D)⁻¹ with D = diag(z/x) + Gᵀdiag(ν/s)G, through I + RᵀHR where D⁻¹ = RRᵀ.

    In each group D⁻¹ = diag(q) − qqᵀ/(σ + Σq), with q = x/z and σ = s/ν. No number grows where a
    bound is met, and every eigenvalue of I + RᵀHR is at least 1.
    """

    def __init__(self, program: Program, p: Point):
        self.program, self.p = program, p
        H, E = program.H, program.E
        self.dual = H @ p.x + E @ p.b + program.cost - p.z + p.nu[program.group]
        q, sigma = p.x / p.z, p.s / p.nu
        if program.is_box:  # as below, without a difference that cancels at a cap
            own = sigma[program.group]
            self.v, self.kappa = np.sqrt(q * own / (q + own)), np.zeros(len(sigma))
        else:
            total = program.filled(q)
            self.v = np.sqrt(q)
            self.kappa = (1.0 - np.sqrt(sigma / (sigma + total))) / total
        A = self._both_sides(H)
        A.flat[:: len(A) + 1] += 1.0
        # LAPACK directly: scipy's checks take as long as one of thousands of small programs
        self.factor, failed = dpotrf(A, lower=1, clean=0)
        if failed:
            raise np.linalg.LinAlgError("I + RᵀHR is not positive to rounding")
        self.X = self.solve(E)
        self.border = E.T @ self.X

    def _coupled(self, W: np.ndarray) -> np.ndarray:
        """(I − κvvᵀ) W in each group."""
        if self.program.is_box:
            return W
        sums = self.program.member @ (self.v[:, None] * W)
        return W - self.v[:, None] * (self.kappa[:, None] * sums)[self.program.group]

    def _both_sides(self, H: np.ndarray) -> np.ndarray:
        """RᵀHR."""
        A = H * (self.v[:, None] * self.v)
        if not self.program.is_box:
            member, group, v = self.program.member, self.program.group, self.v
            Y = member @ (v[:, None] * A)
            Y -= 0.5 * ((member @ (v[:, None] * Y.T)).T * self.kappa)[:, group] * v
            product = Y[group]
            product *= (v * self.kappa[group])[:, None]
            A -= product
            A -= product.T
        return A

    def solve(self, V: np.ndarray) -> np.ndarray:
        """(H + D)⁻¹ V = R(I + RᵀHR)⁻¹RᵀV."""
        inner = self._coupled(self.v[:, None] * V)
        if V.shape[1]:
            inner = dpotrs(self.factor, inner, lower=1)[0]
        return self.v[:, None] * self._coupled(inner)

    def direction(self, low: np.ndarray, high: np.ndarray) -> Point:
        """d with z∘dx + x∘dz = low and ν∘ds + s∘dν = high. A feasible point stays feasible."""
        program, p = self.program, self.p
        r = -self.dual + low / p.x - (high / p.s)[program.group]
        dx, d_b = self.solve(r[:, None])[:, 0], np.zeros(program.E.shape[1])
        if len(d_b):
            rhs = program.E.T @ (dx + p.x)
            if not (np.isfinite(self.border).all() and np.isfinite(rhs).all()):
                raise np.linalg.LinAlgError("a variable at its bound, to rounding")
            d_b = scipy.linalg.lstsq(self.border, rhs, cond=1e-14)[0]
            dx = dx - self.X @ d_b
        ds = -program.filled(dx)
        return Point(dx, (low - p.z * dx) / p.x, ds, (high - p.nu * ds) / p.s, d_b)
