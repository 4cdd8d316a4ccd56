"""The intrinsic operator over pairs of a row and an output."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..operators import Operator, PairMatrix, TensorLaplacian
from ..types import MatrixLike
from .base import Regularizer
from .laplacian import Laplacian, get_regularizer


def joint_operator(
    regularizer: Any, points: MatrixLike, codes: Any, q: int, affinity: MatrixLike = None
) -> Operator:
    """Return the operator M over the values of q outputs at n rows, shape (n, q).

    ===============================  =========================================================
    given                            M
    ===============================  =========================================================
    a PSD matrix of order n q,       the matrix itself, row-major over (row, output)
    also as ``Matrix(M)``
    no affinity                      M^X ⊗ I: the regularizer on each output separately
    an affinity A^Y                  (J^X⊗J^Y − S^X⊗S^Y)^p or (D^X⊗D^Y − A^X⊗A^Y)^p
    ===============================  =========================================================

    Parameters
    ----------
    regularizer : Regularizer, matrix or None
        The parameter ``regularizer`` of an estimator.
    points : array, CSR matrix or Distances
    codes : integer array of shape (n,)
        Class codes, −1 for unlabeled rows.
    q : int
        The number of outputs.
    affinity : array of shape (q, q), optional
        The output affinity A^Y.
    """
    n, order = points.shape[0], matrix_order(regularizer)
    if order == n * q != n:
        return PairMatrix(get_regularizer(regularizer).build(np.zeros((order, 1))), q)
    if affinity is not None:
        return _tensor(get_regularizer(regularizer), affinity, points, codes)
    if order and order != n:
        raise ValueError(
            f"The regularizer's matrix has {order} rows; expected {n} (one per row of X) or "
            f"{n * q} (one per pair of row and output, row-major)."
        )
    return get_regularizer(regularizer).build(points, codes)


def _tensor(laplacian, affinity: np.ndarray, points: MatrixLike, codes) -> TensorLaplacian:
    if not isinstance(laplacian, Laplacian):
        raise TypeError(
            "An output affinity needs the graph of a Laplacian to make D^X⊗D^Y − A^X⊗A^Y, but "
            f"regularizer is {laplacian!r}. Use Laplacian(...), or affinity=None."
        )
    if isinstance(laplacian.normalized, str):
        raise ValueError(
            f"An output affinity joins degrees, D^X⊗D^Y − A^X⊗A^Y, and normalized="
            f"{laplacian.normalized!r} has none. Use normalized=True or False, or affinity=None."
        )
    built = laplacian.build(points, codes)
    scale = built.coefficients[-1]
    return TensorLaplacian(built.graph, affinity, laplacian.normalized, laplacian.degree, scale)


def matrix_order(regularizer: Any) -> int | None:
    """The number of rows of a penalty that was given as a matrix. None for other penalties."""
    if isinstance(regularizer, Regularizer):
        return regularizer.order or None
    is_matrix = isinstance(regularizer, np.ndarray) or sp.issparse(regularizer)
    return regularizer.shape[0] if is_matrix and regularizer.ndim == 2 else None
