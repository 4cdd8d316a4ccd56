"""What a kernel is: a positive semi-definite function of two points, on matrices of points."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator


class Kernel(BaseEstimator, ABC):
    """k(x, z) = ⟨φ(x), φ(z)⟩ on the rows of two matrices.

    A kernel is configuration: its constructor stores parameters. Parameters that depend on the
    data (``sigma="median"``) are resolved by :meth:`build`, which returns another kernel.
    Kernels add and multiply: ``0.5 * RBF(1.0) + Linear() * Cosine()``.
    """

    def build(self, X) -> Kernel:
        """The same kernel with every data-dependent parameter replaced by its number."""
        return self

    @abstractmethod
    def __call__(self, X, Z=None) -> np.ndarray:
        """The Gram matrix k(x_i, z_j), shape (n, m); Z = X where it is not given."""

    @abstractmethod
    def diagonal(self, X) -> np.ndarray:
        """k(x_i, x_i), shape (n,), without the Gram matrix."""

    def __add__(self, other) -> Kernel:
        from .algebra import Sum

        return Sum(self, other)

    def __mul__(self, other) -> Kernel:
        from .algebra import Product, Scaled

        return Product(self, other) if isinstance(other, Kernel) else Scaled(self, other)

    __rmul__ = __mul__
