"""LU factors of a dense matrix, in the precision of the matrix."""

import numpy as np
import scipy.linalg


class LU:
    """P A = L U of a C-ordered square matrix, in place and in the precision of the matrix.

    LAPACK reads columns, numpy stores rows. Factoring Aᵀ, and solving with its transpose, saves the
    n × n copy that ``scipy.linalg.lu_factor(A)`` would make.

    Parameters
    ----------
    A : C-ordered array of shape (n, n), float32 or float64; overwritten.
    """

    def __init__(self, A: np.ndarray):
        self._scale = float(max(A.max(), -A.min())) or 1.0
        A /= self._scale  # float32 must neither overflow nor underflow
        # LAPACK is called directly: lu_factor warns of a singular A, and a filter of warnings is
        # shared by all threads. Solutions are then infinite, and the caller's certificate fails.
        (getrf,) = scipy.linalg.get_lapack_funcs(("getrf",), (A,))
        self._factor = getrf(A.T, overwrite_a=True)[:2]

    def solve(self, B: np.ndarray, transposed: bool = False) -> np.ndarray:
        """A⁻¹ B or A⁻ᵀ B in float64, B of shape (n, t)."""
        lu, pivots = self._factor
        rhs = np.asarray(B / self._scale, dtype=lu.dtype, order="F")
        x = scipy.linalg.lu_solve(
            (lu, pivots), rhs, trans=int(not transposed), overwrite_b=True, check_finite=False
        )
        return np.ascontiguousarray(x, dtype=np.float64)
