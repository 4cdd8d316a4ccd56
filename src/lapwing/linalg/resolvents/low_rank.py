"""A penalty of low rank: a system of the order of the rank."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from ..cholesky import pivoted_cholesky
from .base import Cholesky, Resolvent


class LowRank(Resolvent):
    """N = V Vᵀ gives T = V (I + Vᵀ B V)⁻¹ Vᵀ: symmetric, PSD, and of order r.

    Parameters
    ----------
    V : array or sparse matrix of shape (size, r)
    apply_B : callable
        F ↦ B F.
    """

    def __init__(self, V, apply_B: Callable[[np.ndarray], np.ndarray]):
        self.V = V
        self.size = V.shape[0]
        dense = V.toarray() if sp.issparse(V) else V
        inner = np.asarray(V.T @ apply_B(dense))
        inner.flat[:: len(inner) + 1] += 1.0
        self._factor = Cholesky(inner) if len(inner) else None

    def apply(self, b):
        if self._factor is None:
            return np.zeros_like(b)
        return np.asarray(self.V @ self._factor.solve(np.asarray(self.V.T @ b)))


def psd_root(M: np.ndarray, name: str = "M") -> np.ndarray:
    """V with M = V Vᵀ and as many columns as M has rank, by Cholesky with complete pivoting.

    It stops where the remaining diagonal is rounding, so it costs n r² for rank r. What then
    remains is of the size of rounding if and only if M is PSD: an error otherwise.

    Parameters
    ----------
    M : array of shape (n, n), symmetric
    name : str
        How error messages call it.

    Examples
    --------
    >>> psd_root(np.ones((3, 3))).shape
    (3, 1)
    """
    V, kept = pivoted_cholesky(M)
    scale = float(np.abs(M).max(initial=0.0))
    gap = float(np.abs(M - V @ V.T).max()) if len(kept) < len(M) else 0.0
    if gap > 1e-8 * scale:
        raise ValueError(
            f"{name} must be positive semi-definite; a Cholesky factorisation with pivoting "
            f"leaves a remainder of {gap:.3g} where the largest entry is {scale:.3g}."
        )
    return V
