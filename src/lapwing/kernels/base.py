"""What a kernel is: a positive semi-definite function of two points; and sums and products.

The algebra lives beside the base class because ``+`` and ``*`` of every kernel return it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator

from ..linalg.numbers import is_number


class Kernel(BaseEstimator, ABC):
    """k(x, z) = ⟨φ(x), φ(z)⟩ on the rows of two matrices.

    A kernel is configuration: its constructor stores parameters. Parameters that depend on the
    data (``sigma="median"``) are resolved by :meth:`build`, which returns another kernel.
    Kernels add and multiply: ``0.5 * RBF(1.0) + Linear() * Cosine()``.
    """

    def build(self, X, random_state=None) -> Kernel:
        """The same kernel with every data-dependent parameter replaced by its number.

        ``random_state`` draws the rows of a subsample where one is needed; None is a fixed seed.
        """
        return self

    @abstractmethod
    def __call__(self, X, Z=None) -> np.ndarray:
        """The Gram matrix k(x_i, z_j), shape (n, m); Z = X where it is not given."""

    @abstractmethod
    def diagonal(self, X) -> np.ndarray:
        """k(x_i, x_i), shape (n,), without the Gram matrix."""

    def __add__(self, other) -> Kernel:
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other) -> Kernel:
        if isinstance(other, Kernel):
            return Product(self, other)
        return Scaled(self, other) if isinstance(other, Real) else NotImplemented

    def __rmul__(self, other) -> Kernel:
        return self.__mul__(other)


class Sum(Kernel):
    """k(x, z) = k₁(x, z) + k₂(x, z), written ``k1 + k2``.

    Parameters
    ----------
    left, right : Kernel

    Examples
    --------
    >>> from lapwing.kernels import Linear, Polynomial
    >>> (Linear() + Polynomial(degree=2))([[1.0]])
    array([[5.]])
    """

    def __init__(self, left, right):
        self.left = left
        self.right = right

    def build(self, X, random_state=None) -> Kernel:
        return Sum(self.left.build(X, random_state), self.right.build(X, random_state))

    def __call__(self, X, Z=None) -> np.ndarray:
        return self.left(X, Z) + self.right(X, Z)

    def diagonal(self, X) -> np.ndarray:
        return self.left.diagonal(X) + self.right.diagonal(X)


class Product(Kernel):
    """k(x, z) = k₁(x, z) · k₂(x, z), written ``k1 * k2``: PSD by Schur's product theorem.

    Parameters
    ----------
    left, right : Kernel

    Examples
    --------
    >>> from lapwing.kernels import Linear
    >>> (Linear() * Linear())([[3.0]])
    array([[81.]])
    """

    def __init__(self, left, right):
        self.left = left
        self.right = right

    def build(self, X, random_state=None) -> Kernel:
        return Product(self.left.build(X, random_state), self.right.build(X, random_state))

    def __call__(self, X, Z=None) -> np.ndarray:
        return self.left(X, Z) * self.right(X, Z)

    def diagonal(self, X) -> np.ndarray:
        return self.left.diagonal(X) * self.right.diagonal(X)


class Scaled(Kernel):
    """k(x, z) = c · k₁(x, z) with c ≥ 0, written ``c * k1``.

    Parameters
    ----------
    kernel : Kernel
    factor : float, at least 0

    Examples
    --------
    >>> from lapwing.kernels import Linear
    >>> (0.5 * Linear())([[2.0]])
    array([[2.]])
    """

    def __init__(self, kernel, factor):
        self.kernel = kernel
        self.factor = factor

    def build(self, X, random_state=None) -> Kernel:
        return Scaled(self.kernel.build(X, random_state), self._factor())

    def __call__(self, X, Z=None) -> np.ndarray:
        return self._factor() * self.kernel(X, Z)

    def diagonal(self, X) -> np.ndarray:
        return self._factor() * self.kernel.diagonal(X)

    def _factor(self) -> float:
        if not is_number(self.factor) or self.factor < 0:
            raise ValueError(
                f"The factor of a kernel is {self.factor}; it must be at least 0 and "
                f"finite, or the product is not positive semi-definite."
            )
        return float(self.factor)  # a Python float keeps a float32 Gram matrix float32
