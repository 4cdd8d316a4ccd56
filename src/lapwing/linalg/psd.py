"""Checks that a matrix is symmetric and positive semi-definite, without all its eigenvalues."""

import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgError, cholesky
from scipy.sparse.linalg import ArpackError, eigsh

from .blocks import row_blocks
from .eigenpairs import LANCZOS_FROM
from .points import canonical, largest_entry


def check_symmetric(M, name: str = "M"):
    """M as an exactly symmetric float matrix; ValueError if it is not symmetric up to rounding.

    Parameters
    ----------
    M : array or sparse matrix of shape (n, n)
    name : str
        The name of M in error messages.

    Returns
    -------
    array or csr_array of shape (n, n)
        (M + Mᵀ)/2, in float32 if M is, else in float64.

    Examples
    --------
    >>> check_symmetric([[1, 0.5], [0.5, 1]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    M = _as_float_matrix(M, name)
    if M.ndim != 2 or M.shape[0] != M.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {M.shape}.")
    if not np.isfinite(M.data if sp.issparse(M) else M).all():
        raise ValueError(f"{name} contains NaN or infinite entries; it must be finite.")
    scale, gap = largest_entry(M), _asymmetry(M)
    # 1e-8 in float64, 1e-4 in float32: the rounding of a product of matrices of ordinary size
    if gap > scale * (1e-4 if M.dtype == np.float32 else 1e-8):
        raise ValueError(
            f"{name} must be symmetric; the largest |M − Mᵀ| is {gap:.3g} where the largest entry "
            f"is {scale:.3g}. If that is rounding, pass (M + M.T) / 2."
        )
    return M if gap == 0 else (M + M.T) / 2


def check_psd(M, name: str = "M"):
    """M, if it is symmetric with ⟨f, M f⟩ ≥ 0 for all f; ValueError otherwise.

    A dense matrix is factored by Cholesky with the jitter 1e-10·‖M‖_∞. A sparse matrix passes if
    its diagonal dominates, as in any graph Laplacian. Otherwise the smallest eigenvalue that
    Lanczos finds in few steps decides. A negative one is a proof; an iteration that has not
    converged refuses no matrix. No eigendecomposition is computed.

    Parameters
    ----------
    M : array or sparse matrix of shape (n, n)
    name : str
        The name of M in error messages.

    Returns
    -------
    array or csr_array of shape (n, n)
        The result of :func:`check_symmetric`.

    Examples
    --------
    >>> check_psd([[1.0, 2.0], [2.0, 1.0]])
    Traceback (most recent call last):
    ...
    ValueError: M must be positive semi-definite; its smallest eigenvalue is about -1.
    """
    M = check_symmetric(M, name)
    norm = float(np.asarray(abs(M).sum(axis=1)).max(initial=0.0))  # ‖M‖_∞ ≥ λ_max
    if sp.issparse(M) and M.shape[0] >= LANCZOS_FROM:
        smallest = 0.0 if _diagonal_dominates(M) else _smallest_eigenvalue(M)
        negative = smallest < -_tolerance(M) * norm
    else:
        dense = M.toarray() if sp.issparse(M) else M
        negative = not _has_cholesky(dense, _tolerance(M) * norm)
        smallest = _smallest_eigenvalue(dense) if negative else 0.0
    if negative:
        raise ValueError(
            f"{name} must be positive semi-definite; its smallest eigenvalue is about "
            f"{smallest:.3g}."
        )
    return M


def _as_float_matrix(M, name: str):
    M = canonical(sp.csr_array(M)) if sp.issparse(M) else np.asarray(M)
    if M.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got dtype {M.dtype}.")
    return M if M.dtype in (np.float32, np.float64) else M.astype(np.float64)


def _tolerance(M) -> float:
    """Negative eigenvalues up to this number times ‖M‖_∞ are rounding."""
    return 1e-5 if M.dtype == np.float32 else 1e-10


def _asymmetry(M) -> float:
    """max |M_ij − M_ji|, for a dense matrix in blocks, without a transposed copy."""
    if sp.issparse(M):
        return largest_entry(M - M.T)
    bands = [
        (M[rows, rows.start :], M[rows.start :, rows].T) for rows in row_blocks(len(M), len(M))
    ]
    return max((largest_entry(upper - lower) for upper, lower in bands), default=0.0)


def _diagonal_dominates(M: sp.csr_array) -> bool:
    """Gershgorin: m_ii ≥ Σ_{j≠i} |m_ij| in each row, up to the rounding of that sum."""
    diagonal = M.diagonal()
    off = np.asarray(abs(M).sum(axis=1)).ravel() - np.abs(diagonal)
    return bool(np.all(diagonal - off >= -64 * np.finfo(M.dtype).eps * off))


def _has_cholesky(M: np.ndarray, jitter: float) -> bool:
    if jitter == 0.0:  # The zero matrix, or one without rows.
        return True
    shifted = M.astype(np.float64)
    shifted.flat[:: M.shape[0] + 1] += jitter
    try:
        cholesky(shifted, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return False
    return True


def _smallest_eigenvalue(M) -> float:
    """About the smallest eigenvalue where it is negative; 0 where Lanczos finds no negative one.

    The tolerance is a tenth of the value. A negative result is thus really negative.
    """
    if M.shape[0] < LANCZOS_FROM:
        return float(np.linalg.eigvalsh(M)[0])
    start = np.random.default_rng(0).standard_normal(M.shape[0])
    try:
        found = eigsh(M.astype(np.float64), 1, which="SA", v0=start, tol=0.1, ncv=60, maxiter=10)
    except ArpackError:  # near λ_min = 0, where Laplacians crowd
        return 0.0
    return float(found[0][0])
