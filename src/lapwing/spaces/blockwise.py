"""The RKHS without the memory: K is recomputed in blocks of rows for every product."""

from ..kernels import Kernel
from .exact import KernelSections


class Blockwise(KernelSections):
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
        return self.evaluate_at(self.X, coef)
