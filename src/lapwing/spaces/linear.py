"""Linear functions in the primal: as many coefficients as features, X never densified."""

from __future__ import annotations

import numpy as np

from .base import Element, Space


class Linear(Space):
    """f(x) = ⟨x, w⟩; evaluate(w) = X w, represent(r) = Xᵀ r, inner(a, b) = aᵀb.

    The same functions as the linear kernel's RKHS with the same norm (MR, Efficiency Issues),
    at the price of one product with X and one with Xᵀ instead of the Gram matrix.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, X):
        self.X = X
        self.n_points, self.n_coef = X.shape

    def evaluate(self, coef):
        return np.asarray(self.X @ coef)

    def evaluate_at(self, X, coef):
        return np.asarray(X @ coef)

    def represent(self, r_M, r_loss):
        return np.asarray(self.X.T @ (r_M + r_loss))

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.coef, b.coef)
