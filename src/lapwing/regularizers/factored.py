"""A low-rank penalty, given by its factor."""

import numpy as np
import scipy.sparse as sp

from ..operators import FactoredOperator, PSDOperator
from ..types import MatrixLike, TargetLike
from .base import Regularizer


class Factored(Regularizer):
    """M = V Vᵀ, so ⟨f, M f⟩ = ‖Vᵀ f‖². The penalty pulls r linear combinations of f to 0.

    Parameters
    ----------
    V : array or sparse matrix of shape (n, r)
        Each column holds the coefficients of one linear combination of the n values of f.

    Examples
    --------
    >>> V = np.array([[1.0], [-1.0]])  # f(x_1) = f(x_2)
    >>> Factored(V).build(np.zeros((2, 1))).toarray()
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    def __init__(self, V: MatrixLike) -> None:
        self.V = V

    @property
    def order(self) -> int:  # type: ignore[override]
        return self.V.shape[0]

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        V = sp.csr_array(self.V) if sp.issparse(self.V) else np.asarray(self.V)
        if V.ndim != 2 or V.dtype.kind not in "biuf":
            raise ValueError(f"V must be a real matrix, one row per point, got shape {V.shape}.")
        if V.shape[0] != X.shape[0]:
            raise ValueError(
                f"V has {V.shape[0]} rows for {X.shape[0]} points; give one per point."
            )
        V = V.astype(np.float64)
        if not np.isfinite(V.data if sp.issparse(V) else V).all():
            raise ValueError("V contains NaN or infinite entries; it must be finite.")
        return FactoredOperator(V)
