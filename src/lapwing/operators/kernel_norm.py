"""The norm of another kernel's space: M = (K + εI)⁻¹."""

from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ..kernels import Kernel
from .base import PSDOperator, as_values


class KernelNormOperator(PSDOperator):
    """(K + εI)⁻¹ by a Cholesky factor, which is computed when first needed and never saved.

    Parameters
    ----------
    kernel : Kernel
        The built kernel of K.
    X : array or CSR matrix of shape (n, d)
        The points.
    jitter : float > 0
        ε divided by the mean of the diagonal of K.
    """

    _remade = ("factor",)

    def __init__(self, kernel: Kernel, X, jitter: float):
        self.kernel = kernel
        self.X = X
        self.jitter = jitter
        self.n = X.shape[0]

    @cached_property
    def factor(self) -> tuple[np.ndarray, bool]:
        """The factor of K + εI, (n, n), as :func:`scipy.linalg.cho_factor` returns it."""
        K = np.array(self.kernel(self.X), dtype=np.float64)
        mean = float(np.trace(K)) / self.n
        # K = 0 (rows of zeros, linear kernel) has no scale: ε = jitter.
        K.flat[:: self.n + 1] += self.jitter * (mean if mean > 0 else 1.0)
        return cho_factor(K, lower=True, overwrite_a=True)

    def apply(self, F):
        F = as_values(F)
        # Solved in double precision: with the condition number of K, float32 has no digits left.
        return cho_solve(self.factor, F.astype(np.float64), check_finite=False).astype(F.dtype)
