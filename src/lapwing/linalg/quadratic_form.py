"""G = diag(w) − U Uᵀ + λM: the quadratic form of a quadratic loss and an intrinsic penalty."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class QuadraticForm:
    """⟨f, G f⟩ with G = diag(w) − U Uᵀ + λM, applied and never formed.

    Attributes
    ----------
    operator : PSDOperator
        M, used through its method ``apply``.
    lam : float
        λ ≥ 0.
    w : array of shape (n,)
        Weights of the rows in the loss; empty without a loss.
    taken : array of shape (n, g)
        U, the part of the loss that free functions fit (:meth:`without`); empty without them.
    """

    operator: Any
    lam: float = 0.0
    w: np.ndarray = field(default_factory=lambda: np.zeros(0))
    taken: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    @cached_property
    def rows(self) -> np.ndarray:
        """The rows with a weight, (l,)."""
        return np.flatnonzero(self.w)

    @cached_property
    def weights(self) -> np.ndarray:
        """w at the rows with a weight, (l,)."""
        return self.w[self.rows]

    @cached_property
    def off(self) -> np.ndarray:
        """U at the rows with a weight, (l, g). U is zero at the others."""
        return self.taken[self.rows] if len(self.taken) else np.zeros((len(self.rows), 0))

    def apply(self, F: np.ndarray) -> np.ndarray:
        """G F for F of shape (n, t), in the dtype of F."""
        out = self.lam * self.operator.apply(F) if self.lam else np.zeros_like(F)
        if len(self.rows):
            at, U = F[self.rows], self.off.astype(F.dtype)
            out[self.rows] += self.weights[:, None].astype(F.dtype) * at - U @ (U.T @ at)
        return out

    def without(self, E: np.ndarray) -> QuadraticForm:
        """G with W − W E (EᵀWE)⁻¹ EᵀW in place of W: functions E b, (n, g), fit the loss first."""
        WE = self.w[:, None] * E
        values, vectors = np.linalg.eigh(E.T @ WE)
        kept = values > 1e-14 * max(values[-1], 0.0)
        return replace(self, taken=WE @ (vectors[:, kept] / np.sqrt(values[kept])))

    def parts(self) -> tuple[QuadraticForm, QuadraticForm]:
        """W − U Uᵀ and λM."""
        return replace(self, lam=0.0), QuadraticForm(self.operator, self.lam)

    def times(self, sigma: float) -> QuadraticForm:
        """σG."""
        root = np.sqrt(sigma)
        return QuadraticForm(self.operator, sigma * self.lam, sigma * self.w, root * self.taken)

    def near(self) -> tuple[Any, QuadraticForm]:
        """The order of the rows in which M is fast, and G over the rows in this order."""
        if not (self.lam and self.operator.near):
            return slice(None), self
        order, operator = self.operator.near
        w, taken = (part[order] if len(part) else part for part in (self.w, self.taken))
        return order, QuadraticForm(operator, self.lam, w, taken)
