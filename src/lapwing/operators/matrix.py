"""M = 0, and M as a matrix."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.resolvents import NoPenalty
from ..linalg.resolvents.given import matrix_resolvent
from ..linalg.sparse import spmm
from .base import PSDOperator, as_values


class ZeroOperator(PSDOperator):
    """M = 0 over n points: no intrinsic penalty.

    Examples
    --------
    >>> ZeroOperator(3).value(np.ones((3, 1)))
    array([0.])
    """

    coupling = False

    def __init__(self, n: int):
        self.n = n

    def apply(self, F):
        return np.zeros_like(as_values(F))

    def resolvent(self, B, scale):
        return NoPenalty(self.n)


class MatrixOperator(PSDOperator):
    """M as a matrix, dense or sparse.

    Parameters
    ----------
    M : array or csr_array of shape (n, n)
        Symmetric and PSD: the caller vouches for it.
    graph : WeightedGraph, optional
    """

    _remade = ("_single", "_double")

    def __init__(self, M: np.ndarray | sp.csr_array, graph: WeightedGraph | None = None):
        self.M = M if sp.issparse(M) else np.asarray(M)
        self.n = M.shape[0]
        self.graph = graph

    @cached_property
    def _single(self):
        return self.M.astype(np.float32)

    @cached_property
    def _double(self):
        return self.M.astype(np.float64, copy=False)

    def apply(self, F):
        F = as_values(F)
        M = self._single if F.dtype == np.float32 else self._double
        return spmm(M, F) if sp.issparse(M) else M @ F

    def galerkin(self, P):
        return (P.T @ (self._double @ P)).toarray() if sp.issparse(self.M) else None

    def resolvent(self, B, scale):
        return matrix_resolvent(self.M, B, scale)

    def restricted(self, at: np.ndarray) -> MatrixOperator:
        """M with all other values free, hence at their minimum: a Schur complement."""
        absent = np.setdiff1d(np.arange(self.n), at)
        kept, across, gone = self.M[at][:, at], self.M[at][:, absent], self.M[absent][:, absent]
        if not sp.issparse(self.M):
            return MatrixOperator(kept - across @ np.linalg.pinv(gone, hermitian=True) @ across.T)
        used = np.flatnonzero(np.asarray(abs(gone).sum(axis=1)).ravel())
        inverse = np.linalg.pinv(gone[used][:, used].toarray(), hermitian=True)
        across = across[:, used]
        return MatrixOperator(sp.csr_array(kept - across @ sp.csr_array(inverse) @ across.T))
