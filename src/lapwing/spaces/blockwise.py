"""The RKHS without the memory: K is recomputed in blocks of rows for every product."""

from __future__ import annotations

import numpy as np

from ..kernels import Kernel
from .base import Element, Space
from .exact import expand


class Blockwise(Space):
    """f = Σ_j c_j k(x_j, ·) as in :class:`~lapwing.spaces.Exact`, in n·block memory.

    Parameters
    ----------
    kernel : Kernel
        A built kernel.
    X : array or CSR matrix of shape (n, d)
    """

    def __init__(self, kernel: Kernel, X):
        self.kernel = kernel
        self.X = X
        self.n_points = self.n_coef = X.shape[0]

    def evaluate(self, coef):
        return expand(self.kernel, self.X, self.X, coef)

    def evaluate_at(self, X, coef):
        return expand(self.kernel, X, self.X, coef)

    def represent(self, r_M, r_loss):
        return r_M + r_loss

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.values, b.coef)
