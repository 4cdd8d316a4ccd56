"""The base class of kernels (positive semi-definite functions of two rows), sums and products.

Sums and products are in this file because ``+`` and ``*`` of every kernel return them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..parameters.arguments import from_name
from ..parameters.checks import is_number
from ..parameters.spelling import NamedParameters
from ..types import MatrixLike, RandomState


class Kernel(NamedParameters, ABC):
    """k(x, z) = ⟨φ(x), φ(z)⟩ on the rows of two matrices.

    The constructor only stores parameters. Some parameters depend on the data, such as
    ``sigma="median"``. :meth:`build` computes them and returns another kernel.

    Kernels can be added and multiplied: ``0.5 * RBF(1.0) + Linear() * Cosine()``. A sum or product
    is ``precomputed`` or ``user_given`` if one of its parts is. A precomputed kernel may return the
    given array itself. Every other kernel returns a new array, and the caller may overwrite it.
    """

    _made_of: tuple[str, ...] = ()  # the parameters that are kernels

    @property
    def precomputed(self) -> bool:
        """Whether X is the Gram matrix itself. There are then no points."""
        return any(part.precomputed for part in self._parts())

    @property
    def user_given(self) -> bool:
        """Whether the user gave a matrix or a function. It must then be checked to be PSD."""
        return any(part.user_given for part in self._parts())

    @property
    def takes_missing(self) -> bool:
        """Whether rows may hold NaN. The kernel then does without these columns of the row."""
        return False

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Kernel:
        """Return the same kernel with a number for each parameter that depends on the data.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d)
            The training rows.
        random_state : int, RandomState or None
            The seed that draws a sample if there are many rows. None is a fixed seed.
        """
        return self

    def resized(self, X: MatrixLike) -> Kernel:
        """Return the built kernel with new widths: its rules are applied to the rows of X."""
        return self

    @abstractmethod
    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        """The Gram matrix k(x_i, z_j), shape (n, m). None for Z means Z = X."""

    @abstractmethod
    def diagonal(self, X: MatrixLike) -> np.ndarray:
        """k(x_i, x_i), shape (n,), computed without the Gram matrix."""

    def features(self, X: MatrixLike) -> MatrixLike:
        """Φ of shape (n, m) with k(X, Z) = Φ(X)Φ(Z)ᵀ, dense or CSR. None if m is too large."""
        return None

    def _parts(self) -> list[Kernel]:
        """Check and return the kernels that this kernel combines."""
        parts: list[Kernel] = [
            from_name(getattr(self, name), name, Kernel, {}) for name in self._made_of
        ]
        if len({part.precomputed for part in parts}) > 1:
            raise ValueError(
                f"{' and '.join(map(repr, parts))} cannot be combined: X is either a precomputed "
                f"Gram matrix or the points themselves. Combine the two Gram matrices and give "
                f"the result with kernel='precomputed'."
            )
        return parts

    def __add__(self, other: Any) -> Kernel:
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: Any) -> Kernel:
        if isinstance(other, Kernel):
            return Product(self, other)
        return Scaled(self, other) if isinstance(other, Real) else NotImplemented

    def __rmul__(self, other: Any) -> Kernel:
        return self.__mul__(other)


class _Pair(Kernel):
    """Two kernels whose values are combined entry by entry."""

    _made_of = ("left", "right")
    _combine: np.ufunc

    def __init__(self, left: Any, right: Any) -> None:
        self.left = left
        self.right = right

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Kernel:
        return type(self)(*(part.build(X, random_state) for part in self._parts()))

    def resized(self, X: MatrixLike) -> Kernel:
        return type(self)(*(part.resized(X) for part in self._parts()))

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        return self._combine(*(part(X, Z) for part in self._parts()))

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return self._combine(*(part.diagonal(X) for part in self._parts()))


class Sum(_Pair):
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

    _combine = np.add

    def features(self, X: MatrixLike) -> MatrixLike:
        parts = [part.features(X) for part in self._parts()]
        if any(part is None for part in parts):
            return None
        return sp.hstack(parts, "csr") if any(map(sp.issparse, parts)) else np.hstack(parts)


class Product(_Pair):
    """k(x, z) = k₁(x, z) · k₂(x, z), written ``k1 * k2``. It is PSD by Schur's product theorem.

    Parameters
    ----------
    left, right : Kernel

    Examples
    --------
    >>> from lapwing.kernels import Linear
    >>> (Linear() * Linear())([[3.0]])
    array([[81.]])
    """

    _combine = np.multiply


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

    _made_of = ("kernel",)

    def __init__(self, kernel: Any, factor: Any) -> None:
        self.kernel = kernel
        self.factor = factor

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Kernel:
        return Scaled(self._parts()[0].build(X, random_state), self._factor())

    def resized(self, X: MatrixLike) -> Kernel:
        return Scaled(self._parts()[0].resized(X), self._factor())

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        return self._factor() * self._parts()[0](X, Z)

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return self._factor() * self._parts()[0].diagonal(X)

    def features(self, X: MatrixLike) -> MatrixLike:
        phi = self._parts()[0].features(X)
        return None if phi is None else math.sqrt(self._factor()) * phi

    def _factor(self) -> float:
        if not is_number(self.factor) or self.factor < 0:
            raise ValueError(
                f"The factor of a kernel is {self.factor}; it must be at least 0 and "
                f"finite, or the product is not positive semi-definite."
            )
        return float(self.factor)  # a Python float keeps a float32 Gram matrix float32
