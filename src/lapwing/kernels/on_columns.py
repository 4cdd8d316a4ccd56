"""A kernel on some of the columns of X."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..linalg.points import as_pair, as_points
from ..types import MatrixLike, RandomState
from .base import Kernel


class OnColumns(Kernel):
    """k(x, z) = k₁(x[columns], z[columns]).

    A sum of such kernels gives each group of columns (each view) its own kernel:
    ``OnColumns(Linear(), slice(0, 3000)) + OnColumns(RBF(), slice(3000, None))``. Every estimator
    with a parameter ``kernel`` accepts it.

    Parameters
    ----------
    kernel : Kernel
        The kernel k₁.
    columns : slice, int, list of int, or boolean mask
        The columns of X that the kernel uses.

    Examples
    --------
    >>> from lapwing.kernels import Linear
    >>> both = OnColumns(Linear(), [0]) + 2.0 * OnColumns(Linear(), slice(1, 3))
    >>> both([[1.0, 2.0, 3.0]])
    array([[27.]])
    """

    _made_of = ("kernel",)

    def __init__(self, kernel: Any, columns: Any) -> None:
        self.kernel = kernel
        self.columns = columns

    def build(self, X: MatrixLike, random_state: RandomState = None) -> OnColumns:
        return OnColumns(self._parts()[0].build(self._block(X), random_state), self.columns)

    def resized(self, X: MatrixLike) -> OnColumns:
        return OnColumns(self._parts()[0].resized(self._block(X)), self.columns)

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        X, Z = as_pair(X, Z)
        return self._parts()[0](self._block(X), None if Z is X else self._block(Z))

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return self._parts()[0].diagonal(self._block(X))

    def features(self, X: MatrixLike) -> MatrixLike:
        return self._parts()[0].features(self._block(X))

    def _block(self, X: MatrixLike):
        X = as_points(X)
        try:
            chosen = np.arange(X.shape[1])[self.columns]
        except IndexError as error:
            raise ValueError(
                f"OnColumns({self.columns!r}) does not fit an X of {X.shape[1]} columns: {error}."
            ) from error
        if np.size(chosen) == 0:
            raise ValueError(f"OnColumns({self.columns!r}) selects none of {X.shape[1]} columns.")
        return X[:, self.columns if isinstance(self.columns, slice) else np.atleast_1d(chosen)]
