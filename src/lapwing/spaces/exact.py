"""The RKHS itself: f = Σ_j c_j k(x_j, ·) over all training points, with the Gram matrix held."""

from __future__ import annotations

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import row_blocks
from .base import Element, Space


class Exact(Space):
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
        self.gram = gram
        self.kernel = kernel
        self.X = X
        self.n_points = self.n_coef = gram.shape[0]

    def evaluate(self, coef):
        return self.gram @ coef

    def evaluate_at(self, X, coef):
        return expand(self.kernel, X, self.X, coef)

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.values, b.coef)


def expand(kernel: Kernel, X, centres, coef: np.ndarray) -> np.ndarray:
    """Σ_j k(x, x_j) c_j for the rows x of X, in blocks of rows: never all of k(X, centres)."""
    out = np.empty((X.shape[0], coef.shape[1]))
    for rows in row_blocks(X.shape[0], coef.shape[0]):
        out[rows] = kernel(X[rows], centres) @ coef
    return out
