"""Functions on pairs (x, y): the joint kernel's own space, in two shapes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..kernels import Precomputed
from ..linalg.blocks import row_blocks
from .base import Element, Space
from .exact import Exact


class Pairs(Space):
    """q-vector valued functions as single columns: f = (F_j(x_i)), row-major, kernel K^X ⊗ I_q.

    An operator that couples the columns of F acts on such a column as a plain matrix, so that
    every solver for columns applies; K^X ⊗ I_q is applied factor by factor.

    Parameters
    ----------
    space : Space
        Over the n inputs.
    q : int
    """

    def __init__(self, space: Space, q: int):
        self.space = space
        self.q = q
        self.n_points = space.n_points * q
        self.n_coef = space.n_coef * q

    def evaluate(self, coef):
        return self._flat(self.space.evaluate(self._wide(coef)))

    def evaluate_at(self, X, coef):
        return self._flat(self.space.evaluate_at(X, self._wide(coef)))

    def represent(self, r_M, r_loss):
        return self._flat(self.space.represent(self._wide(r_M), self._wide(r_loss)))

    def inner(self, a: Element, b: Element):
        wide_a = Element(self.space, self._wide(a.coef), self._wide(a.values))
        per_column = self.space.inner(wide_a, self.space.element(self._wide(b.coef)))
        return per_column.reshape(self.q, -1).sum(axis=0)

    def _wide(self, column: np.ndarray) -> np.ndarray:
        """(n q, t) as (n, q t)."""
        return column.reshape(len(column) // self.q, -1)

    def _flat(self, wide: np.ndarray) -> np.ndarray:
        return wide.reshape(wide.shape[0] * self.q, -1)


class Joint(Space):
    """f(x, y) = Σ_{j, ȳ} c_jȳ k((x_j, ȳ), (x, y)) for any joint kernel, its Gram matrix held.

    Parameters
    ----------
    gram : array of shape (n q, n q)
        k over all pairs, row-major, symmetric PSD.
    kernel : callable
        ``kernel(X, Z)`` of shape (n, q, m, q).
    X : array of shape (n, d)
    q : int
        Number of outputs, |Y|.

    References
    ----------
    SO (7) and (14).
    """

    def __init__(self, gram: np.ndarray, kernel: Callable, X, q: int):
        self.gram = gram
        self.kernel = kernel
        self.X = X
        self.q = q
        self.n_points = self.n_coef = len(gram) // q

    def evaluate(self, coef):
        return (self.gram @ coef.reshape(-1)).reshape(coef.shape)

    def evaluate_at(self, X, coef):
        out = np.empty((X.shape[0], self.q))
        for rows in row_blocks(X.shape[0], coef.size * self.q):
            out[rows] = np.einsum("iajb,jb->ia", self.kernel(X[rows], self.X), coef)
        return out

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.array([np.vdot(a.values, b.coef)])

    def flat(self) -> Exact:
        """The same functions with one column of n q coefficients."""
        return Exact(self.gram, Precomputed(), None)
