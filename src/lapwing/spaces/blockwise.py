"""The RKHS without the memory: K is recomputed in blocks of rows for every product."""

from functools import cached_property

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import row_blocks
from .exact import KernelSections, expand


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

    @cached_property
    def _block(self) -> np.ndarray | None:
        """K where one block holds it all: it is then kept, as one block always is."""
        few = len(row_blocks(self.n_points, self.n_points)) == 1
        return np.asarray(self.kernel(self.X), dtype=np.float64) if few else None

    def __getstate__(self) -> dict:
        return {name: part for name, part in vars(self).items() if name != "_block"}

    def evaluate(self, coef):
        if self._block is not None:
            return self._block @ coef
        return expand(self.kernel, self.X, self.X, coef)
