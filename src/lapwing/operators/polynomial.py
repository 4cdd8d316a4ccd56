"""Polynomials of a matrix, its powers among them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from .base import PSDOperator, as_values
from .matrix import MatrixOperator


class PolynomialOperator(PSDOperator):
    """Σ_p c_p L^p, applied as len(c) − 1 sparse products."""

    def __init__(self, L: sp.csr_array, coefficients: np.ndarray, graph: WeightedGraph):
        self.L = MatrixOperator(L)
        self.coefficients = tuple(float(c) for c in coefficients)
        self.n = graph.n
        self.graph = graph

    def apply(self, F):
        F = as_values(F)
        *lower, top = self.coefficients
        G = F if lower and top == 1.0 else top * F
        for c in reversed(lower):
            G = self.L.apply(G)
            if c:
                G += c * F
        return G

    def norm_bound(self):
        """Σ_p |c_p| b^p, b = max_i (|L| z)_i/z_i ≥ ‖L‖ for any z > 0; z is √degree."""
        assert self.graph is not None
        degrees = self.graph.degrees
        z = np.sqrt(np.where(degrees > 0, degrees, 1.0))
        b = float(np.max((abs(self.L.M) @ z) / z, initial=0.0))
        return float(sum(abs(c) * b**p for p, c in enumerate(self.coefficients)))

    def galerkin(self, P):
        """Σ_p c_p (L^⌊p/2⌋ P)ᵀ (L^⌈p/2⌉ P)."""
        L, powers = self.L.M, [P]
        for _ in range(len(self.coefficients) // 2):
            powers.append(L @ powers[-1])
        out = np.zeros((P.shape[1], P.shape[1]))
        for p, c in enumerate(self.coefficients):
            if c:
                out += c * (powers[p // 2].T @ powers[p - p // 2]).toarray()
        return out


def power(L: sp.csr_array, degree: int, scale: float, graph: WeightedGraph) -> PolynomialOperator:
    """s L^p."""
    return PolynomialOperator(L, np.append(np.zeros(degree), scale), graph)
