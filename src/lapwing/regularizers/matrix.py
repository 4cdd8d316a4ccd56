"""A penalty matrix given by the user."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.psd import check_psd
from ..operators import MatrixOperator, PSDOperator
from ..types import MatrixLike, TargetLike
from .base import Regularizer


class Matrix(Regularizer):
    """⟨f, M f⟩ for a given symmetric positive semi-definite M over the rows of X.

    ``build`` checks the size and the symmetry of M, and that M is PSD
    (:func:`lapwing.linalg.psd.check_psd`). Rows i and j count as joined if M_ij ≠ 0. All rows are
    joined if M is dense without zeros.

    Parameters
    ----------
    M : array or sparse matrix of shape (n, n)
        The penalty matrix, symmetric and positive semi-definite.

    Examples
    --------
    >>> import numpy as np
    >>> M = Matrix(np.array([[1.0, -1.0], [-1.0, 1.0]])).build(np.zeros((2, 3)))
    >>> M.value(np.array([[1.0], [3.0]]))
    array([4.])
    """

    def __init__(self, M: Any) -> None:
        self.M = M

    @property
    def order(self) -> int:  # type: ignore[override]
        return self.M.shape[0] if sp.issparse(self.M) else np.shape(self.M)[0]

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        n = X.shape[0]
        shape = self.M.shape if sp.issparse(self.M) else np.shape(self.M)
        if shape != (n, n):
            raise ValueError(
                f"The regularizer's matrix has shape {shape}, but X has {n} rows; "
                f"M must be {n} × {n}, one row per row of X, labeled or not."
            )
        M = self._checked()
        return MatrixOperator(M, _pattern(M))

    def _checked(self):
        try:
            return check_psd(self.M, "M")
        except ValueError as error:
            if not _looks_like_weights(self.M):
                raise
            raise ValueError(
                f"{error} It holds no negative entry and looks like the weights of a graph: write "
                "regularizer=Laplacian(Given(W))."
            ) from error


def _looks_like_weights(M: Any) -> bool:
    entries = M.data if sp.issparse(M) else np.asarray(M, dtype=np.float64)
    return bool(entries.size and np.isfinite(entries).all() and entries.min() >= 0)


def _pattern(M: Any) -> WeightedGraph | None:
    """The graph with weights |M_ij|, i ≠ j. None if the first row is joined to all others."""
    if not sp.issparse(M) and np.all(M[0, 1:]):
        return None
    W = sp.csr_array(abs(M))
    W.setdiag(0.0)
    W.eliminate_zeros()
    return WeightedGraph(W)
