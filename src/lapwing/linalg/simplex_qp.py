"""A certified solver for the small quadratic programs of cutting planes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_factor, cho_solve

MAX_STEPS = 100
TO_BOUNDARY = 0.995
STANDSTILL = 8  # steps without a smaller gap
SHORT = 0.1  # a step below this share of Newton's is taken again towards the centre


@dataclass(frozen=True)
class QPResult:
    """A feasible x, its value bᵀx − ½ xᵀHx, and a bound on what is missing to the maximum."""

    x: np.ndarray
    value: float
    gap: float
    n_iter: int


def maximize_on_simplices(
    H: np.ndarray, b: np.ndarray, group: np.ndarray, cap: np.ndarray, tol: float = 1e-10
) -> QPResult:
    """max bᵀx − ½ xᵀHx subject to x ≥ 0 and Σ_{c in group g} x_c ≤ cap_g.

    A primal–dual interior point method with Mehrotra's corrector. With s = cap − A x, A the
    membership of groups, and multipliers ν of the caps and z = Hx − b + Aᵀν of x ≥ 0, there is
    always a strictly feasible start for x *and* (ν, z). The returned gap is computed afresh from
    x alone, bound minus value, so it is a certificate whatever the conditioning of H.

    Parameters
    ----------
    H : array of shape (m, m)
        Symmetric PSD; may be singular.
    b : array of shape (m,)
    group : integer array of shape (m,)
        The group of each variable, in 0 … g−1.
    cap : array of shape (g,)
        Positive.
    tol : float
        Bound on the gap relative to the largest |bᵀx| a feasible x can have.

    References
    ----------
    Mehrotra 1992, *On the implementation of a primal-dual interior point method*.
    """
    if len(b) == 0:
        return QPResult(np.zeros(0), 0.0, 0.0, 0)
    used, group = np.unique(group, return_inverse=True)
    cap = cap[used]
    g = len(cap)
    goal = tol * max(float(cap @ _largest(np.abs(b), group, g)), 1e-300)
    member = sp.csr_array((np.ones(len(b)), (group, np.arange(len(b)))), shape=(g, len(b)))
    state = _State.feasible(H, b, group, cap, member)
    best = _certify(state.x, H, b, group, cap, 0)
    for n_iter in range(1, MAX_STEPS + 1):
        following = state.advance() if best.gap > goal else None
        # The corrector may raise the gap in early steps; rounding shows as a long standstill.
        if following is None or n_iter > best.n_iter + STANDSTILL:
            break
        state = following
        found = _certify(state.x, H, b, group, cap, n_iter)
        best = found if found.gap < best.gap else best
    return best


def _certify(x, H, b, group, cap, n_iter: int) -> QPResult:
    """x made feasible, and its gap to the dual value at the best multipliers for this x."""
    filled = np.bincount(group, weights=x, minlength=len(cap))
    x = x * np.minimum(1.0, cap / np.maximum(filled, 1e-300))[group]
    Hx = H @ x
    nu = np.maximum(_largest(b - Hx, group, len(cap)), 0.0)
    value = float(b @ x - 0.5 * x @ Hx)
    return QPResult(x, value, max(float(cap @ nu + x @ Hx - b @ x), 0.0), n_iter)


@dataclass(frozen=True)
class _State:
    """An iterate, strictly inside all constraints."""

    H: np.ndarray
    b: np.ndarray
    group: np.ndarray
    cap: np.ndarray
    member: sp.csr_array  # A, (g, m): adds the variables of a group up
    x: np.ndarray
    s: np.ndarray
    nu: np.ndarray
    z: np.ndarray

    @classmethod
    def feasible(cls, H, b, group, cap, member) -> _State:
        """Each cap shared evenly among its variables and the slack; ν so large that z > 0."""
        g = len(cap)
        share = cap / (np.bincount(group, minlength=g) + 1.0)
        x = share[group]
        lack = b - H @ x
        nu = np.maximum(_largest(lack, group, g), 0.0)
        nu = nu + np.maximum(nu, 1e-3 * max(float(np.max(np.abs(lack))), 1e-300))
        return cls(H, b, group, cap, member, x, share.copy(), nu, nu[group] - lack)

    @property
    def complementarity(self) -> float:
        """xᵀz + sᵀν: the duality gap, up to what rounding adds to the recurrences."""
        return float(self.x @ self.z + self.s @ self.nu)

    def advance(self) -> _State | None:
        """Predictor, corrector, and a step that stays inside; None where Newton's matrix fails."""
        newton = _Newton.factor(self)
        if newton is None:
            return None
        mu = self.complementarity / (len(self.x) + len(self.s))
        dx, ds, dnu, dz = newton.direction(self.x * self.z, self.s * self.nu)
        p, d = _reach(self.x, dx, self.s, ds), _reach(self.z, dz, self.nu, dnu)
        ahead = (self.x + p * dx) @ (self.z + d * dz) + (self.s + p * ds) @ (self.nu + d * dnu)
        target = mu * (max(ahead, 0.0) / self.complementarity) ** 3
        rx, rs = self.x * self.z, self.s * self.nu
        corrected = newton.direction(rx + dx * dz - target, rs + ds * dnu - target)
        if self._length(*corrected) < SHORT:
            corrected = newton.direction(rx - 0.5 * mu, rs - 0.5 * mu)
        return self._moved(*corrected)

    def _length(self, dx, ds, dnu, dz) -> float:
        """One step length for both sides, since H couples x into z = Hx − b + Aᵀν."""
        step = min(_reach(self.x, dx, self.s, ds), _reach(self.z, dz, self.nu, dnu))
        return min(1.0, TO_BOUNDARY * step)

    def _moved(self, dx, ds, dnu, dz) -> _State | None:
        t = self._length(dx, ds, dnu, dz)
        x, s, nu, z = self.x + t * dx, self.s + t * ds, self.nu + t * dnu, self.z + t * dz
        inside = min(x.min(), s.min(), nu.min(), z.min()) > 0  # False for not-a-number too
        return replace(self, x=x, s=s, nu=nu, z=z) if inside else None


@dataclass(frozen=True)
class _Newton:
    """The factored system of one step: N = H + diag(z/x), and its Schur complement in ν."""

    state: _State
    N: tuple
    NA: np.ndarray
    schur: tuple

    @classmethod
    def factor(cls, state: _State) -> _Newton | None:
        m, g = len(state.x), len(state.s)
        N = state.H.copy()
        N.flat[:: m + 1] += state.z / state.x
        A = state.member.T.toarray()
        try:
            factor = cho_factor(N, lower=True, overwrite_a=True, check_finite=False)
            NA = cho_solve(factor, A, check_finite=False)
            S = state.member @ NA
            S.flat[:: g + 1] += state.s / state.nu
            return cls(state, factor, NA, cho_factor(S, lower=True, check_finite=False))
        except np.linalg.LinAlgError:
            return None

    def direction(self, rx, rs):
        """dx, ds, dν, dz with z∘dx + x∘dz = −rx, ν∘ds + s∘dν = −rs, feasibility kept."""
        st = self.state
        u = cho_solve(self.N, -rx / st.x, check_finite=False)
        rhs = st.member @ u - rs / st.nu
        dnu = cho_solve(self.schur, rhs, check_finite=False)
        dx = u - self.NA @ dnu
        ds = -(st.member @ dx)
        dz = (-rx - st.z * dx) / st.x
        return dx, ds, dnu, dz


def _reach(a, da, c, dc) -> float:
    """The largest t ≤ 1/TO_BOUNDARY with a + t da ≥ 0 and c + t dc ≥ 0."""
    limit = 1.0 / TO_BOUNDARY
    for v, dv in ((a, da), (c, dc)):
        falling = dv < 0
        if falling.any():
            limit = min(limit, float(np.min(-v[falling] / dv[falling])))
    return limit


def _largest(values: np.ndarray, group: np.ndarray, g: int) -> np.ndarray:
    out = np.full(g, -np.inf)
    np.maximum.at(out, group, values)
    return np.where(np.isfinite(out), out, 0.0)
