"""Cholesky factors: with pivots, of low rank; and with a repair after rounding."""

import numpy as np
import scipy.linalg
from scipy.linalg import lapack


def pivoted_cholesky(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """C of shape (n, r) with K = C Cᵀ up to a PSD rest below n · machine precision · max diagonal.

    Gram matrices are often singular (duplicate rows, smooth kernels, a linear kernel with fewer
    features than rows). Pivoting finds the rank r on the way. Further computations with C then cost
    as little as that rank allows. K is not changed.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric PSD.

    Returns
    -------
    C : array of shape (n, r)
        r = 0 where K = 0.
    kept : integer array of shape (r,)
        Rows of K that span all rows, the best first: C[kept] is lower triangular.

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
    # K is symmetric: K.T is K in LAPACK's column order, without a copy.
    factor, pivots, rank, info = lapack.dpstrf(K.T, lower=1, tol=rtol * largest)
    if info < 0:
        raise ValueError(f"dpstrf rejected its argument {-info}: the matrix holds NaN or infinity.")
    C = np.empty((n, rank))
    C[pivots - 1] = np.tril(factor[:, :rank])
    return C, pivots[:rank] - 1


class Cholesky:
    """A = L Lᵀ for a symmetric positive definite A.

    Rounding may have made A indefinite (I + B with ‖B‖ near 1/ε). The smallest multiple of ε ·
    trace that repairs it is then added to the diagonal. The certificate of the caller shows the
    effect.

    Parameters
    ----------
    A : C-ordered array of shape (n, n); overwritten.
    ridge : float, default=0
        Always added to the diagonal.

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
            # LAPACK reads columns: it sees the C-ordered A as Aᵀ, and writes the upper triangle
            # of Aᵀ, the lower one of A. It is called directly, because scipy's checks take as
            # long as a small factor, of which there are thousands.
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
    """Rebuild A from its upper triangle, which a failed factorization leaves unchanged."""
    upper = np.triu(A, 1)
    np.add(upper, upper.T, out=A)
    A.flat[:: len(A) + 1] = diagonal
