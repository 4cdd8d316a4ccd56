"""A kernel on pairs (x, y) that need not be a product of two kernels."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ..types import MatrixLike


class JointKernel(BaseEstimator):
    """k((x, y), (z, ȳ)) for all outputs together, from any callable.

    Pass it as ``kernel`` of :class:`lapwing.StructuredLapSVC`. It replaces the product K^X ⊗ K^Y.
    Only the loss and the affinity of the output structure are then used. As ``kernel`` of
    :class:`lapwing.VectorValuedRegressor` or :class:`lapwing.VectorValuedClassifier` it is any
    matrix-valued kernel. The Gram matrix over all pairs is formed. n times the number of outputs
    should therefore be at most about 5,000.

    Parameters
    ----------
    function : callable
        ``function(X, Z)`` returns an array of shape (n, q, m, q). Its entry [i, a, j, b] is k((x_i,
        y_a), (z_j, y_b)). It must be PSD over the pairs.

    References
    ----------
    Hu, Kwok (SO), eqs. 1 and 16; Minh, Sindhwani 2011 (VV), eqs. 5–7 and 15.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.outputs import JointKernel
    >>> def product(X, Z):
    ...     return np.einsum("ij,ab->iajb", X @ Z.T, np.eye(3))
    >>> JointKernel(product)(np.ones((2, 1)), np.ones((4, 1))).shape
    (2, 3, 4, 3)
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, X: MatrixLike, Z: MatrixLike) -> np.ndarray:
        k = np.asarray(self.function(X, Z), dtype=float)
        if k.ndim != 4 or k.shape[0] != X.shape[0] or k.shape[2] != Z.shape[0]:
            raise ValueError(
                f"The joint kernel returned shape {k.shape} for {X.shape[0]} and {Z.shape[0]} "
                "rows; (n, q, m, q) was expected."
            )
        if k.shape[1] != k.shape[3] or not np.isfinite(k).all():
            raise ValueError(
                "The joint kernel must give finite numbers, with the outputs on axes 1 and 3; "
                f"its shape was {k.shape}."
            )
        return k
