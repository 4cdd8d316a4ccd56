"""Smoothness along the rows, weighed between the outputs: M_in ⊗ M_out."""

from __future__ import annotations

import numpy as np

from .operators import PSDOperator


class TensorOperator(PSDOperator):
    """⟨F, (M_in ⊗ M_out) F⟩ = tr(Fᵀ M_in F M_out) for the values F, (n, q), of q outputs.

    Parameters
    ----------
    rows : PSDOperator
        M_in, over the n points.
    outputs : array of shape (q, q)
        M_out, symmetric PSD; the identity treats each output alone.

    References
    ----------
    VV §4.3, where M_out = I.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing.regularizers.operators import MatrixOperator
    >>> M = TensorOperator(MatrixOperator(np.diag([1.0, 2.0])), np.array([[1.0, 1.0], [1.0, 1.0]]))
    >>> M.value(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([107.])
    """

    def __init__(self, rows: PSDOperator, outputs: np.ndarray):
        self.rows = rows
        self.outputs = outputs
        self.n = rows.n
        self.n_columns = len(outputs)
        self.graph = rows.graph

    def apply(self, F):
        return self.rows.apply(F) @ self.outputs.astype(F.dtype, copy=False)

    def value(self, F):
        """One number, (1,): the outputs are coupled."""
        return np.vdot(F, self.apply(F)).reshape(1)

    def toarray(self):
        """M_in ⊗ M_out as a dense (nq, nq) matrix over (row, output), row-major."""
        return np.kron(self.rows.toarray(), self.outputs)
