"""Operators that couple the outputs: M over pairs (row, output)."""

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.sparse import RowBlocks
from .base import Operator, PSDOperator, as_values, power


class PairOperator(Operator):
    """⟨F, M F⟩ of the values F, (n, q), of q outputs together; abstract.

    Attributes
    ----------
    q : int
        The number of outputs.
    """

    q: int

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        return self.q

    def apply(self, F):
        return self.apply_each(as_values(F)[:, :, None])[:, :, 0]

    def value(self, F):
        """⟨F, M F⟩, (1,): one number, because the outputs are coupled."""
        return np.vdot(F, self.apply(F)).reshape(1)

    def toarray(self):
        """M as a dense (nq, nq) matrix over the pairs (row, output), row-major."""
        units = np.eye(self.n * self.q).reshape(-1, self.n, self.q)
        return np.stack([self.apply(unit).ravel() for unit in units], axis=1)

    def along(self, V):
        return []


class TensorOperator(PairOperator):
    """⟨F, (M_in ⊗ M_out) F⟩ = tr(Fᵀ M_in F M_out).

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
    >>> from lapwing.operators import MatrixOperator
    >>> M = TensorOperator(MatrixOperator(np.diag([1.0, 2.0])), np.array([[1.0, 1.0], [1.0, 1.0]]))
    >>> M.value(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([107.])
    """

    def __init__(self, rows: Operator, outputs: np.ndarray):
        self.rows = rows
        self.outputs = outputs
        self.n, self.q = rows.n, len(outputs)
        self.graph = rows.graph

    def apply_each(self, F):
        M_in_F = self.rows.apply(F.reshape(self.n, -1)).reshape(F.shape)
        return self.outputs.astype(F.dtype, copy=False) @ M_in_F

    def along(self, V):
        seen = V.T @ self.outputs @ V
        return self._columns(np.diagonal(seen)) if _is_diagonal(seen, 1e-12) else []

    def nearby(self):
        mu, W = np.linalg.eigh(self.outputs)
        return W, self._columns(mu)

    def _columns(self, mu: np.ndarray):
        return [(max(float(m), 0.0), self.rows) for m in mu]


class PairMatrix(PairOperator):
    """M over the pairs as if they were points, row-major: pair (i, k) is point i q + k.

    Parameters
    ----------
    matrix : PSDOperator
        Over n q points.
    q : int
    """

    def __init__(self, matrix: PSDOperator, q: int):
        self.matrix = matrix
        self.n, self.q = matrix.n // q, q

    def apply_each(self, F):
        return self.matrix.apply(F.reshape(self.n * self.q, -1)).reshape(F.shape)


class TensorLaplacian(PairOperator):
    """s L^p with L = J^X⊗J^Y − S^X⊗S^Y (normalized) or D^X⊗D^Y − A^X⊗A^Y, factor by factor.

    A^X and A^Y are the weights between rows and between outputs, D are their degrees, and S =
    D^{−1/2} A D^{−1/2}. J marks the vertices that have an edge: a pair without one has no penalty,
    as in the graph Laplacian. With A^Y = I the operator is (L^X)^p ⊗ I.

    Parameters
    ----------
    graph : WeightedGraph
        The graph of the rows, with weights A^X.
    affinity : array of shape (q, q)
        A^Y.
    normalized : bool
    degree : int
        p.
    scale : float
        s.

    References
    ----------
    SO IV-B.
    """

    graph: WeightedGraph

    def __init__(self, graph: WeightedGraph, affinity, normalized: bool, degree: int, scale=1.0):
        self.graph = graph
        self.degree = degree
        self.scale = scale
        self.n, self.q = graph.n, len(affinity)
        d = affinity.sum(axis=1)
        if normalized:
            dx = graph.degrees
            root = np.divide(1.0, np.sqrt(dx), out=np.zeros_like(dx), where=dx > 0)
            across = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
            self.A_x = sp.csr_array(graph.W.multiply(root[:, None] * 1.0).multiply(root[None, :]))
            self.A_y = across[:, None] * affinity * across
            self.d_x, self.d_y = (dx > 0).astype(float), (d > 0).astype(float)
        else:
            self.A_x, self.A_y = graph.W, affinity
            self.d_x, self.d_y = graph.degrees, d

    def apply_each(self, F):
        f, inputs = F.astype(np.float64, copy=False), RowBlocks(self.A_x)
        for _ in range(self.degree):
            mixed = (inputs @ (self.A_y @ f).reshape(self.n, -1)).reshape(f.shape)
            f = self.d_x[:, None, None] * f * self.d_y[:, None] - mixed
        return (f if self.scale == 1.0 else self.scale * f).astype(F.dtype, copy=False)

    def along(self, V):
        """(τ_D D^X − τ_A A^X)^p where V diagonalizes both D^Y and A^Y, with eigenvalues τ."""
        seen = [V.T @ np.diag(self.d_y) @ V, V.T @ self.A_y @ V]
        if not all(_is_diagonal(matrix, 1e-10) for matrix in seen):
            return []
        return self._columns(*map(np.diagonal, seen))

    def nearby(self):
        W = np.linalg.eigh(self.A_y)[1]
        d = np.einsum("yk,y,yk->k", W, self.d_y, W)
        return W, self._columns(d, np.einsum("yk,yz,zk->k", W, self.A_y, W))

    def _columns(self, tau_d: np.ndarray, tau_a: np.ndarray):
        """One operator for each pair of eigenvalues that differ beyond rounding."""
        tau = np.column_stack([tau_d, tau_a])
        keys = np.round(tau / np.maximum(np.abs(tau).max(axis=0), 1e-300), 9)
        _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        inputs = (sp.diags_array(d * self.d_x) - a * self.A_x for d, a in tau[first])
        built = [power(sp.csr_array(L), self.degree, self.scale, self.graph) for L in inputs]
        return [(1.0, built[k]) for k in which.ravel()]


def _is_diagonal(A: np.ndarray, rounding: float) -> bool:
    rest = np.abs(A - np.diag(np.diagonal(A))).max(initial=0.0)
    return bool(rest <= rounding * np.abs(A).max(initial=0.0))
