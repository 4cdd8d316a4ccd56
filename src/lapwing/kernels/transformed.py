"""A kernel on transformed rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator

from ..linalg.points import as_pair, as_points
from ..types import MatrixLike, RandomState
from .base import Kernel


class Transformed(Kernel):
    """k(x, z) = k₁(T x, T z), where T is a scikit-learn transformer fitted to the training rows.

    ``Transformed(RBF(), StandardScaler())`` scales each column first.
    ``Transformed(Linear(), PCA(10))`` uses the leading principal components of all rows, labeled
    and unlabeled. :class:`lapwing.graphs.Transformed` does the same for graphs.

    Parameters
    ----------
    kernel : Kernel
        The kernel k₁.
    transformer : transformer
        :meth:`build` fits a copy of it. A ``FrozenEstimator`` is used as it is.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> from lapwing.kernels import Linear
    >>> X = [[0.0, 10.0], [2.0, 30.0]]
    >>> Transformed(Linear(), StandardScaler()).build(X)(X)
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    _made_of = ("kernel",)

    def __init__(self, kernel: Any, transformer: Any) -> None:
        self.kernel = kernel
        self.transformer = transformer

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Transformed:
        kernel, X, frozen = self._inner(), as_points(X), self.transformer
        if not self._frozen:
            frozen = FrozenEstimator(clone(frozen).fit(X))  # clone() leaves it fitted
        return Transformed(kernel.build(frozen.transform(X), random_state), frozen)

    def resized(self, X: MatrixLike) -> Transformed:
        return Transformed(self._inner().resized(self._seen(X)), self.transformer)

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        X, Z = as_pair(X, Z)
        return self._inner()(self._seen(X), None if Z is X else self._seen(Z))

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return self._inner().diagonal(self._seen(X))

    def features(self, X: MatrixLike) -> MatrixLike:
        return self._inner().features(self._seen(X))

    @property
    def _frozen(self) -> bool:
        return isinstance(self.transformer, FrozenEstimator)

    def _inner(self) -> Kernel:
        (kernel,) = self._parts()
        if kernel.precomputed:
            raise ValueError(
                f"{self.transformer!r} has no points to transform: X is a precomputed Gram matrix. "
                "Transform the points before their Gram matrix is computed."
            )
        return kernel

    def _seen(self, X: MatrixLike):
        if not self._frozen:
            raise ValueError(
                f"{self.transformer!r} is not fitted yet: call build(X) with the training rows and "
                "use the kernel it returns."
            )
        return self.transformer.transform(as_points(X))
