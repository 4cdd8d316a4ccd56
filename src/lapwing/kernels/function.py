"""A kernel given as a function of two matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from ..linalg.blocks import batches
from ..linalg.points import as_pair, as_points
from ..linalg.psd import check_symmetric
from ..types import MatrixLike, RandomState
from .base import Kernel


class FunctionKernel(Kernel):
    """k(X, Z) = function(X, Z) for a callable on two matrices. The result has shape (n, m).

    The function must be symmetric and positive semi-definite. Symmetry is checked here. Positive
    semi-definiteness is checked when a Gram matrix is factorized. The function may be a kernel with
    a point cloud, such as :class:`lapwing.MultiViewKernel`. If that kernel is not fitted yet,
    :meth:`build` fits it on the rows of X.

    Parameters
    ----------
    function : callable (X, Z) -> array of shape (n, m)

    Examples
    --------
    >>> FunctionKernel(lambda X, Z: X @ Z.T)([[1.0, 2.0]])
    array([[5.]])
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    @property
    def user_given(self) -> bool:
        return True

    @property
    def takes_missing(self) -> bool:
        return bool(getattr(self.function, "takes_missing", False))

    def build(self, X: MatrixLike, random_state: RandomState = None) -> FunctionKernel:
        if not callable(self.function):
            raise TypeError(
                f"FunctionKernel was given {self.function!r}; expected a callable on two matrices."
            )
        if not getattr(self.function, "has_cloud", True):
            return FunctionKernel(clone(self.function).fit(X))
        return self

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        X, Z = as_pair(X, Z)
        if Z is not X:
            return self._evaluate(X, Z)
        K = check_symmetric(self._evaluate(X, X), f"The kernel function {self.function!r}")
        return K.copy()  # the function may have handed out an array it keeps

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        X = as_points(X)
        blocks = batches(X.shape[0], 32)  # n·32 values are computed for the n that are wanted
        return np.concatenate([self._evaluate(X[b], X[b]).diagonal() for b in blocks])

    def _evaluate(self, X: MatrixLike, Z: MatrixLike) -> np.ndarray:
        K = np.asarray(self.function(X, Z))
        if K.shape != (X.shape[0], Z.shape[0]):
            hint = "A function of two single points has to be applied to all pairs of rows."
            if K.ndim == 4:
                hint = (
                    "A kernel on pairs of rows and outputs (JointKernel) is for "
                    "VectorValuedClassifier, VectorValuedRegressor and StructuredLapSVC."
                )
            raise ValueError(
                f"The kernel function {self.function!r} returned shape {K.shape} for "
                f"{X.shape[0]} and {Z.shape[0]} rows; expected {(X.shape[0], Z.shape[0])}. {hint}"
            )
        K = as_points(K, "The result of the kernel function")
        if not np.isfinite(K).all():
            raise ValueError(f"The kernel function {self.function!r} returned NaN or infinity.")
        return K
