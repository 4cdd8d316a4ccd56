"""The RKHS itself: f = Σ_j c_j k(x_j, ·) over all training points, with the Gram matrix held."""

from functools import cached_property

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import row_blocks
from ..linalg.pencil import FEW, choose_pencil
from ..linalg.product import inner, product
from ..linalg.quadratic_form import QuadraticForm
from ..linalg.threads import as_type
from .base import Element, Space
from .deformation import PencilSystem, PlainDeformation
from .kept import kept_plain

DIRECT_LIMIT = 25_000
"""Points up to which an LU factor is made; conjugate gradients take longer at the default γ"""


FEW_OF_ALL = 4
"""A coefficient at one point in so many, at most: only these rows of K are read."""


class Sections(Space):
    """f = Σ_j c_j k(x_j, ·): represent(r) = r, inner(a, b) = aᵀK b; abstract.

    Parameters
    ----------
    kernel : Kernel
        The built kernel.
    X : array or CSR matrix of shape (n, d)
        The training points.
    """

    def __init__(self, kernel: Kernel, X, n: int):
        self.kernel = kernel
        self.X = X
        self.n_points = self.n_coef = n

    def evaluate_at(self, X, coef):
        return expand(self.kernel, X, self.X, coef)

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.values, b.coef)

    def prior(self, X, Z=None):
        return np.array(self.kernel(X, Z), dtype=np.float64)

    def prior_diagonal(self, X):
        return np.asarray(self.kernel.diagonal(X), dtype=np.float64)

    def sections(self, X):
        return np.asarray(self.kernel(self.X, X), dtype=np.float64)

    def dual(self, coef):
        return coef


class Exact(Sections):
    """f = Σ_j c_j k(x_j, ·); evaluate(c) = K c, represent(r) = r, inner(a, b) = aᵀK b.

    Parameters
    ----------
    gram : array of shape (n, n)
        K, symmetric PSD.
    kernel : Kernel
        The built kernel, for new points.
    X : array or CSR matrix of shape (n, d)
        The training points.
    """

    def __init__(self, gram: np.ndarray, kernel: Kernel, X):
        super().__init__(kernel, X, gram.shape[0])
        self.gram = gram

    @cached_property
    def gram(self) -> np.ndarray:  # type: ignore[override]
        """K; computed again where the space was saved, since K is not."""
        return as_type(self.kernel(self.X), np.float64)

    def __getstate__(self) -> dict:
        """Without K, unless it is all there is."""
        given = self.kernel.precomputed
        return {name: part for name, part in vars(self).items() if given or name != "gram"}

    def evaluate(self, coef):
        rows = np.flatnonzero(coef.any(axis=1))
        if FEW_OF_ALL * len(rows) > len(coef):
            return product(self.gram, coef)
        # K is symmetric: rows are read faster than columns
        return inner(coef[rows], self.gram[rows]).T

    def readout_of(self, e, rows):
        return self.gram[rows] @ e.coef

    def kept(self, operator, gamma_A, lam, rows, precise):
        return kept_plain(self, operator, gamma_A, lam, rows, precise)

    def pencil(self, form: QuadraticForm, n_shifts: int):
        if self.n_points > DIRECT_LIMIT:
            return None
        return choose_pencil(self.gram, form, n_shifts)

    def deformations(self, operator, shifts):
        """One reduction for all shifts, where they are many."""
        if len(shifts) <= FEW or self.n_points > DIRECT_LIMIT:
            return super().deformations(operator, shifts)
        pencil = choose_pencil(self.gram, QuadraticForm(operator, 1.0), len(shifts))
        return [
            PlainDeformation(self, operator, gamma, lam, PencilSystem(self, pencil, gamma, lam))
            for gamma, lam in shifts
        ]


def expand(kernel: Kernel, X, centers, coef: np.ndarray) -> np.ndarray:
    """Σ_j k(x, x_j) c_j for the rows x of X, in blocks of rows: never all of k(X, centers)."""
    out = np.empty((X.shape[0], coef.shape[1]))
    for rows in row_blocks(X.shape[0], coef.shape[0]):
        out[rows] = kernel(X[rows], centers) @ coef
    return out
