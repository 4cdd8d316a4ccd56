"""K̃ at the labeled rows for many ratios λ/γ_A, by Galerkin's method in one subspace."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..linalg.factor import LU
from ..linalg.panels import unit_columns
from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator
from .exact import Exact

POLES = 3
"""The number of ratios at which a factor is computed."""

CUT = 1e-10
"""Directions of the subspace below this size, relative to the largest, are rounding."""


class RatioSections:
    """K̂(ρ) = K (I + ρMK)⁻¹ at the labeled rows, so that K̃ = K̂(λ/γ_A)/γ_A.

    I + ρMK is self-adjoint in the metric of K. Let E be the unit vectors of the labeled rows, and V
    a basis of the rational Krylov space of E and (I + ρ_jMK)⁻¹E over three poles ρ_j. Galerkin's
    method in this space gives, with VᵀKV = I and VᵀKMKV = diag(θ),

        K̂(ρ) = EᵀK (I + ρMK)⁻¹E ≈ P diag(1/(1 + ρθ)) Pᵀ,    P = EᵀKV.

    This takes three factors in float32 for any number of ratios. Errors in V enter K̂ in second
    order only: they are below 1e-3 of the largest entry over four powers of ten of ρ. Each ratio
    gets a system of its own where there are no more ratios than poles, or where the labels are so
    many that V would span half of the space.

    Parameters
    ----------
    space : Exact
    operator : Operator
        M.
    rows : integer array of shape (l,)
        The labeled rows.
    ratios : sequence of float
        The ratios ρ that :meth:`sections` will be called with.
    others : integer array of shape (m,), optional
        Other rows, whose K̂ with the labeled rows is computed too.
    """

    def __init__(
        self,
        space: Exact,
        operator: Operator,
        rows: np.ndarray,
        ratios: Sequence[float],
        others: Sequence[int] | np.ndarray = (),
    ):
        self.space, self.operator, self.rows = space, operator, rows
        self._seen = np.concatenate([rows, np.asarray(others, dtype=int)])
        wanted = sorted({ratio for ratio in ratios if ratio > 0})
        shared = len(wanted) > POLES and 2 * (1 + POLES) * len(rows) <= space.n_points
        self._small = self._projected(wanted[0], wanted[-1]) if shared else None

    def sections(self, ratio: float) -> tuple[np.ndarray, np.ndarray]:
        """K̂(ρ) among the labeled rows, (l, l), and between the others and them, (m, l)."""
        l, K = len(self.rows), self.space.gram
        if ratio == 0:
            found = K[np.ix_(self._seen, self.rows)]
        elif self._small:
            P, theta = self._small
            found = (P / (1.0 + ratio * theta)) @ P[:l].T
        else:
            system = self.space.system(1.0, QuadraticForm(self.operator, ratio))
            found = K[self._seen] @ system.sections(self.rows).coef
        return 0.5 * (found[:l] + found[:l].T), found[l:]

    def _projected(self, low: float, high: float) -> tuple[np.ndarray, np.ndarray] | None:
        """P and θ; None where a pole is beyond float32.

        The poles are the middles of equal parts of the logarithmic scale.
        """
        poles = low * (high / low) ** ((2 * np.arange(POLES) + 1) / (2 * POLES))
        K, unit = self.space.gram, unit_columns(self.rows, self.space.n_points)
        MK, basis = np.asarray(self.operator.apply(K.astype(np.float32))), [unit]
        for pole in poles:
            A = np.multiply(MK, pole, dtype=np.float32, casting="same_kind")
            A.flat[:: len(A) + 1] += 1.0
            section = LU(A).solve(unit)
            basis.append(section / (np.sqrt((section**2).sum(axis=0)) + np.finfo(float).tiny))
        V = np.hstack(basis)
        if not np.isfinite(V).all():
            return None
        KV = K @ V
        values, U = np.linalg.eigh(V.T @ KV)
        kept = values > CUT * values[-1]
        KV = KV @ (U[:, kept] / np.sqrt(values[kept]))
        theta, Q = np.linalg.eigh(KV.T @ self.operator.apply(KV))
        return KV[self._seen] @ Q, np.maximum(theta, 0.0)
