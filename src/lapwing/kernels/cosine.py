"""The cosine kernel."""

import numpy as np

from ..linalg.pairwise import inner_products
from ..linalg.points import as_pair, as_points, unit_rows
from ..types import MatrixLike
from .base import Kernel


class Cosine(Kernel):
    """k(x, z) = ⟨x, z⟩ / (‖x‖ ‖z‖). It is 0 if x or z is 0, also on the diagonal.

    Examples
    --------
    >>> Cosine()([[3.0, 4.0], [0.0, 0.0]])
    array([[1., 0.],
           [0., 0.]])
    """

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        X, Z = as_pair(X, Z)
        U, V = unit_rows(X), None if Z is X else unit_rows(Z)
        K = inner_products(U, V, transform=lambda C: np.clip(C, -1.0, 1.0, out=C))
        if Z is X:
            np.fill_diagonal(K, self.diagonal(X))
        return K

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        X = as_points(X)
        return np.asarray((X != 0).sum(axis=1) > 0).ravel().astype(X.dtype)

    def features(self, X: MatrixLike) -> MatrixLike:
        return unit_rows(X)
