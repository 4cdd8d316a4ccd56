"""The inverse heat semigroup e^{tL}, by its Chebyshev expansion."""

from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.special import ive

from ..graphs import WeightedGraph
from ..linalg.blocks import batches
from ..linalg.chebyshev import chebyshev_sum
from .base import MatrixOperator, PSDOperator, as_values


class HeatOperator(PSDOperator):
    """e^{tL} = Σ_k c_k T_k(2L/b − I), c_k = (2 − δ_k0) e^{tb/2} I_k(tb/2), with b ≥ λ_max.

    T_k are Chebyshev polynomials. I_k are modified Bessel functions of the first kind. λ_max is the
    largest eigenvalue of L.
    """

    _remade = ("matrix",)

    def __init__(self, L: sp.csr_array, t: float, bound: float, graph: WeightedGraph):
        # For a graph without edges only c_0 = 1 is left, and any positive b is correct.
        self._step = MatrixOperator(L * (2.0 / bound) if bound > 0 else L)
        self.coefficients = _chebyshev_of_exponential(t * bound / 2.0)
        self.n, self._nnz = graph.n, L.nnz
        self.graph = graph

    @property
    def held(self) -> bool:
        """Whether a product with the dense matrix is cheaper than the expansion."""
        return self.n**2 <= len(self.coefficients) * self._nnz

    @cached_property
    def matrix(self) -> np.ndarray:
        """The matrix e^{tL}, (n, n)."""
        return self._columns(np.eye(self.n))

    def apply(self, F):
        F = as_values(F)
        if self.held:
            return (self.matrix @ F).astype(F.dtype, copy=False)
        return self._columns(F)

    def _columns(self, F):
        """e^{tL} F, for 64 columns at a time: the recursion stores five arrays of their size."""
        G = np.empty_like(F)
        for some in batches(F.shape[1], 64):
            part = np.ascontiguousarray(F[:, some])
            G[:, some] = chebyshev_sum(lambda V: self._step.apply(V) - V, self.coefficients, part)
        return G


def _chebyshev_of_exponential(a: float) -> list[float]:
    """c_k with e^{a(1 + x)} = Σ_k c_k T_k(x) on [−1, 1], up to the last above rounding."""
    k = np.arange(int(a + 12.0 * np.sqrt(a)) + 32)
    relative = np.where(k == 0, 1.0, 2.0) * ive(k, a)  # They sum to 1: c_k / e^{2a}.
    kept = relative[: int(np.flatnonzero(relative > np.finfo(float).eps / 8).max()) + 1]
    return [float(c) for c in np.exp(2.0 * a) * kept]
