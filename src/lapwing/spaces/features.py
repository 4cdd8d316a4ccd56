"""Linear functions of explicit features, with one coefficient per feature."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..kernels import Linear
from ..linalg.sparse import SparseState
from .base import Element, Space
from .covariance import FeatureCovariance
from .exact import expand
from .systems import by_pencil, closed_form


class Features(SparseState, Space):
    """f(x) = ⟨φ(x), w⟩; evaluate(w) = Z w, represent(r) = Zᵀ r, inner(a, b) = aᵀb.

    Where φ is the identity, these are the functions of the linear kernel, with the same norm, in
    the primal (MR, "Efficiency Issues"). An iteration takes one product with X and one with Xᵀ
    instead of the Gram matrix. A sparse X is never densified.

    Parameters
    ----------
    Z : array or CSR matrix of shape (n, m)
        φ at the training points.
    feature_map : callable
        X ↦ φ at the rows of any X.
    X : array or CSR matrix of shape (n, d), optional
        The training points. Where they are given, a saved space recomputes Z and does not store it.
    """

    def __init__(self, Z, feature_map: Callable, X=None):
        self.Z = Z
        self.feature_map = feature_map
        self.X = X
        self.n_points, self.n_coef = Z.shape

    @cached_property
    def Z(self):
        """φ at the training points, (n, m). A space that was saved without it computes it again."""
        return self.feature_map(self.X)

    def __getstate__(self) -> dict:
        state = super().__getstate__()
        if self.X is not None:
            state.pop("Z", None)
        return state

    def evaluate(self, coef):
        return np.asarray(self.Z @ coef)

    def evaluate_at(self, X, coef):
        return expand(lambda rows, _: self.feature_map(rows), X, None, coef)

    def represent(self, r_M, r_loss):
        return np.asarray(self.Z.T @ (r_M + r_loss))

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.coef, b.coef)

    @property
    def covariance(self):
        return FeatureCovariance(self, self.feature_map)

    def system(self, gamma_A, form, n_shifts=1):
        if sp.issparse(self.Z):
            return by_pencil(self, gamma_A, form)
        return closed_form(self, gamma_A, form, lambda at: np.ascontiguousarray(self.Z[:, at]))


def linear(X) -> Features:
    """The space of the linear kernel over the rows of X, (n, d), dense or CSR."""
    return Features(X, Linear().features)
