"""Kernels on pairs (row, output) that are no product: any joint kernel, and sums of products."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import cast

import numpy as np

from ..kernels import Precomputed
from ..linalg.blocks import row_blocks
from .base import Element, Space
from .deformation import PlainDeformation
from .exact import Exact, KernelSections
from .systems import by_pencil
from .vectorized import FlatOperator, PairPoints, VectorizedDeformation


class PairSections(PairPoints, Space):
    """f(x, y) = Σ_{j, ȳ} c_jȳ k((x_j, ȳ), (x, y)), coefficients (n, q); abstract."""

    q: int

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.array([np.vdot(a.values, b.coef)])

    @abstractmethod
    def flat(self) -> Space:
        """The same functions with one column of n q coefficients."""

    def system(self, gamma_A, form, n_shifts=1):
        return by_pencil(self, gamma_A, form, None)

    def deformed(self, operator, gamma_A, lam):
        eye = np.eye(self.q)
        column = self.flat().deformed(FlatOperator(operator, eye), gamma_A, lam)
        flat = cast(PlainDeformation, column)  # as of every space with columns of its own
        return VectorizedDeformation(flat, eye, self.n_points, self)


class Joint(PairSections):
    """Any joint kernel, its Gram matrix over the pairs held.

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
        """k over all pairs; computed again where the space was saved, since it is not."""
        order = self.n_points * self.q
        return np.asarray(self.kernel(self.X, self.X), dtype=np.float64).reshape(order, order)

    def __getstate__(self) -> dict:
        return {name: part for name, part in vars(self).items() if name != "pair_gram"}

    def evaluate(self, coef):
        return (self.pair_gram @ coef.reshape(-1)).reshape(coef.shape)

    def evaluate_at(self, X, coef):
        out = np.empty((X.shape[0], self.q))
        for rows in row_blocks(X.shape[0], coef.size * self.q):
            out[rows] = np.einsum("iajb,jb->ia", self.kernel(X[rows], self.X), coef)
        return out

    def pair_values(self, X, coef):
        wide = coef.reshape(self.n_points, self.q, -1)
        return np.einsum("iajb,jbt->iat", self.kernel(X, self.X), wide, optimize=True).reshape(
            X.shape[0] * self.q, -1
        )

    def pair_prior(self, X, mix):
        own = [np.einsum("a,ab,b->", mix, self.kernel(x, x)[0, :, 0], mix) for x in _rows(X)]
        return np.array(own)

    def pair_sections(self, X, mix):
        K = self.kernel(self.X, X) @ mix
        return K.reshape(self.n_points * self.q, -1)

    def flat(self):
        return Exact(self.pair_gram, Precomputed(), None)


class KernelSum(PairSections):
    """K(x, z) = Σ_r k_r(x, z) Q_r: f = Σ_r Σ_j k_r(·, x_j) Q_r c_j (VV §4.1).

    Parameters
    ----------
    terms : sequence of (Space, array of shape (q, q))
        Over the same points, each space spanned by its kernel sections (``Exact`` or
        ``Blockwise``).
    """

    def __init__(self, terms: Sequence[tuple[Space, np.ndarray]]):
        self.terms = tuple(terms)
        self.q = len(terms[0][1])
        self.n_points = self.n_coef = terms[0][0].n_points

    def evaluate(self, coef):
        return sum(space.evaluate(coef @ Q) for space, Q in self.terms)

    def evaluate_at(self, X, coef):
        return sum(space.evaluate_at(X, coef @ Q) for space, Q in self.terms)

    def pair_values(self, X, coef):
        return self.summed(coef, lambda space, part: space.evaluate_at(X, part))

    def summed(self, coef: np.ndarray, evaluate: Callable) -> np.ndarray:
        """Σ_r evaluate(S_r, c Q_r) of t flat columns c, (n q, t), as flat columns."""
        wide = coef.reshape(self.n_points, self.q, -1)
        mixed = [(space, np.einsum("nqt,qp->npt", wide, Q)) for space, Q in self.terms]
        total = sum(evaluate(space, part.reshape(self.n_points, -1)) for space, part in mixed)
        return total.reshape(-1, wide.shape[2])

    def pair_prior(self, X, mix):
        return sum(space.covariance.diagonal(X) * (mix @ Q @ mix) for space, Q in self.terms)

    def pair_sections(self, X, mix):
        return sum(
            np.kron(space.covariance.sections(X), (Q @ mix)[:, None]) for space, Q in self.terms
        )

    def flat(self):
        return _FlatSum(self)


class _FlatSum(KernelSections):
    """A sum of kernels over columns of length n q."""

    def __init__(self, total: KernelSum):
        self.total = total
        self.n_points = self.n_coef = total.n_points * total.q

    def evaluate(self, coef):
        return self.total.summed(coef, lambda space, part: space.evaluate(part))

    def evaluate_at(self, X, coef):
        return self.total.pair_values(X, coef)


def _rows(X):
    return (X[[i]] for i in range(X.shape[0]))
