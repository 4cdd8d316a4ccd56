"""Vector-valued functions: an operator-valued kernel k(x, z)·Q, and sums of such kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .base import Element, Space


class Separable(Space):
    """K(x, z) = k(x, z) Q over a scalar space S: the outputs share strength through Q.

    evaluate(A) = S.evaluate(A) Q, represent(R) = S.represent(R), inner(A, B) = tr(S(A, B) Q).
    Coefficients are (m, q), one column per output. Directions in the null space of Q carry no
    function; their coefficients are free and count for nothing in the metric.

    Parameters
    ----------
    space : Space
        S, with one readout per value (no intercept: wrap that around this space).
    Q : array of shape (q, q)
        Symmetric PSD.

    References
    ----------
    VV eq. 16 and §5, G = G_k ⊗ Q.
    """

    def __init__(self, space: Space, Q: np.ndarray):
        self.space = space
        self.Q = Q
        self.n_points = space.n_points
        self.n_coef = space.n_coef

    def evaluate(self, coef):
        return self.space.evaluate(coef @ self.Q)

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, coef @ self.Q)

    def represent(self, r_M, r_loss):
        return self.space.represent(r_M, r_loss)

    def inner(self, a: Element, b: Element):
        mixed = Element(self.space, a.coef @ self.Q, source=a)
        return self.space.inner(mixed, Element(self.space, b.coef)).sum(keepdims=True)


class SeparableSum(Space):
    """K(x, z) = Σ_r k_r(x, z) Q_r: one set of coefficients, f = Σ_r Σ_j k_r(·, x_j) Q_r a_j.

    Parameters
    ----------
    terms : sequence of Separable
        Over the same points, each scalar space spanned by its kernel sections (``Exact`` or
        ``Blockwise``): there represent is the identity and inner the values against the
        coefficients, for the sum as for its terms.
    """

    def __init__(self, terms: Sequence[Separable]):
        self.terms = tuple(terms)
        self.n_points = self.n_coef = terms[0].n_points

    def evaluate(self, coef):
        return sum(term.evaluate(coef) for term in self.terms)

    def evaluate_at(self, X, coef):
        return sum(term.evaluate_at(X, coef) for term in self.terms)

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.vdot(a.values, b.coef).reshape(1)
