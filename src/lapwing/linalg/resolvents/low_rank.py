"""The resolvent of a penalty of low rank: a system of the order of the rank."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from ..cholesky import Cholesky, pivoted_cholesky
from .base import Resolvent, no_penalty, require_matrices, slices_of


def low_rank(V, blocks: Sequence[np.ndarray]) -> Resolvent:
    """N = V Vᵀ and B = diag(B_j) give T = V (I + Σ_j V_jᵀ B_j V_j)⁻¹ Vᵀ.

    The system has order r. The disagreement of two views at n rows has r = n, and thus costs one
    Cholesky factor of the order of a single block.

    Parameters
    ----------
    V : array or sparse matrix of shape (size, r)
    blocks : sequence of arrays of shape (n_j, n_j)
        B_j, symmetric, size = Σ n_j.
    """
    r = V.shape[1]
    if not r:
        return no_penalty(V.shape[0])
    require_matrices(3, r, "The agreement of the views")
    V = sp.csr_array(V) if sp.issparse(V) else V
    across, inner = V.T.tocsr() if sp.issparse(V) else V.T, np.eye(r)
    for at, B in zip(slices_of([len(B) for B in blocks]), blocks, strict=True):
        own = across[:, at]
        inner += own @ (own @ B).T
    factor = Cholesky(inner)
    return Resolvent(V.shape[0], lambda b: np.asarray(V @ factor.solve(across @ b)))


def psd_root(M: np.ndarray, name: str = "M") -> np.ndarray:
    """V with M = V Vᵀ and as many columns as the rank of M, by Cholesky with complete pivoting.

    It stops where the remaining diagonal is rounding, and so costs n r² for rank r. The remainder
    is of the size of rounding if and only if M is PSD. A larger one raises ValueError.

    Parameters
    ----------
    M : array of shape (n, n), symmetric
    name : str
        The name of M in error messages.

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
