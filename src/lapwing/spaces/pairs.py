"""Spaces of kernels on pairs (row, output) that are no single product k·Q."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..kernels import Precomputed
from ..linalg.blocks import row_blocks
from .base import Element, Space
from .exact import Exact
from .systems import by_pencil
from .vectorized import FlatOperator, Vectorized, VectorizedDeformation


class PairSections(Space):
    """f(x, y) = Σ_{j, ȳ} c_jȳ k((x_j, ȳ), (x, y)), with coefficients of shape (n, q); abstract."""

    q: int

    @property
    @abstractmethod
    def column(self) -> Any:
        """The same functions with one column of n q coefficients, and the kernel at new pairs."""

    def evaluate(self, coef):
        return self.column.evaluate(coef.reshape(-1, 1)).reshape(coef.shape)

    def evaluate_at(self, X, coef):
        return self.column.evaluate_at(X, coef.reshape(-1, 1)).reshape(-1, self.q)

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.array([np.vdot(a.values, b.coef)])

    def system(self, gamma_A, form, n_shifts=1):
        return by_pencil(self, gamma_A, form)

    def deformed(self, operator, gamma_A, lam):
        column, eye = self.column, np.eye(self.q)
        flat = column.deformed(FlatOperator(operator, eye), gamma_A, lam)
        return VectorizedDeformation(flat, eye, self.n_points, column)


class Joint(PairSections):
    """The space of any kernel k((x, y), (z, ȳ)) on pairs, with its Gram matrix over the pairs.

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
        self.pair_gram = gram
        self.kernel = kernel
        self.X = X
        self.q = q
        self.n_points = self.n_coef = len(gram) // q

    @cached_property
    def pair_gram(self) -> np.ndarray:
        """k over all pairs, (n q, n q). A saved space does not store it and computes it again."""
        order = self.n_points * self.q
        return np.asarray(self.kernel(self.X, self.X), dtype=np.float64).reshape(order, order)

    def __getstate__(self) -> dict:
        return {name: part for name, part in vars(self).items() if name != "pair_gram"}

    @property
    def column(self):
        return JointColumn(self)


class JointColumn(Exact):
    """The pairs of a joint kernel as points; each new row of X stands for q new points."""

    def __init__(self, pairs: Joint):
        super().__init__(pairs.pair_gram, Precomputed(), pairs.X)
        self.joint, self.q = pairs.kernel, pairs.q

    def evaluate_at(self, X, coef):
        wide = coef.reshape(-1, self.q, coef.shape[1])
        out = np.empty((X.shape[0], self.q, coef.shape[1]))
        for rows in row_blocks(X.shape[0], len(coef) * self.q):
            K = self.joint(X[rows], self.X)
            out[rows] = np.einsum("iajb,jbt->iat", K, wide, optimize=True)
        return out.reshape(-1, coef.shape[1])

    def pair_prior(self, X, mix):
        own = [self.joint(x, x)[0, :, 0] for x in (X[[i]] for i in range(X.shape[0]))]
        return np.array([mix @ k @ mix for k in own])

    def pair_sections(self, X, mix):
        return (self.joint(self.X, X) @ mix).reshape(self.n_points, -1)


class KernelSum(PairSections):
    """K(x, z) = Σ_r k_r(x, z) Q_r: f = Σ_r Σ_j k_r(·, x_j) Q_r c_j (VV §4.1).

    Parameters
    ----------
    terms : sequence of (Space, array of shape (q, q))
        The spaces of the k_r, over the same points, and the matrices Q_r. Each space is spanned by
        its kernel sections (``Exact`` or ``Blockwise``).
    """

    def __init__(self, terms: Sequence[tuple[Space, np.ndarray]]):
        self.terms = tuple(terms)
        self.q = len(terms[0][1])
        self.n_points = self.n_coef = terms[0][0].n_points

    @property
    def column(self):
        return Vectorized(self.terms)
