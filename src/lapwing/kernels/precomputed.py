"""A kernel given as its Gram matrix."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..linalg.points import as_points, dense_rows
from ..linalg.psd import check_symmetric
from ..types import MatrixLike, RandomState
from .base import Kernel


class Precomputed(Kernel):
    """k(X) = X. The rows of X are rows of the Gram matrix itself.

    In ``fit``, X is the square Gram matrix of the training points. In ``predict``, X has one row
    per new point and one column per training point.

    Examples
    --------
    >>> Precomputed()([[2.0, 1.0], [1.0, 2.0]])
    array([[2., 1.],
           [1., 2.]])
    """

    @property
    def precomputed(self) -> bool:
        return True

    @property
    def user_given(self) -> bool:
        return True

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Precomputed:
        check_symmetric(self(X), "The precomputed Gram matrix")
        return self

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        K = dense_rows(as_points(X))
        if Z is None:
            return _square(K)
        if K.shape[1] != Z.shape[0]:
            raise ValueError(
                f"The precomputed kernel has {K.shape[1]} columns for {Z.shape[0]} training "
                f"points; to predict, give one row per new point, one column per training point."
            )
        return K

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return _square(dense_rows(as_points(X))).diagonal().copy()


def _square(K: np.ndarray) -> np.ndarray:
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"A precomputed Gram matrix must be square, one row and one column per training "
            f"point; got shape {K.shape}."
        )
    return K


def kernel_distances(K: MatrixLike) -> np.ndarray:
    """d_ij = √(k_ii + k_jj − 2 k_ij), the distances between the points of a Gram matrix."""
    if sp.issparse(K):
        K = K.toarray()
    diagonal = np.diag(K).astype(np.float64)
    D = diagonal[:, None] + diagonal - 2.0 * K
    np.maximum(D, 0.0, out=D)
    np.fill_diagonal(D, 0.0)
    return np.sqrt(D, out=D)
