"""G = diag(w) − U Uᵀ + λM: what a quadratic loss and an intrinsic penalty ask of the values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class QuadraticForm:
    """⟨f, G f⟩ with G = diag(w) − U Uᵀ + λM, applied and never formed.

    Attributes
    ----------
    operator : PSDOperator
        M, by ``apply``.
    lam : float
        λ ≥ 0.
    w : array of shape (n,), optional
        Weights of the rows in the loss; None is 0.
    taken : array of shape (n, g), optional
        U: what free functions take off the loss, see :meth:`without`.
    """

    operator: Any
    lam: float = 0.0
    w: np.ndarray | None = None
    taken: np.ndarray | None = None

    def apply(self, F: np.ndarray) -> np.ndarray:
        """G F for F of shape (n, t), in the dtype of F."""
        out = self.lam * self.operator.apply(F) if self.lam else np.zeros_like(F)
        if self.w is not None:
            rows = np.flatnonzero(self.w)
            out[rows] += self.w[rows, None].astype(F.dtype) * F[rows]
            if self.taken is not None:
                U = self.taken[rows].astype(F.dtype)
                out[rows] -= U @ (U.T @ F[rows])
        return out

    def without(self, E: np.ndarray) -> QuadraticForm:
        """W − W E (EᵀWE)⁻¹ EᵀW in place of W: functions E b, (n, g), fit the loss first."""
        assert self.w is not None
        WE = self.w[:, None] * E
        values, vectors = np.linalg.eigh(E.T @ WE)
        kept = values > 1e-14 * max(values[-1], 0.0)
        return replace(self, taken=WE @ (vectors[:, kept] / np.sqrt(values[kept])))

    def near(self) -> tuple[np.ndarray | None, QuadraticForm]:
        """The order in which M is fast, and G over the rows in that order; None: as they are."""
        if not self.lam or self.operator.near is None:
            return None, self
        order, operator = self.operator.near
        w, taken = (None if part is None else part[order] for part in (self.w, self.taken))
        return order, QuadraticForm(operator, self.lam, w, taken)
