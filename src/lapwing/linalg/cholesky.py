"""Cholesky factors: with pivots, of no more columns than the rank; and repaired after rounding."""

import numpy as np
import scipy.linalg
from scipy.linalg import lapack


def pivoted_cholesky(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """C of shape (n, r) with K = C Cᵀ up to a PSD rest below n · machine precision · max diagonal.

    Gram matrices are singular as often as not (duplicate rows, smooth kernels, a linear kernel
    with fewer features than rows). Pivoting finds the rank on the way, and everything computed
    from C is then as small as that rank. K is not changed.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric PSD.

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
    rtol = n * np.finfo(np.float64).eps
    # K is symmetric, so K.T is K in the column order LAPACK wants, without a transposing copy.
    factor, pivots, rank, info = lapack.dpstrf(K.T, lower=1, tol=rtol * largest)
    if info < 0:
        raise ValueError(f"dpstrf rejected its argument {-info}: the matrix holds NaN or infinity.")
    C = np.empty((n, rank))
    C[pivots - 1] = np.tril(factor[:, :rank])
    return C, pivots[:rank] - 1


class Cholesky:
    """A = L Lᵀ for a symmetric positive definite A.

    Where rounding has made A indefinite (I + B with ‖B‖ near 1/ε), the smallest multiple of
    ε · trace that mends it is added to the diagonal: the caller's certificate tells what that
    costs.

    Parameters
    ----------
    A : C-ordered array of shape (n, n); overwritten.
    ridge : float, default=0
        What is added to the diagonal in any case.

    Examples
    --------
    >>> import numpy as np
    >>> Cholesky(np.array([[4.0, 2.0], [2.0, 2.0]])).solve(np.array([[2.0], [2.0]])).ravel()
    array([0., 1.])
    """

    def __init__(self, A: np.ndarray, ridge: float = 0.0):
        diagonal, jitter = A.diagonal() + ridge, 0.0
        trace = float(diagonal.sum())
        A.flat[:: len(A) + 1] = diagonal
        while True:
            # LAPACK wants columns: of the C-ordered A it sees Aᵀ and writes its upper triangle,
            # A's lower one. Itself, since there are thousands of small ones, and scipy's checks
            # take as long.
            self._factor, failed = lapack.dpotrf(A.T, lower=0, clean=0, overwrite_a=True)
            if not failed:
                return
            jitter = max(10.0 * jitter, np.finfo(float).eps * trace, ridge)
            if not 0.0 < jitter < trace:
                raise ValueError(
                    "The penalties differ so much in size that rounding leaves nothing of "
                    "the smaller one: lower gamma_I and gamma_C, or raise gamma_A."
                )
            _restore(A, diagonal + jitter)

    def solve(self, B: np.ndarray) -> np.ndarray:
        """A⁻¹ B."""
        return scipy.linalg.cho_solve((self._factor, False), B, check_finite=False)


def _restore(A: np.ndarray, diagonal: np.ndarray) -> None:
    """A from its upper triangle, which a failed factorization leaves as it was."""
    upper = np.triu(A, 1)
    np.add(upper, upper.T, out=A)
    A.flat[:: len(A) + 1] = diagonal
