"""The space of a kernel without its Gram matrix: every product recomputes K in blocks of rows."""

from functools import cached_property

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import row_blocks
from .exact import KernelSections


class Blockwise(KernelSections):
    """f = Σ_j c_j k(x_j, ·) as in :class:`~lapwing.spaces.Exact`, without storing K.

    A product takes memory for n · block numbers. Its time grows with the number of rows of c that
    are not zero. Without a penalty M these are the labeled rows only.

    Parameters
    ----------
    kernel : Kernel
        A built kernel.
    X : array or CSR matrix of shape (n, d)
        The training points.
    """

    def __init__(self, kernel: Kernel, X):
        super().__init__(kernel, X, X.shape[0])

    @cached_property
    def _block(self) -> np.ndarray:
        """K, (n, n), if one block holds all of it; else empty. A block is in memory anyway."""
        few = len(row_blocks(self.n_points, self.n_points)) == 1
        return np.asarray(self.kernel(self.X), dtype=np.float64) if few else np.empty((0, 0))

    def __getstate__(self) -> dict:
        return {name: part for name, part in vars(self).items() if name != "_block"}

    def evaluate(self, coef):
        return self._block @ coef if len(self._block) else self.evaluate_at(self.X, coef)

    def inner(self, a, b):
        rows = np.flatnonzero(b.coef.any(axis=1))
        if "base" in vars(a) or 2 * len(rows) > len(b.coef):
            return super().inner(a, b)
        return np.einsum("it,it->t", self.evaluate_at(self.X[rows], a.coef), b.coef[rows])
