"""K̃ among pairs (labeled row, output), and the functions without a penalty beside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from .mixing import Alone

if TYPE_CHECKING:
    from .deformation import Deformation


@dataclass(frozen=True)
class FreeFunctions:
    """g functions without a penalty beside a kernel, the same for each output.

    Attributes
    ----------
    rows : array of shape (n, g)
        The readouts of the free functions at the training rows.
    at : callable
        X ↦ their values at the rows of X, (len(X), g).
    join : callable
        (coefficients of a function f, b of shape (g, t)) ↦ the coefficients of f plus the free
        functions times b.
    """

    rows: np.ndarray = field(repr=False)
    at: Callable = field(repr=False)
    join: Callable = field(repr=False)

    @classmethod
    def none(cls, n: int) -> FreeFunctions:
        """No free functions, for a problem of n rows."""
        return cls(np.zeros((n, 0)), lambda X: np.zeros((X.shape[0], 0)), lambda coef, b: coef)

    @property
    def g(self) -> int:
        """The number of free functions."""
        return self.rows.shape[1]

    def beside(self, other: FreeFunctions) -> FreeFunctions:
        """These functions first, then those of ``other``."""
        g = self.g
        return FreeFunctions(
            np.hstack([self.rows, other.rows]),
            lambda X: np.hstack([self.at(X), other.at(X)]),
            lambda coef, b: other.join(self.join(coef, b[:g]), b[g:]),
        )


def of_pairs(free: np.ndarray, output: np.ndarray, q: int) -> np.ndarray:
    """Free functions of q outputs at P pairs: (P, g) for one output ↦ (P, g q) for all.

    ``output``, (P,), is the output of each pair. A function is zero at the pairs of other outputs.
    """
    own = np.zeros((len(output), free.shape[1], q))
    own[np.arange(len(output)), :, output] = free
    return own.reshape(len(output), -1)


@dataclass(frozen=True)
class LabeledKernel(ABC):
    """K̃ over the pairs (labeled row, output), with free functions, and the way to coefficients.

    Attributes
    ----------
    deformation : Deformation
    rows : integer array of shape (l,)
    """

    deformation: Deformation = field(repr=False)
    rows: np.ndarray = field(repr=False)

    @property
    def free(self) -> np.ndarray:
        """The readouts of the free functions of each output at the labeled rows, (l, g)."""
        return self.deformation.free.rows[self.rows]

    @property
    def shared(self) -> np.ndarray | None:
        """K̃, (l, l), where each output has this kernel and none is related to another; or None."""
        return None

    def marginal(self, q: int) -> np.ndarray:
        """(1/q) Σ_j K̃((·, j), (·, j)), (l, l): the mean of the outputs' own kernels."""
        at, total = np.arange(len(self.rows)), np.zeros((len(self.rows),) * 2)
        for j in range(q):
            total += self.pairs(at, np.full(len(at), j))
        return total / q

    def directions(self, q: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]] | None:
        """(K̃_p, V_p, E_p) with K̃ = Σ_p K̃_p ⊗ V_pV_pᵀ, V orthonormal; None where there are none.

        The directions V_p lie between the q outputs. E_p, (l, g), are the free functions along V_p.
        """
        return None

    def free_pairs(self, i: np.ndarray, output: np.ndarray, q: int) -> np.ndarray:
        """The free functions of each of q outputs at the pairs (row i_p, output_p), (P, g q)."""
        return of_pairs(self.free[i], output, q)

    @abstractmethod
    def apply(self, G: np.ndarray) -> np.ndarray:
        """K̃G at the labeled rows, (l, q), for G of shape (l, q)."""

    @abstractmethod
    def cross(self, i, D: np.ndarray, j, E: np.ndarray) -> np.ndarray:
        """⟨e_i ⊗ d, K̃ (e_j ⊗ e)⟩ for all rows d of D (at i) and all rows e of E (at j)."""

    @abstractmethod
    def pairs(self, i: np.ndarray, output: np.ndarray) -> np.ndarray:
        """K̃ among the pairs (row i_p, output_p), (P, P)."""

    def lift(self, G: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        """The coefficients in the space of K̃G plus the free functions times b, (g, q)."""
        R = np.zeros((self.deformation.n_rows, G.shape[1]))
        R[self.rows] = G
        return self.deformation.lift(R, b)


@dataclass(frozen=True)
class MixedKernel(LabeledKernel):
    """K̃ = Σ_p K̃_p ⊗ B_pB_pᵀ.

    Attributes
    ----------
    parts : sequence of (array of shape (l, l), mixing, array of shape (l, g_p))
        K̃_p, B_p, and the free functions along B_p alone.
    """

    parts: Sequence[tuple[np.ndarray, Alone, np.ndarray]] = field(repr=False)

    @property
    def shared(self):
        """K̃, (l, l), also for a mixing with ΛΛᵀ = cI, which relates no outputs."""
        if len(self.parts) == 1:
            kernel, mixing, own = self.parts[0]
            Q = mixing.directions(1) @ mixing.directions(1).T
            if not mixing.related or (not own.size and np.allclose(Q, Q[0, 0] * np.eye(len(Q)))):
                return kernel if Q[0, 0] == 1.0 else Q[0, 0] * kernel
        return None

    def marginal(self, q):
        shares = ((mixing.squares(q).sum() / q) * kernel for kernel, mixing, _ in self.parts)
        return sum(shares, start=np.zeros((len(self.rows),) * 2))

    def directions(self, q):
        if self.shared is not None:
            return [(self.shared, np.eye(q), self.free)]
        found, zero = [], np.zeros((len(self.rows),) * 2)
        for kernel, mixing, own in self.parts:
            B, E = mixing.directions(q), np.hstack([own, self.free])
            size = np.linalg.norm(B, axis=0)
            found += [
                (size[j] ** 2 * kernel, B[:, [j]] / size[j], E) for j in np.flatnonzero(size > 0)
            ]
        V = np.hstack([v for _, v, _ in found]) if found else np.zeros((q, 0))
        if np.abs(V.T @ V - np.eye(V.shape[1])).max(initial=0.0) > 1e-10:
            return None
        rest = scipy.linalg.null_space(V.T) if V.shape[1] else np.eye(q)
        return found + ([(zero, rest, self.free)] if rest.shape[1] else [])

    def free_pairs(self, i, output, q):
        along = [
            own[i] * column[output, None]
            for _, mixing, own in self.parts
            if own.shape[1]
            for column in mixing.directions(q).T
        ]
        return np.hstack([super().free_pairs(i, output, q), *along])

    def apply(self, G):
        out = np.zeros_like(G)
        for kernel, mixing, _ in self.parts:
            out += mixing.mix(kernel @ mixing.pull(G))
        return out

    def cross(self, i, D, j, E):
        total = np.zeros((len(i), len(j)))
        for kernel, mixing, _ in self.parts:
            total += kernel[np.ix_(i, j)] * mixing.products(D, E)
        return total

    def pairs(self, i, output):
        total = np.zeros((len(i), len(i)))
        for kernel, mixing, _ in self.parts:
            total += kernel[np.ix_(i, i)] * mixing.between(output, output)
        return total


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
