"""The RKHS without the memory: K is recomputed in blocks of rows for every product."""

from __future__ import annotations

from ..kernels import Kernel
from .exact import Sections, expand


class Blockwise(Sections):
    """f = Σ_j c_j k(x_j, ·) as in :class:`~lapwing.spaces.Exact`, in n·block memory.

    Parameters
    ----------
    kernel : Kernel
        A built kernel.
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, kernel: Kernel, X):
        super().__init__(kernel, X, X.shape[0])

    def evaluate(self, coef):
        return expand(self.kernel, self.X, self.X, coef)

    def pencil(self, form, n_shifts):
        return None
