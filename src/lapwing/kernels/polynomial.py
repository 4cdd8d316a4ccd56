"""The polynomial kernel."""

from __future__ import annotations

import numpy as np

from ..linalg.pairwise import inner_products
from ..linalg.points import as_points, squared_norms
from ..parameters.checks import check_count, check_weight, is_number
from ..types import MatrixLike, RandomState
from .base import Kernel


class Polynomial(Kernel):
    """k(x, z) = (scale · ⟨x, z⟩ + coef0)^degree.

    Parameters
    ----------
    degree : int, at least 1
    coef0 : float, at least 0
        0 keeps only the monomials of the full degree. A negative value would not be PSD.
    scale : float, above 0

    Examples
    --------
    >>> Polynomial(degree=2)([[1.0, 2.0]])
    array([[36.]])
    """

    def __init__(self, degree: int = 3, coef0: float = 1.0, scale: float = 1.0) -> None:
        self.degree = degree
        self.coef0 = coef0
        self.scale = scale

    def build(self, X: MatrixLike, random_state: RandomState = None) -> Polynomial:
        self._check()
        return self

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        self._check()
        return inner_products(X, Z, transform=self._power)

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        self._check()
        return self._power(squared_norms(as_points(X)))

    def _power(self, G: np.ndarray) -> np.ndarray:
        G *= float(self.scale)
        G += float(self.coef0)
        # repeated products: pow() of whole arrays is ten times slower
        base, G = G, G.copy()
        for _ in range(int(self.degree) - 1):
            G *= base
        return G

    def _check(self) -> None:
        check_count("degree", self.degree)
        if not is_number(self.coef0) or self.coef0 < 0:
            raise ValueError(
                f"coef0 is {self.coef0!r}; expected a number of at least 0: below 0 the "
                f"polynomial kernel is not positive semi-definite."
            )
        check_weight("scale", self.scale, positive=True)
