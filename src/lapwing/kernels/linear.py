"""The linear kernel."""

import numpy as np

from ..linalg.pairwise import inner_products
from ..linalg.points import as_points, squared_norms
from ..types import MatrixLike
from .base import Kernel


class Linear(Kernel):
    """k(x, z) = ⟨x, z⟩.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        return inner_products(X, Z)

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        return squared_norms(as_points(X))

    def features(self, X: MatrixLike) -> MatrixLike:
        return as_points(X)
