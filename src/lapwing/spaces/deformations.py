"""K̃ of more than one plain kernel: of related outputs, and beside functions nothing penalises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..linalg.memory import require_bytes
from .deformation import Deformation, LabelledKernel, MixedKernel


class MixedDeformation(Deformation):
    """Related outputs along directions of their own: K̃ = Σ_p K̃_p ⊗ Λ_pΛ_pᵀ.

    Parameters
    ----------
    mixing : array of shape (q, r)
        Λ.
    parts : sequence of (columns, Deformation)
        Which columns of Λ each kernel belongs to; the others are zero.
    n_coef, n_rows : int
    """

    def __init__(self, mixing: np.ndarray, parts: Sequence, n_coef: int, n_rows: int):
        self.mixing = mixing
        self.parts = tuple(parts)
        self.n_coef = n_coef
        self.factored = all(part.factored for _, part in parts)
        self.n_rows = n_rows

    def lift(self, R):
        coef = np.zeros((self.n_coef, self.mixing.shape[1]))
        for columns, part in self.parts:
            coef[:, columns] = part.lift(R @ self.mixing[:, columns])
        return coef

    @property
    def components(self):
        return [(part, self.mixing[:, columns]) for columns, part in self.parts]

    def diagonal(self, X):
        parts = [(part.diagonal(X), self.mixing[:, columns]) for columns, part in self.parts]
        return np.sum([d[:, None] * np.einsum("qr,qr->q", B, B) for d, B in parts], axis=0)

    def gram(self, rows):
        l = len(rows)
        require_bytes(
            8.0 * len(self.parts) * l * l,
            f"The deformed kernel at {l} labelled rows, for {len(self.parts)} different outputs,",
            "Label fewer rows, or use an output structure with fewer distinct eigenvalues.",
        )
        kernels = [
            (part.gram(rows).parts[0][0], self.mixing[:, columns]) for columns, part in self.parts
        ]
        return MixedKernel(self, rows, kernels)


class FreeDeformation(Deformation):
    """K̃ beside functions that nothing penalises: intercepts, or what M does not see at γ_A = 0.

    Parameters
    ----------
    inner : Deformation
    E : array of shape (n, g)
        The readouts of the free functions.
    join : callable
        (coefficients of K̃R, b) ↦ those of K̃R + the free functions times b, (g, t).
    """

    def __init__(self, inner: Deformation, E: np.ndarray, join: Callable):
        self.inner = inner
        self.E = E
        self.join = join
        self.n_rows = inner.n_rows
        self.factored = inner.factored

    @property
    def components(self):
        """Of K̃ alone, without the free functions."""
        return self.inner.components

    def diagonal(self, X):
        """Of K̃ alone, without the free functions."""
        return self.inner.diagonal(X)

    def cross(self, X, Z=None):
        return self.inner.cross(X, Z)

    def lift(self, R):
        return self.join(self.inner.lift(R), np.zeros((self.E.shape[1], R.shape[1])))

    def gram(self, rows):
        return replace(self.inner.gram(rows), free=self.E[rows], join=self.join)


@dataclass(frozen=True)
class CoupledKernel(LabelledKernel):
    """K̃ as one matrix over the pairs, where an operator or a kernel couples the outputs.

    Attributes
    ----------
    gram : array of shape (l, q, l, q)
    """

    gram: np.ndarray = field(repr=False)

    def apply(self, G):
        return np.tensordot(self.gram, G, axes=2)

    def cross(self, i, D, j, E):
        l, q = self.gram.shape[:2]
        left = np.zeros((len(i), l, q))
        left[np.arange(len(i)), i] = D
        pulled = np.tensordot(left, self.gram, axes=2)
        return np.einsum("mkq,kq->mk", pulled[:, j], E)

    def pairs(self, i, output):
        flat = i * self.gram.shape[1] + output
        order = self.gram.shape[0] * self.gram.shape[1]
        return self.gram.reshape(order, order)[np.ix_(flat, flat)]
