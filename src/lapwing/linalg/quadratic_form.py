"""G = diag(w) − U Uᵀ + λM: what a quadratic loss and an intrinsic penalty ask of the values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
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

    @cached_property
    def rows(self) -> np.ndarray:
        """The rows with weights, (l,)."""
        return np.zeros(0, dtype=int) if self.w is None else np.flatnonzero(self.w)

    @cached_property
    def weights(self) -> np.ndarray:
        """w at these rows, (l,)."""
        return np.zeros(0) if self.w is None else self.w[self.rows]

    @cached_property
    def off(self) -> np.ndarray:
        """U at these rows, (l, g): it is zero at the others."""
        return np.zeros((len(self.rows), 0)) if self.taken is None else self.taken[self.rows]

    def apply(self, F: np.ndarray) -> np.ndarray:
        """G F for F of shape (n, t), in the dtype of F."""
        out = self.lam * self.operator.apply(F) if self.lam else np.zeros_like(F)
        if len(self.rows):
            at, U = F[self.rows], self.off.astype(F.dtype)
            out[self.rows] += self.weights[:, None].astype(F.dtype) * at - U @ (U.T @ at)
        return out

    def without(self, E: np.ndarray) -> QuadraticForm:
        """W − W E (EᵀWE)⁻¹ EᵀW in place of W: functions E b, (n, g), fit the loss first."""
        assert self.w is not None
        WE = self.w[:, None] * E
        values, vectors = np.linalg.eigh(E.T @ WE)
        kept = values > 1e-14 * max(values[-1], 0.0)
        return replace(self, taken=WE @ (vectors[:, kept] / np.sqrt(values[kept])))

    def parts(self) -> tuple[QuadraticForm, QuadraticForm]:
        """W − U Uᵀ and λM."""
        return replace(self, lam=0.0), replace(self, w=None, taken=None)

    def times(self, sigma: float) -> QuadraticForm:
        """σG."""
        w, taken = (
            None if part is None else by * part
            for part, by in ((self.w, sigma), (self.taken, np.sqrt(sigma)))
        )
        return QuadraticForm(self.operator, sigma * self.lam, w, taken)

    def near(self) -> tuple[np.ndarray | None, QuadraticForm]:
        """The order in which M is fast, and G over the rows in that order; None: as they are."""
        if not self.lam or self.operator.near is None:
            return None, self
        order, operator = self.operator.near
        w, taken = (None if part is None else part[order] for part in (self.w, self.taken))
        return order, QuadraticForm(operator, self.lam, w, taken)
