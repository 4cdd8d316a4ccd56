"""The small system of the labelled rows, diagonalised once for every shift and every label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg


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
        N = np.eye(len(K)) if E is None else scipy.linalg.null_space((root * E).T)
        values, U = np.linalg.eigh(A if E is None else N.T @ A @ N)
        jacobian = 0.5 * float(np.log(w).sum())
        return cls(root * (U if E is None else N @ U), np.maximum(values, 0.0), jacobian)

    def dual(self, Y: np.ndarray, gamma: float = 1.0) -> np.ndarray:
        """β at s = 1, (l, t): the coefficients of K̃/γ."""
        return self.Z @ ((self.Z.T @ Y) / (self.values / gamma + 1.0)[:, None])

    def residuals(self, Y: np.ndarray, shift: np.ndarray, gamma: float = 1.0) -> np.ndarray:
        """β_i(s_i)/(C(s_i)⁻¹)_ii, (l, t): y_i − f(x_i) of the fit without row i.

        NaN where the free functions need row i: nothing then tells their value there.
        """
        G = self.Z / (self.values / gamma + shift[:, None])
        held = (G * self.Z).sum(axis=1)
        seen = held > 1e-12 * (self.Z**2).sum(axis=1).max(initial=0.0)
        return G @ (self.Z.T @ Y) / np.where(seen, held, np.nan)[:, None]

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
