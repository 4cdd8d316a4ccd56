"""The interior-point method for convex quadratic programs over boxes and simplices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.linalg.lapack import dpotrf, dpotrs

TO_BOUNDARY = 0.995  # fraction of the way to the nearest bound that a step may go


@dataclass(frozen=True)
class Program:
    """min ½ βᵀKβ + cᵀx over β = Sx, x ≥ 0, Σ_{k in group g} x_k ≤ cap_g and Eᵀβ = 0.

    Groups of one variable each are a box. Groups of several need as many variables as points.

    Attributes
    ----------
    K : array of shape (P, P)
        Symmetric PSD; may be singular.
    point, scale : arrays of shape (m,)
        S: variable k adds scale_k x_k to β at point_k.
    cost : array of shape (m,)
    group : integer array of shape (m,)
    cap : array of shape (g,)
        Positive.
    E : array of shape (P, e)
    """

    K: np.ndarray
    point: np.ndarray
    scale: np.ndarray
    cost: np.ndarray
    group: np.ndarray
    cap: np.ndarray
    E: np.ndarray

    def beta(self, x: np.ndarray) -> np.ndarray:
        """β = Sx."""
        return np.bincount(self.point, weights=self.scale * x, minlength=len(self.K))

    def slope(self, f: np.ndarray) -> np.ndarray:
        """Sᵀf."""
        return self.scale * f[self.point]

    def filled(self, x: np.ndarray) -> np.ndarray:
        """Σ x over each group."""
        return np.bincount(self.group, weights=x, minlength=len(self.cap))

    @cached_property
    def is_box(self) -> bool:
        return len(self.cap) == len(self.cost)

    @cached_property
    def one_each(self) -> bool:
        """Whether S only scales: x_k belongs to point k alone."""
        return np.array_equal(self.point, np.arange(len(self.K)))

    @cached_property
    def member(self) -> sp.csr_array:
        """(g, m): adds the rows of a group up."""
        m = len(self.group)
        return sp.csr_array((np.ones(m), (self.group, np.arange(m))), shape=(len(self.cap), m))


@dataclass
class Point:
    """An iterate: x, z > 0 of x ≥ 0, s, ν > 0 of the caps, b of Eᵀβ = 0."""

    x: np.ndarray
    z: np.ndarray
    s: np.ndarray
    nu: np.ndarray
    b: np.ndarray

    @property
    def mu(self) -> float:
        """Mean complementarity: zero at the solution."""
        return float(self.x @ self.z + self.s @ self.nu) / (len(self.x) + len(self.s))

    def moved(self, step: float, d: Point) -> Point:
        return Point(*(getattr(self, f.name) + step * getattr(d, f.name) for f in fields(self)))

    def reach(self, d: Point) -> float:
        """The longest step ≤ 1 along d that keeps every sign."""
        limit = 1.0 / TO_BOUNDARY
        for v, dv in ((self.x, d.x), (self.z, d.z), (self.s, d.s), (self.nu, d.nu)):
            falling = dv < 0
            limit = min(limit, float(np.min(-v[falling] / dv[falling], initial=np.inf)))
        return TO_BOUNDARY * limit

    @property
    def inside(self) -> bool:
        """False for not-a-number too."""
        return all((v > 0).all() for v in (self.x, self.z, self.s, self.nu))


def iterate(
    program: Program,
    point: Point,
    judge: Callable[[Point, int], float],
    goal: float,
    max_iter: int = 100,
) -> int:
    """Step until ``judge(point, n_iter)``, a gap, is within the goal; the number of steps.

    It also ends at ``max_iter``, after eight steps without a smaller gap, and where rounding
    leaves no step.

    References
    ----------
    Mehrotra 1992, *On the implementation of a primal–dual interior point method*.
    """
    smallest, since, n_iter = np.inf, 0, 0
    while n_iter < max_iter and since < 8 and not smallest <= goal:
        following = _step(program, point)
        if following is None:
            break
        point, n_iter = following, n_iter + 1
        gap = judge(point, n_iter)
        since = 0 if gap < smallest else since + 1
        smallest = min(smallest, gap)
    return n_iter


def _step(program: Program, p: Point) -> Point | None:
    """The next point; None where rounding has the last word."""
    try:
        moved = _moved(program, p)
    except np.linalg.LinAlgError:
        return None
    return moved if moved.inside else None


def _moved(program: Program, p: Point) -> Point:
    """Predictor, corrector, and a step that stays inside."""
    newton = _Newton(program, p)
    low, high, mu = p.x * p.z, p.s * p.nu, p.mu
    affine = newton.direction(-low, -high)
    center = (p.moved(p.reach(affine), affine).mu / mu) ** 3 * mu if mu > 0 else 0.0
    d = newton.direction(center - low - affine.x * affine.z, center - high - affine.s * affine.nu)
    if p.reach(d) < 0.1:  # of Newton's step: once more, towards the center
        d = newton.direction(0.5 * mu - low, 0.5 * mu - high)
    return p.moved(p.reach(d), d)


class _Newton:
    """K + S⁻ᵀDS⁻¹ with D = diag(z/x) + Gᵀdiag(ν/s)G, through I + RᵀKR where SD⁻¹Sᵀ = RRᵀ.

    In each group D⁻¹ = diag(q) − qqᵀ/(σ + Σq), q = x/z and σ = s/ν: nothing grows where a bound
    is met, and every eigenvalue of I + RᵀKR is at least 1.
    """

    def __init__(self, program: Program, p: Point):
        self.program, self.p = program, p
        K, E = program.K, program.E
        f = K @ program.beta(p.x) + E @ p.b
        self.dual = program.slope(f) + program.cost - p.z + p.nu[program.group]
        q, sigma = p.x / p.z, p.s / p.nu
        if program.is_box:
            self.h = q * sigma[program.group] / (q + sigma[program.group])
            at_points = np.bincount(program.point, program.scale**2 * self.h, minlength=len(K))
            self.root, self.v, self.kappa = np.sqrt(at_points), None, np.zeros(0)
        else:
            total = program.filled(q)
            self.v = np.sqrt(q)
            self.root = program.scale * self.v
            self.kappa = (1.0 - np.sqrt(sigma / (sigma + total))) / total
        A = self._both_sides(K)
        A.flat[:: len(A) + 1] += 1.0
        # LAPACK itself: small programs are solved by thousands, and scipy's checks take as long
        self.factor, failed = dpotrf(A, lower=1, clean=0)
        if failed:
            raise np.linalg.LinAlgError("I + RᵀKR is not positive to rounding")
        self.X = self._shifted(E)
        self.border = E.T @ self.X

    def _coupled(self, W: np.ndarray) -> np.ndarray:
        """(I − κvvᵀ) W in each group."""
        if self.v is None:
            return W
        sums = self.program.member @ (self.v[:, None] * W)
        return W - self.v[:, None] * (self.kappa[:, None] * sums)[self.program.group]

    def _both_sides(self, K: np.ndarray) -> np.ndarray:
        """RᵀKR."""
        A = K * (self.root[:, None] * self.root)
        if self.v is not None:
            member, group, v = self.program.member, self.program.group, self.v
            Y = member @ (v[:, None] * A)
            Y -= 0.5 * ((member @ (v[:, None] * Y.T)).T * self.kappa)[:, group] * v
            product = Y[group]
            product *= (v * self.kappa[group])[:, None]
            A -= product
            A -= product.T
        return A

    def _rooted(self, V: np.ndarray) -> np.ndarray:
        """RᵀV."""
        return self._coupled(self.root[:, None] * V)

    def _shifted(self, V: np.ndarray) -> np.ndarray:
        """(I + RRᵀK)⁻¹RRᵀ V."""
        inner = self._rooted(V)
        if V.shape[1]:
            inner = dpotrs(self.factor, inner, lower=1)[0]
        return self.root[:, None] * self._coupled(inner)

    def direction(self, low: np.ndarray, high: np.ndarray) -> Point:
        """d with z∘dx + x∘dz = low and ν∘ds + s∘dν = high; what is feasible stays so."""
        program, p = self.program, self.p
        r = -self.dual + low / p.x - (high / p.s)[program.group]
        # SD⁻¹r = RRᵀρ: in this form nothing cancels where bounds are met
        if program.one_each:
            rho = r / program.scale
        else:  # a point without variables has β = 0
            rho = program.beta(self.h * r) / np.maximum(self.root**2, 1e-300)
        free = self._shifted(rho[:, None])[:, 0]
        d_b, d_beta = np.zeros(program.E.shape[1]), free
        if len(d_b):
            rhs = program.E.T @ (free + program.beta(p.x))
            if not (np.isfinite(self.border).all() and np.isfinite(rhs).all()):
                raise np.linalg.LinAlgError("a variable at its bound, to rounding")
            d_b = scipy.linalg.lstsq(self.border, rhs, cond=1e-14)[0]
            d_beta = free - self.X @ d_b
        if program.one_each:
            dx = d_beta / program.scale
        else:
            dx = self.h * (r - program.slope(program.K @ d_beta + program.E @ d_b))
        ds = -program.filled(dx)
        return Point(dx, (low - p.z * dx) / p.x, ds, (high - p.nu * ds) / p.s, d_b)
