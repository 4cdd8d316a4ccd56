"""The small system of the labeled rows, diagonalized once for every shift and every label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

SHIFTS = 16
"""Different shifts up to which rows of equal ones are taken together."""


@dataclass(frozen=True)
class Spectrum:
    """β of C(s) = [K̃/γ + s W⁻¹, E; Eᵀ, 0] for all γ and s, from one eigendecomposition.

    With N an orthonormal basis of what W^{1/2}E leaves free, and NᵀW^{1/2}K̃W^{1/2}N = UΛUᵀ, the
    upper left block of C(s)⁻¹ is Z(Λ/γ + s)⁻¹Zᵀ, Z = W^{1/2}NU. Fits, leave-one-out residuals and
    the evidence for any number of γ's cost l² each after one l³.

    Attributes
    ----------
    Z : array of shape (l, m)
    values : array of shape (m,)
        Λ ≥ 0.
    jacobian : float
        ½ Σ log w_i: what whitening by W^{1/2} adds to a log density.
    """

    Z: np.ndarray
    values: np.ndarray
    jacobian: float

    @classmethod
    def of(cls, K: np.ndarray, w: np.ndarray, E: np.ndarray | None = None) -> Spectrum:
        """From K̃, (l, l), the weights w > 0, (l,), and the free functions E, (l, g)."""
        root = np.sqrt(w)[:, None]
        A = root * K * root.T
        jacobian = 0.5 * float(np.log(w).sum())
        if E is None:
            values, U = np.linalg.eigh(A)
        elif E.shape[1] == 1 and E.any():
            values, U, *_ = _eigh_beside(A, (root * E)[:, 0])
        else:
            N = scipy.linalg.null_space((root * E).T)
            values, U = np.linalg.eigh(N.T @ A @ N)
            U = N @ U
        return cls(root * U, np.maximum(values, 0.0), jacobian)

    @classmethod
    def with_and_without(cls, K: np.ndarray, w: np.ndarray) -> tuple[Spectrum, Bordered]:
        """With a free constant and without, from one eigendecomposition."""
        root = np.sqrt(w)
        values, U, e, a, b = _eigh_beside(root[:, None] * K * root, root)
        beside = cls(root[:, None] * U, np.maximum(values, 0.0), 0.5 * float(np.log(w).sum()))
        return beside, Bordered(beside, root * e, a, b)

    def duals(self, Y: np.ndarray, gammas: Sequence[float]) -> np.ndarray:
        """β at s = 1, (g, l, t): the coefficients of K̃/γ for each γ."""
        return self.applied(self.Z, self.Z.T @ Y, self.inverses(gammas, 1.0))

    def residuals(self, Y: np.ndarray, shift: np.ndarray, gamma: float = 1.0) -> np.ndarray:
        """β_i(s_i)/(C(s_i)⁻¹)_ii, (l, t): y_i − f(x_i) of the fit without row i.

        NaN where the free functions need row i: nothing then tells their value there.
        """
        return self.residuals_grid(Y, shift, [gamma])[0]

    def residuals_grid(
        self, Y: np.ndarray, shift: np.ndarray, gammas: Sequence[float]
    ) -> np.ndarray:
        """:meth:`residuals` for each γ, (g, l, t); rows of equal shift share their products."""
        squares, ZY = self.Z**2, self.Z.T @ Y
        least = 1e-12 * squares.sum(axis=1).max(initial=0.0)
        shifts, which = np.unique(shift, return_inverse=True)
        if len(shifts) > SHIFTS:
            return np.array([self._row_by_row(ZY, shift, gamma, least) for gamma in gammas])
        out = np.empty((len(gammas), *Y.shape))
        for s, value in enumerate(shifts):
            at = slice(None) if len(shifts) == 1 else which == s
            inverses = self.inverses(gammas, value)
            held = _above((squares[at] @ inverses).T, least)
            out[:, at] = self.applied(self.Z[at], ZY, inverses) / held[:, :, None]
        return out

    def amplified(self, w: np.ndarray, shift: float, gammas: Sequence[float]) -> np.ndarray:
        """Variance of :meth:`residuals` in that of the labels' noise, 1/w_i, on average, (g,).

        With D = (Λ/γ + s)⁻¹, w_i (ZD²Zᵀ)_ii/(ZDZᵀ)_ii² ≥ 1. Where as many functions are free as
        there are labels, one direction of the noise decides all residuals, and it may be small.
        """
        inverses, squares = self.inverses(gammas, shift), self.Z**2
        return _amplified(squares @ inverses**2, squares @ inverses, w)

    def _row_by_row(self, ZY, shift: np.ndarray, gamma: float, least: float) -> np.ndarray:
        """The same where each row has its own shift, (l, t)."""
        G = self.Z / (self.values / gamma + shift[:, None])
        return G @ ZY / _above((G * self.Z).sum(axis=1), least)[:, None]

    def inverses(self, gammas: Sequence[float], shift: float) -> np.ndarray:
        """1/(Λ/γ + s), (m, g)."""
        return 1.0 / (self.values[:, None] / np.asarray(gammas, dtype=float) + shift)

    @staticmethod
    def applied(Z: np.ndarray, ZY: np.ndarray, inverses: np.ndarray) -> np.ndarray:
        """Z diag(inverses) ZᵀY, (g, l, t), for all γ by one product."""
        (m, t), g = ZY.shape, inverses.shape[1]
        every = (inverses[:, :, None] * ZY[:, None, :]).reshape(m, g * t)
        return (Z @ every).reshape(len(Z), g, t).transpose(1, 0, 2)

    def block_residuals(
        self, y: np.ndarray, shift: np.ndarray, group: np.ndarray, gamma: float = 1.0
    ) -> np.ndarray:
        """The same where all entries of a group leave together, (P,); ``shift`` is one per entry.

        y − f on the group is [(C(s)⁻¹)_gg]⁻¹ β_g.
        """
        out, Zy = np.empty(len(y)), self.Z.T @ y
        for at in (np.flatnonzero(group == g) for g in np.unique(group)):
            G = self.Z[at] / (self.values / gamma + shift[at[0]])
            out[at] = np.linalg.solve(G @ self.Z[at].T, G @ Zy)
        return out

    def noise(self, Y: np.ndarray, gamma: float = 1.0) -> np.ndarray:
        """τ², (t,): the noise variance per unit of weight that makes the evidence largest."""
        return (self._explained(Y, gamma)).mean(axis=0)

    def log_evidence(
        self, Y: np.ndarray, gamma: float = 1.0, noise: np.ndarray | None = None
    ) -> np.ndarray:
        """log p(y) of each column under f ~ GP(0, τ²K̃/γ), y_i ~ N(f_i, τ²/w_i), (t,).

        Free functions are integrated out (restricted likelihood); τ² is :meth:`noise` unless given.
        """
        tau2 = self.noise(Y, gamma) if noise is None else np.asarray(noise, dtype=float)
        m, explained = len(self.values), self._explained(Y, gamma).sum(axis=0)
        spread = float(np.log1p(self.values / gamma).sum())
        return -0.5 * (m * np.log(2 * np.pi * tau2) + spread + explained / tau2) + self.jacobian

    def _explained(self, Y: np.ndarray, gamma: float) -> np.ndarray:
        return (self.Z.T @ Y) ** 2 / (self.values / gamma + 1.0)[:, None]


@dataclass(frozen=True)
class Bordered:
    """The same without free functions, from the spectrum beside one: C(s)⁻¹ and a rank-one term.

    In the basis (e, N), e along W^{1/2}E, W^{1/2}K̃W^{1/2} is [a, bᵀ; b, UΛUᵀ]. With
    D = (Λ/γ + s)⁻¹, C(s)⁻¹ = ZDZᵀ + zzᵀ/σ, z = W^{1/2}(e − NUD Uᵀb/γ) and
    σ = a/γ + s − bᵀUDUᵀb/γ², which is at least s.

    Attributes
    ----------
    beside : Spectrum
    e : array of shape (l,)
        W^{1/2}e.
    a : float
    b : array of shape (m,)
        Uᵀb.
    """

    beside: Spectrum
    e: np.ndarray
    a: float
    b: np.ndarray

    def duals(self, Y: np.ndarray, gammas: Sequence[float]) -> np.ndarray:
        """As :meth:`Spectrum.duals`."""
        z, sigma = self._direction(gammas, 1.0)
        return self.beside.duals(Y, gammas) + _rank_one(z, sigma, z, Y)

    def residuals_grid(self, Y, shift: np.ndarray, gammas: Sequence[float]) -> np.ndarray:
        """As :meth:`Spectrum.residuals_grid`."""
        squares, ZY = self.beside.Z**2, self.beside.Z.T @ Y
        least = 1e-12 * (squares.sum(axis=1) + self.e**2).max(initial=0.0)
        shifts, which = np.unique(shift, return_inverse=True)
        if len(shifts) > SHIFTS:
            return np.array([self._row_by_row(Y, ZY, shift, gamma, least) for gamma in gammas])
        out = np.empty((len(gammas), *Y.shape))
        for s, value in enumerate(shifts):
            at = slice(None) if len(shifts) == 1 else which == s
            inverses = self.beside.inverses(gammas, value)
            z, sigma = self._direction(gammas, value)
            held = _above((squares[at] @ inverses + z[at] ** 2 / sigma).T, least)
            found = self.beside.applied(self.beside.Z[at], ZY, inverses)
            out[:, at] = (found + _rank_one(z[at], sigma, z, Y)) / held[:, :, None]
        return out

    def amplified(self, w: np.ndarray, shift: float, gammas: Sequence[float]) -> np.ndarray:
        """As :meth:`Spectrum.amplified`."""
        beside, squares = self.beside, self.beside.Z**2
        inverses, (z, sigma) = beside.inverses(gammas, shift), self._direction(gammas, shift)
        pulled = inverses * self.b[:, None] / np.asarray(gammas, dtype=float)  # −ZᵀW⁻¹z
        turned = z / sigma
        twice = squares @ inverses**2 - 2.0 * turned * (beside.Z @ (inverses * pulled))
        twice += turned**2 * (1.0 + (pulled**2).sum(axis=0))
        once = squares @ inverses + turned * z
        return _amplified(twice, once, w)

    def _row_by_row(self, Y, ZY, shift: np.ndarray, gamma: float, least: float) -> np.ndarray:
        """The same where each row has its own shift, (l, t)."""
        Z, b = self.beside.Z, self.b / gamma
        inverses = 1.0 / (self.beside.values / gamma + shift[:, None])
        pulled = inverses * b
        sigma = np.maximum(self.a / gamma + shift - pulled @ b, shift)
        z = (self.e - (Z * pulled).sum(axis=1)) / sigma
        held = _above((Z**2 * inverses).sum(axis=1) + sigma * z**2, least)
        found = (Z * inverses) @ ZY + z[:, None] * (self.e @ Y - pulled @ ZY)
        return found / held[:, None]

    def _direction(self, gammas: Sequence[float], shift: float) -> tuple[np.ndarray, np.ndarray]:
        """z, (l, g), and σ, (g,)."""
        size = np.asarray(gammas, dtype=float)
        scaled = self.b[:, None] / size
        pulled = self.beside.inverses(gammas, shift) * scaled
        sigma = self.a / size + shift - (pulled * scaled).sum(axis=0)
        return self.e[:, None] - self.beside.Z @ pulled, np.maximum(sigma, shift)


def _rank_one(left: np.ndarray, sigma: np.ndarray, z: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """z (zᵀY)/σ of each column of z, (g, len(left), t)."""
    return (left / sigma).T[:, :, None] * (z.T @ Y)[:, None, :]


def _eigh_beside(A: np.ndarray, E: np.ndarray):
    """Λ, NU, e, a, Uᵀb: A is [a, bᵀ; b, UΛUᵀ] in the basis of e, along E, and N, all beside it.

    The basis is I − 2vvᵀ, a reflection: l² instead of l³ to change to it and back.
    """
    v = E / np.linalg.norm(E)
    sign = 1.0 if v[0] >= 0 else -1.0
    v[0] += sign
    v /= np.linalg.norm(v)
    p = A @ v
    p -= (v @ p) * v
    B = A - 2.0 * (np.outer(v, p) + np.outer(p, v))
    values, U = np.linalg.eigh(B[1:, 1:])
    lifted = -2.0 * np.outer(v, v[1:] @ U)
    lifted[1:] += U
    e = -2.0 * v[0] * v
    e[0] += 1.0
    return values, lifted, e, float(B[0, 0]), U.T @ B[1:, 0]


def _amplified(twice: np.ndarray, once: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The mean of w_i (C⁻¹W⁻¹C⁻¹)_ii/(C⁻¹)_ii² over the rows, (g,), from both diagonals, (l, g)."""
    ratio = np.divide(w[:, None] * twice, once**2, out=np.full_like(once, np.inf), where=once > 0)
    return ratio.mean(axis=0)


def _above(values: np.ndarray, least: float) -> np.ndarray:
    """The values, NaN where rounding has left nothing of them."""
    return np.where(values > least, values, np.nan)
