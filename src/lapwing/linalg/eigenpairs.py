"""The largest eigenpairs of a symmetric PSD matrix, by a partial method where few are wanted."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np
import scipy.linalg
import scipy.sparse.linalg

LANCZOS_FROM = 400
"""Below this order a dense reduction is always faster."""

ATTEMPTS = ((0.0, 20, 12), (1e-9, 20, 100), (1e-6, 60, 200))
"""Relative residuals of the pairs of an operator, with the vectors that Lanczos' method keeps and
its restarts. All digits are tried first: only rounding finds copies of an eigenvalue. But products
may be solutions by iteration. Then they have ten digits, and all digits of the pairs are never
reached. Among many nearly equal eigenvalues six digits take a tenth of the time."""

LANCZOS_SHARE = 16
"""Lanczos runs where fewer than n/16 pairs are wanted: about there it overtakes LAPACK."""


def top_eigenpairs(K: np.ndarray, s: int, rtol: float = 1e-11) -> tuple[np.ndarray, np.ndarray]:
    """The s largest eigenvalues σ of K, descending, and their eigenvectors U: K ≈ U diag(σ) Uᵀ.

    Eigenvalues at or below ``rtol`` times the largest are left out, because their eigenvectors are
    rounding errors. Fewer than s pairs are therefore returned where K has lower rank. Signs are
    fixed (the entry of largest modulus is positive), so that the pairs do not depend on the
    algorithm. Where σ_s = σ_{s+1}, the choice between the two is arbitrary.

    Parameters
    ----------
    K : array or LinearOperator of shape (n, n)
        For an operator, s < n pairs are found, by Lanczos.
    s : int
        1 ≤ s ≤ n.
    rtol : float

    Returns
    -------
    values : array of shape (r,), r ≤ s
    vectors : array of shape (n, r)
    """
    values, vectors = _pairs(K, s)
    order = np.argsort(values)[::-1]
    values, vectors = values[order], vectors[:, order]
    kept = values > rtol * max(values[0], 0.0)
    values, vectors = values[kept], vectors[:, kept]
    leading = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return values, vectors * np.where(leading < 0, -1.0, 1.0)


def _pairs(K, s: int) -> tuple[np.ndarray, np.ndarray]:
    """At least the s largest pairs, ascending, by the cheapest driver that finds them all."""
    n = K.shape[0]
    if not isinstance(K, np.ndarray) or (n >= LANCZOS_FROM and s * LANCZOS_SHARE < n):
        # A fixed start makes the result a function of K alone.
        eigsh = partial(scipy.sparse.linalg.eigsh, K, s, which="LA")
        start = np.random.default_rng(0).standard_normal(n)
        if not isinstance(K, np.ndarray):
            return _by_products(eigsh, start, s)
        with suppress(scipy.sparse.linalg.ArpackError):  # no convergence, or K = 0
            return eigsh(v0=start)
    return last_eigenpairs(K, s)


def _by_products(eigsh: Callable, start: np.ndarray, s: int) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of an operator, to as many digits as its products allow in reasonable time."""
    for tol, kept, restarts in ATTEMPTS:
        how = {"tol": tol, "ncv": min(len(start), max(2 * s + 1, kept)), "maxiter": restarts}
        try:
            return eigsh(v0=start, **how)
        except scipy.sparse.linalg.ArpackNoConvergence as error:
            failed = error
    raise failed


def last_eigenpairs(K: np.ndarray, s: int) -> tuple[np.ndarray, np.ndarray]:
    """The s largest eigenvalues of a dense symmetric K, ascending, and their eigenvectors.

    Where many eigenvalues are nearly equal (a narrow kernel: K ≈ I), LAPACK's partial driver
    silently returns too few pairs. All pairs are then computed.

    Examples
    --------
    >>> last_eigenpairs(np.eye(60) - 1 / 60, 2)[0].round(6)
    array([1., 1.])
    """
    n = len(K)
    if 2 * s < n:
        values, vectors = scipy.linalg.eigh(K, subset_by_index=[n - s, n - 1])
        if len(values) == s:
            return values, vectors
    # Divide and conquer computes all pairs faster than the other drivers half of them.
    values, vectors = scipy.linalg.eigh(K, driver="evd")
    return values[n - s :], vectors[:, n - s :]
