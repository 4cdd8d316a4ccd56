"""K̃ of more than one plain kernel: of related outputs, and beside functions nothing penalizes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..linalg.memory import require_bytes
from .deformation import Deformation, LabeledKernel, MixedKernel


class MixedDeformation(Deformation):
    """CoregionalizedOutputs outputs along directions of their own: K̃ = Σ_p K̃_p ⊗ Λ_pΛ_pᵀ.

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

    def reader(self, rows, output, q):
        terms = [(part.row_reader(rows), B @ B.T) for part, B in self.components]

        def read(X):
            across = [(reads(X), Q) for reads, Q in terms]
            zero = np.zeros((X.shape[0], len(rows)))
            return (sum((K * Q[j, output] for K, Q in across), start=zero) for j in range(q))

        return read

    def variances(self, X, q):
        return np.zeros((X.shape[0], q)) + self.diagonal(X)

    def ambient(self, X, q):
        total = np.zeros((X.shape[0], q))
        for part, B in self.components:
            total += part.ambient(X, 1) * np.einsum("qr,qr->q", B, B)
        return total

    def free_pairs(self, X, q):
        own = [(part.free_at(X), B) for part, B in self.components]
        known = [(h, B) for h, B in own if h is not None]
        if not known:
            return None
        return (np.hstack([h * b for h, B in known for b in B[j]]) for j in range(q))

    def diagonal(self, X):
        parts = [(part.diagonal(X), self.mixing[:, columns]) for columns, part in self.parts]
        return np.sum([d[:, None] * np.einsum("qr,qr->q", B, B) for d, B in parts], axis=0)

    def gram(self, rows):
        l = len(rows)
        require_bytes(
            8.0 * len(self.parts) * l * l,
            f"The deformed kernel at {l} labeled rows, for {len(self.parts)} different outputs,",
            "Label fewer rows, or use an output structure with fewer distinct eigenvalues.",
        )
        grams = [(part.gram(rows), self.mixing[:, columns]) for columns, part in self.parts]
        kernels = [(gram.parts[0][0], B) for gram, B in grams]
        return MixedKernel(self, rows, kernels, [gram.free for gram, _ in grams])


class FreeDeformation(Deformation):
    """K̃ beside functions that nothing penalizes: intercepts, or what M does not see at γ_A = 0.

    Parameters
    ----------
    inner : Deformation
    E : array of shape (n, g)
        The readouts of the free functions.
    join : callable
        (coefficients of K̃R, b) ↦ those of K̃R + the free functions times b, (g, t).
    at : callable
        X ↦ the free functions at new points, (len(X), g).
    """

    def __init__(self, inner: Deformation, E: np.ndarray, join: Callable, at: Callable):
        self.inner = inner
        self.E = E
        self.join = join
        self.at = at
        self.n_rows = inner.n_rows
        self.factored = inner.factored

    @property
    def kept(self):
        return self.inner.kept

    @property
    def components(self):
        """Of K̃ alone, without the free functions."""
        return self.inner.components

    def diagonal(self, X):
        """Of K̃ alone, without the free functions."""
        return self.inner.diagonal(X)

    def cross(self, X, Z=None):
        return self.inner.cross(X, Z)

    def reader(self, rows, output, q):
        return self.inner.reader(rows, output, q)

    def row_reader(self, rows):
        return self.inner.row_reader(rows)

    def variances(self, X, q):
        return self.inner.variances(X, q)

    def ambient(self, X, q):
        return self.inner.ambient(X, q)

    @property
    def free_rows(self):
        first = self.inner.free_rows
        return self.E if first is None else np.hstack([first, self.E])

    def free_at(self, X):
        first, own = self.inner.free_at(X), self.at(X)
        return own if first is None else np.hstack([first, own])

    def free_pairs(self, X, q):
        shared = super().free_pairs(X, q)
        # of plain kernels the inner free functions are among those that every output has
        along = None if self.inner.free_at(X) is not None else self.inner.free_pairs(X, q)
        if shared is None or along is None:
            return shared
        return (np.hstack(both) for both in zip(shared, along, strict=True))

    def lift(self, R):
        return self.join(self.inner.lift(R), np.zeros((self.E.shape[1], R.shape[1])))

    def gram(self, rows):
        inner, E = self.inner.gram(rows), self.E[rows]
        if inner.free is None:
            return replace(inner, free=E, join=self.join)
        g, first = inner.free.shape[1], inner.join
        assert first is not None

        def join(coef, b):
            return self.join(first(coef, b[:g]), b[g:])

        return replace(inner, free=np.hstack([inner.free, E]), join=join)


@dataclass(frozen=True)
class CoupledKernel(LabeledKernel):
    """K̃ as one matrix over the pairs, where an operator or a kernel couples the outputs.

    Attributes
    ----------
    gram : array of shape (l, q, l, q)
    """

    gram: np.ndarray = field(repr=False)

    def apply(self, G):
        return np.tensordot(self.gram, G, axes=2)

    def cross(self, i, D, j, E):
        pulled = np.zeros((len(i), len(j), E.shape[1]))
        for a in np.flatnonzero(D.any(axis=0)):
            pulled += D[:, a, None, None] * self.gram[i[:, None], a, j]
        return np.einsum("mkq,kq->mk", pulled, E)

    def pairs(self, i, output):
        flat = i * self.gram.shape[1] + output
        order = self.gram.shape[0] * self.gram.shape[1]
        return self.gram.reshape(order, order)[np.ix_(flat, flat)]
