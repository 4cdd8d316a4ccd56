"""M = V Vᵀ, given by its factor V."""

from __future__ import annotations

import numpy as np

from ..linalg.points import dense_rows
from ..linalg.resolvents import low_rank
from .base import PSDOperator, as_values


class FactoredOperator(PSDOperator):
    """V Vᵀ, applied as two products.

    Parameters
    ----------
    V : array or csr_array of shape (n, r)
    """

    def __init__(self, V):
        self.V = V
        self.n = V.shape[0]

    def apply(self, F):
        F = as_values(F)
        return np.asarray(self.V @ (self.V.T @ F)).astype(F.dtype, copy=False)

    def resolvent(self, B, scale):
        """By a Cholesky factor of order r; r = n for the disagreement of two views of n rows."""
        return low_rank(np.sqrt(scale) * self.V, B)

    def restricted(self, at: np.ndarray) -> FactoredOperator:
        """M on the values ``at``, with the other values at their minimum.

        The part of Vᵀf that the other values can cancel is removed from V.
        """
        absent = np.setdiff1d(np.arange(self.n), at)
        V, gone = dense_rows(self.V, at), dense_rows(self.V, absent)
        return FactoredOperator(V - V @ np.linalg.pinv(gone) @ gone)
