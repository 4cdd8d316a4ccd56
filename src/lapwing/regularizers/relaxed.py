"""The penalty of manifold co-regularization: a second function is smooth and close to the first."""

from typing import Any

import numpy as np

from ..operators import PSDOperator, RelaxedOperator
from ..parameters.checks import check_weight
from ..types import MatrixLike, TargetLike
from .base import Regularizer
from .laplacian import get_regularizer


class Relaxed(Regularizer):
    """⟨f, M(I + ρM)⁻¹ f⟩ = min over g of ⟨g, M g⟩ + ‖f − g‖²/ρ.

    g is a second function on the rows of X. It is smooth, and close to f. With ρ = γ_I/γ_C this is
    manifold co-regularization (CoMR, a_I = 0) after g is eliminated. ρ = 0 gives M itself. The
    penalty is at most ‖f‖²/ρ. One outlier of the graph therefore cannot outweigh all other rows.
    Any estimator can use the penalty. Any kernel method can use it through ``DeformedKernel(kernel,
    Relaxed(…), ratio)``.

    Parameters
    ----------
    regularizer : Regularizer, PSD matrix or "laplacian"
        M. "laplacian" is ``Laplacian(KNN(), degree=2)``.
    ratio : float ≥ 0, default=1.0
        ρ.

    Notes
    -----
    Up to 8,000 rows, products with the penalty use one dense Cholesky factor of order n. With more
    rows they use conjugate gradients.

    References
    ----------
    Rosenberg, Sindhwani, Bartlett, Niyogi 2009 (MV), Theorem 1 and "Manifold Co-Regularization".

    Examples
    --------
    >>> import numpy as np
    >>> Relaxed(np.diag([1.0, 3.0]), ratio=1.0).build(np.zeros((2, 1))).toarray()
    array([[0.5 , 0.  ],
           [0.  , 0.75]])
    """

    def __init__(self, regularizer: Any = "laplacian", ratio: float = 1.0) -> None:
        self.regularizer = regularizer
        self.ratio = ratio

    @property
    def reads_labels(self) -> bool:  # type: ignore[override]
        return get_regularizer(self.regularizer).reads_labels

    @property
    def adds_points(self) -> bool:  # type: ignore[override]
        return get_regularizer(self.regularizer).adds_points

    def extra_points(self, X: MatrixLike, y: TargetLike = None) -> np.ndarray | None:
        return get_regularizer(self.regularizer).extra_points(X, y)

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        check_weight("ratio", self.ratio)
        return RelaxedOperator(get_regularizer(self.regularizer).build(X, y), float(self.ratio))
