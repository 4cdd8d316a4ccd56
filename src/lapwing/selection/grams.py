"""K̃ among the labeled rows, for many ratios λ/γ_A."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..linalg.columns import units
from ..linalg.factor import LU
from ..operators import Operator

POLES, STEPS = 3, 1
"""Ratios at which a factor is computed, and solves with each."""

CUT = 1e-10
"""Directions of the small space that rounding cannot tell apart, relative to the largest."""


class LabeledGrams:
    """K̂(ρ) = K (I + ρMK)⁻¹ among the labeled rows, so that K̃ = K̂(λ/γ_A)/γ_A.

    I + ρMK is self-adjoint in the metric of K. With E the unit vectors of the labeled rows,
    K̂(ρ) = EᵀK (I + ρMK)⁻¹E is found by Galerkin's method in the rational Krylov space V of
    E, (I + ρ_jMK)⁻¹E, (I + ρ_jMK)⁻²E over three poles ρ_j: where VᵀKV = I and VᵀKMKV = diag(θ),
    K̂(ρ) = P diag(1/(1 + ρθ)) Pᵀ with P = EᵀKV. Three factors in float32, whatever the number of
    ratios; the space may be inexact, the projection on it is not, and its error is of second order:
    below 1e-3 of the largest entry over four powers of ten of ρ. Where there are fewer ratios than
    that, or so many labels that V is half of everything, each ratio has a factor of its own.

    Parameters
    ----------
    K : array of shape (n, n)
    operator : Operator
        M.
    rows : integer array of shape (l,)
    ratios : sequence of float
        Those that will be asked for.
    others : integer array of shape (m,), optional
        Rows whose values beside the labeled ones are asked for too.
    """

    def __init__(
        self,
        K: np.ndarray,
        operator: Operator,
        rows: np.ndarray,
        ratios: Sequence[float],
        others: Sequence[int] | np.ndarray = (),
    ):
        self.K = K
        self.rows = rows
        self._seen = np.concatenate([rows, np.asarray(others, dtype=int)])
        self._unit = units(rows, len(K))
        wanted = sorted({ratio for ratio in ratios if ratio > 0})
        columns = (1 + POLES * STEPS) * len(rows)
        self._small = None
        small = len(wanted) > POLES and 2 * columns <= len(K)
        self._MK = np.asarray(operator.apply(K.astype(np.float32) if small else K))
        if small:
            self._small = self._projected(operator, _between(wanted[0], wanted[-1]))
            if self._small is None:
                self._MK = np.asarray(operator.apply(K))

    def at(self, ratio: float) -> np.ndarray:
        """K̂(ρ), (l, l)."""
        return self.sections(ratio)[0]

    def sections(self, ratio: float) -> tuple[np.ndarray, np.ndarray]:
        """K̂(ρ) among the labeled rows, (l, l), and between the others and them, (m, l)."""
        l = len(self.rows)
        found = self._sections(ratio)
        return 0.5 * (found[:l] + found[:l].T), found[l:]

    def _sections(self, ratio: float) -> np.ndarray:
        if ratio == 0:
            return self.K[np.ix_(self._seen, self.rows)]
        if self._small is not None:
            P, theta = self._small
            return (P / (1.0 + ratio * theta)) @ P[: len(self.rows)].T
        A = self._system(ratio)
        try:
            sections = np.linalg.solve(A, self._unit)
        except np.linalg.LinAlgError:  # a ratio beyond what rounding can hold
            sections = np.linalg.lstsq(A, self._unit, rcond=None)[0]
        return self.K[self._seen] @ sections

    def _system(self, ratio: float, dtype=np.float64) -> np.ndarray:
        A = np.multiply(self._MK, ratio, dtype=dtype, casting="same_kind")
        A.flat[:: len(A) + 1] += 1.0
        return A

    def _projected(self, operator: Operator, poles) -> tuple[np.ndarray, np.ndarray] | None:
        """P and θ; None where a pole is beyond what float32 can hold."""
        basis = [self._unit]
        for pole in poles:
            factor, last = LU(self._system(pole, np.float32)), self._unit
            for _ in range(STEPS):
                last = factor.solve(last)
                last /= np.sqrt((last**2).sum(axis=0)) + np.finfo(float).tiny
                basis.append(last)
        V = np.hstack(basis)
        if not np.isfinite(V).all():
            return None
        KV = self.K @ V
        values, U = np.linalg.eigh(V.T @ KV)
        kept = values > CUT * values[-1]
        KV = KV @ (U[:, kept] / np.sqrt(values[kept]))
        theta, Q = np.linalg.eigh(KV.T @ operator.apply(KV))
        return KV[self._seen] @ Q, np.maximum(theta, 0.0)


def _between(low: float, high: float) -> np.ndarray:
    """Poles in the middle of equal shares of the logarithmic scale."""
    return low * (high / low) ** ((2 * np.arange(POLES) + 1) / (2 * POLES))
