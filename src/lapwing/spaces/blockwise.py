"""The RKHS without the memory: K is recomputed in blocks of rows for every product."""

import numpy as np

from ..kernels import Kernel
from .exact import KernelSections


class Blockwise(KernelSections):
    """f = Σ_j c_j k(x_j, ·) as in :class:`~lapwing.spaces.Exact`, in n·block memory.

    Functions of few sections cost what these cost: without M, one at each labeled row.

    Parameters
    ----------
    kernel : Kernel
        A built kernel.
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, kernel: Kernel, X):
        super().__init__(kernel, X, X.shape[0])

    def evaluate(self, coef):
        return self.evaluate_at(self.X, coef)

    def inner(self, a, b):
        rows = np.flatnonzero(b.coef.any(axis=1))
        if "base" in vars(a) or 2 * len(rows) > len(b.coef):
            return super().inner(a, b)
        return np.einsum("it,it->t", self.evaluate_at(self.X[rows], a.coef), b.coef[rows])
