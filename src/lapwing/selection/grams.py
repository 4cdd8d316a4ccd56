"""K̃ among the labelled rows, for many ratios λ/γ_A."""

from __future__ import annotations

import numpy as np

from ..operators import Operator


class LabelledGrams:
    """K̂(ρ) = K (I + ρMK)⁻¹ among the labelled rows, so that K̃ = K̂(λ/γ_A)/γ_A.

    One factor of the order of the rows for each ρ > 0; every γ_A then costs nothing.

    Parameters
    ----------
    K : array of shape (n, n)
    operator : Operator
        M.
    rows : integer array of shape (l,)
    """

    def __init__(self, K: np.ndarray, operator: Operator, rows: np.ndarray):
        self.K = K
        self.rows = rows
        self._MK = np.asarray(operator.apply(K))
        self._unit = np.zeros((len(K), len(rows)))
        self._unit[rows, np.arange(len(rows))] = 1.0

    def at(self, ratio: float) -> np.ndarray:
        """K̂(ρ), (l, l)."""
        if ratio == 0:
            return self.K[np.ix_(self.rows, self.rows)]
        A = ratio * self._MK
        A.flat[:: len(A) + 1] += 1.0
        try:
            sections = np.linalg.solve(A, self._unit)
        except np.linalg.LinAlgError:  # a ratio beyond what rounding can hold
            sections = np.linalg.lstsq(A, self._unit, rcond=None)[0]
        found = self.K[self.rows] @ sections
        return 0.5 * (found + found.T)
