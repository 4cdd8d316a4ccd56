"""The RKHS itself: f = Σ_j c_j k(x_j, ·) over all training points, with the Gram matrix held."""

from functools import cached_property

import numpy as np

from ..kernels import Kernel
from ..linalg.blas import gemm_tn, symm
from ..linalg.blocks import row_blocks
from ..linalg.pencil import choose_pencil
from ..linalg.threads import as_type
from .base import Element, Space
from .covariance import KernelCovariance
from .exact_system import ExactSystem
from .systems import ScaledIdentity, by_pencil

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

    @property
    def covariance(self):
        return KernelCovariance(self, self.kernel, self.X)

    def system(self, gamma_A, form, n_shifts=1):
        return by_pencil(self, gamma_A, form, None)


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
            return symm(self.gram, coef)
        # K is symmetric: rows are read faster than columns
        return gemm_tn(coef[rows], self.gram[rows]).T

    def system(self, gamma_A, form, n_shifts=1):
        if self.n_points > DIRECT_LIMIT:
            return super().system(gamma_A, form, n_shifts)
        if not form.lam and not len(form.rows):
            return ScaledIdentity(self, float(gamma_A))
        pencil = choose_pencil(self.gram, form, n_shifts)
        return ExactSystem(self, pencil, float(gamma_A), form=form)


def expand(kernel: Kernel, X, centers, coef: np.ndarray) -> np.ndarray:
    """Σ_j k(x, x_j) c_j for the rows x of X, in blocks of rows: never all of k(X, centers)."""
    out = np.empty((X.shape[0], coef.shape[1]))
    for rows in row_blocks(X.shape[0], coef.shape[0]):
        out[rows] = kernel(X[rows], centers) @ coef
    return out
