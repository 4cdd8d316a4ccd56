"""A kernel given as a function of two matrices."""

from __future__ import annotations

import numpy as np

from ..linalg.blocks import cut
from ..linalg.points import as_pair, as_points
from ..linalg.psd import check_symmetric
from .base import Kernel

_BLOCK = 32  # the diagonal in blocks: n·32 values computed for the n that are wanted


class FunctionKernel(Kernel):
    """k(X, Z) = function(X, Z), a callable on two matrices with an (n, m) result.

    Symmetry is checked here; that the function is positive semi-definite is the user's promise,
    checked where a Gram matrix is factorized.

    Parameters
    ----------
    function : callable (X, Z) -> array of shape (n, m)

    Examples
    --------
    >>> FunctionKernel(lambda X, Z: X @ Z.T)([[1.0, 2.0]])
    array([[5.]])
    """

    def __init__(self, function):
        self.function = function

    @property
    def user_given(self) -> bool:
        return True

    def build(self, X, random_state=None) -> FunctionKernel:
        if not callable(self.function):
            raise TypeError(
                f"FunctionKernel was given {self.function!r}; expected a callable on two matrices."
            )
        return self

    def __call__(self, X, Z=None) -> np.ndarray:
        X, Z = as_pair(X, Z)
        if Z is not None:
            return self._evaluate(X, Z)
        K = check_symmetric(self._evaluate(X, X), f"The kernel function {self.function!r}")
        return K.copy()  # the function may have handed out an array it keeps

    def diagonal(self, X) -> np.ndarray:
        X = as_points(X)
        blocks = cut(slice(X.shape[0]), _BLOCK)
        return np.concatenate([self._evaluate(X[b], X[b]).diagonal() for b in blocks])

    def _evaluate(self, X, Z) -> np.ndarray:
        K = as_points(np.asarray(self.function(X, Z)), "The result of the kernel function")
        if K.shape != (X.shape[0], Z.shape[0]):
            raise ValueError(
                f"The kernel function {self.function!r} returned shape {K.shape} for "
                f"{X.shape[0]} and {Z.shape[0]} rows; expected {(X.shape[0], Z.shape[0])}. "
                f"A function of two single points has to be applied to all pairs of rows."
            )
        if not np.isfinite(K).all():
            raise ValueError(f"The kernel function {self.function!r} returned NaN or infinity.")
        return K
