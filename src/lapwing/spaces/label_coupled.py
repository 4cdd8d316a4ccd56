"""A space whose ambient penalty ties the columns by a graph between the labels."""

from __future__ import annotations

import numpy as np

from .base import Element, Space


class LabelCoupled(Space):
    """The functions of a space with ⟨W, P W⟩ = tr(W L_m Wᵀ): P acts on the columns, W ↦ W L_m.

    Label directions in the null space of L_m are left free. The metric itself stays the
    space's, summed over the columns, since the columns are one problem now.

    Parameters
    ----------
    space : Space
    laplacian : array of shape (t, t)
        L_m, symmetric PSD.

    References
    ----------
    MT eqs. 3 and 5 (the double sum of eq. 5 is twice the trace).
    """

    def __init__(self, space: Space, laplacian: np.ndarray):
        self.space = space
        self.laplacian = laplacian
        self.n_points = space.n_points
        self.n_coef = space.n_coef

    def evaluate(self, coef):
        return self.space.evaluate(coef)

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, coef)

    def represent(self, r_M, r_loss):
        return self.space.represent(r_M, r_loss)

    def inner(self, a: Element, b: Element):
        return self.space.inner(a, b).sum(keepdims=True)

    def penalized(self, coef):
        return np.asarray(coef @ self.laplacian)
