"""The matrix-valued kernel with the intrinsic penalty moved into the norm."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ..linalg.pencil import ReducedPencil
from ..objective import Objective
from ..regularizers import TensorOperator
from ..spaces import Element, Exact, Separable, Space, core_of
from .krylov import conjugate_gradient
from .sylvester import output_directions


class Deformation(ABC):
    """K̃ = Φ (I + (γ_I/γ_A n²) Φ*MΦ)⁻¹ Φ* for the space's evaluation Φ: SO eq. 16 with many outputs.

    γ_A times the squared norm that belongs to K̃ is the ambient and the intrinsic penalty
    together, so any loss is then plain regularisation over the observed pairs (row, output).
    """

    @abstractmethod
    def gram(self, row: np.ndarray, output: np.ndarray) -> np.ndarray:
        """K̃ between the pairs (row_p, output_p), (P, P), symmetric."""

    @abstractmethod
    def lift(self, R: np.ndarray) -> np.ndarray:
        """Coefficients in the space of Σ_ij r_ij K̃(·, x_i) e_j, for R of shape (n, q)."""


class PencilDeformation(Deformation):
    """One separable kernel k·Q = Σ_i σ_i k v_i v_iᵀ: K̃ = Σ_i k̃_i v_i v_iᵀ from one reduction.

    k̃_i = σ_i K (I + (σ_i γ_I/γ_A n²) M K)⁻¹, a shifted pencil.
    """

    def __init__(self, objective: Objective, core: Separable, gram: np.ndarray):
        self._o = objective
        self._K = gram
        self._sigma, self._V = output_directions(core.Q)
        self._Q = core.Q
        form = objective.operator.apply
        self._pencil = (
            ReducedPencil(gram, lambda F: objective.lam * form(F)) if objective.lam else None
        )

    def gram(self, row, output):
        rows, at = np.unique(row, return_inverse=True)
        if self._pencil is None:
            return self._K[np.ix_(row, row)] * self._Q[np.ix_(output, output)]
        gamma, total = self._o.gamma_A, np.zeros((len(row), len(row)))
        for s in np.unique(self._sigma[self._sigma > 0]):
            k = gamma * self._pencil.compressed(gamma, np.array([s]), rows)[0]
            V = self._V[:, self._sigma == s]
            total += k[np.ix_(at, at)] * (V @ V.T)[np.ix_(output, output)]
        return 0.5 * (total + total.T)

    def lift(self, R):
        if self._pencil is None:
            return R
        gamma = np.full(len(self._sigma), self._o.gamma_A)
        a, _ = self._pencil.solve(gamma, self._sigma, R @ self._V)
        return self._o.gamma_A * a @ self._V.T


class KrylovDeformation(Deformation):
    """Any space and any M, by conjugate gradients: one solution for each pair.

    Parameters
    ----------
    objective : Objective
    core : Space
        Without its intercept.
    tol : float, default=1e-11
        Relative residual in the space's norm.
    """

    def __init__(self, objective: Objective, core: Space, tol: float = 1e-11):
        self._o = objective
        self._core = core
        self._tol = tol

    def gram(self, row, output):
        shape = (self._o.n_rows, self._o.n_columns)
        total = np.empty((len(row), len(row)))
        for p, pair in enumerate(zip(row, output, strict=True)):
            unit = np.zeros(shape)
            unit[pair] = 1.0
            total[:, p] = self._core.evaluate(self.lift(unit))[row, output]
        return 0.5 * (total + total.T)

    def lift(self, R):
        o, core, none = self._o, self._core, np.zeros_like(R)
        rhs = core.element(core.represent(none, R))
        if not o.lam:
            return rhs.coef
        ratio = o.lam / o.gamma_A

        def apply(v: Element) -> Element:
            pulled = core.represent(ratio * o.operator.apply(v.values), none)
            return core.element(v.coef + pulled)

        tol = self._tol * core.norm(rhs)
        return conjugate_gradient(core, apply, rhs, tol=tol, max_iter=10 * o.n_rows).x.coef


def deformation_of(objective: Objective) -> Deformation:
    """The pencil where the kernel is one k·Q over a held Gram matrix and M acts on rows only."""
    core = core_of(objective.space)[0]
    separable = isinstance(core, Separable) and isinstance(core.space, Exact)
    if separable and not isinstance(objective.operator, TensorOperator):
        return PencilDeformation(objective, core, core.space.gram)  # type: ignore[arg-type, attr-defined]
    return KrylovDeformation(objective, core)
