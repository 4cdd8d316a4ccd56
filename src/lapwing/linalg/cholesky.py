"""A symmetric PSD matrix as C Cᵀ with no more columns than it has rank."""

import numpy as np
from scipy.linalg import lapack


def pivoted_cholesky(K: np.ndarray, rtol: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """C of shape (n, r) with K = C Cᵀ up to a PSD rest below ``rtol`` · max diagonal.

    Gram matrices are singular as often as not (duplicate rows, smooth kernels, a linear kernel
    with fewer features than rows). Pivoting finds the rank on the way, and everything computed
    from C is then as small as that rank. K is not changed.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric PSD.
    rtol : float, optional
        n · machine precision by default.

    Returns
    -------
    C : array of shape (n, r)
        r = 0 where K vanishes.
    kept : integer array of shape (r,)
        The rows whose columns of K span it, best first: C[kept] is lower triangular.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0], [2.0], [2.0]])
    >>> C, kept = pivoted_cholesky(x @ x.T)
    >>> C.shape, bool(np.allclose(C @ C.T, x @ x.T))
    ((3, 1), True)
    """
    n = K.shape[0]
    largest = float(np.max(np.diagonal(K), initial=0.0))
    if largest <= 0.0:
        return np.zeros((n, 0)), np.zeros(0, dtype=int)
    rtol = n * np.finfo(np.float64).eps if rtol is None else rtol
    # K is symmetric, so K.T is K in the column order LAPACK wants, without a transposing copy.
    factor, pivots, rank, info = lapack.dpstrf(K.T, lower=1, tol=rtol * largest)
    if info < 0:
        raise ValueError(f"dpstrf rejected its argument {-info}: the matrix holds NaN or infinity.")
    C = np.empty((n, rank))
    C[pivots - 1] = np.tril(factor[:, :rank])
    return C, pivots[:rank] - 1
