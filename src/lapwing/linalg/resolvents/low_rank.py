"""A penalty of low rank: a system of the order of the rank."""

import numpy as np
import scipy.sparse as sp

from ..cholesky import Cholesky, pivoted_cholesky
from .base import Product, Resolvent, no_penalty


def low_rank(V, apply_B: Product) -> Resolvent:
    """N = V Vᵀ gives T = V (I + Vᵀ B V)⁻¹ Vᵀ: symmetric, PSD, and of order r.

    Parameters
    ----------
    V : array or sparse matrix of shape (size, r)
    apply_B : callable
        F ↦ B F.
    """
    inner = np.asarray(V.T @ apply_B(V.toarray() if sp.issparse(V) else V))
    if not len(inner):
        return no_penalty(V.shape[0])
    inner.flat[:: len(inner) + 1] += 1.0
    factor = Cholesky(inner)
    return Resolvent(V.shape[0], lambda b: np.asarray(V @ factor.solve(np.asarray(V.T @ b))))


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
            f"{name} must be positive semi-definite; a Cholesky factorization with pivoting "
            f"leaves a remainder of {gap:.3g} where the largest entry is {scale:.3g}."
        )
    return V
