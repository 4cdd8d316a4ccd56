"""Operators on pairs (x, y): the joint graph of inputs and outputs, seen through features of y."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.sparse import spmm
from .operators import MatrixOperator, PSDOperator, ScaledOperator, ZeroOperator, as_values

__all__ = ["ColumnOperator", "PairOperator", "TensorLaplacian", "tensor_columns"]


class ColumnOperator(PSDOperator):
    """M_j on column j of F: what is left of a joint operator where its factors commute.

    With f(x, y) = Σ_j λ_j(y) F_j(x), λ_j(y) = V_yj √σ_j and an operator that V diagonalises,
    the joint penalty is Σ_j σ_j ⟨F_j, M_j F_j⟩. For A^Y = I each M_j is the input's M.

    Parameters
    ----------
    parts : sequence of (columns, operator)
        Disjoint integer arrays that cover all columns; columns of one part share an operator.
    """

    def __init__(self, parts: Sequence[tuple[np.ndarray, PSDOperator]]):
        self.parts = tuple(parts)
        self.n = self.parts[0][1].n
        self.n_columns = sum(len(columns) for columns, _ in self.parts)
        self.graph = self.parts[0][1].graph

    def apply(self, F):
        F = as_values(F)
        G = np.empty_like(F)
        for columns, operator in self.parts:
            G[:, columns] = operator.apply(np.ascontiguousarray(F[:, columns]))
        return G


class PairOperator(PSDOperator):
    """⟨f, L f⟩ with f = F Λᵀ on all pairs: M F = L(F Λᵀ) Λ, which couples the columns of F.

    Parameters
    ----------
    apply_pairs : callable
        (n, |Y|) ↦ (n, |Y|), the joint L on the values f(x_i, y).
    feature_map : array of shape (|Y|, q)
        Λ.
    n : int
    graph : WeightedGraph, optional
        The input graph behind L.
    nearby : tuple (R, operators), optional
        An operator like M that decouples, Σ_k ⟨(F R)_k, N_k (F R)_k⟩ with R orthogonal, (q, q):
        iterations are preconditioned with it.
    """

    def __init__(
        self,
        apply_pairs: Callable[[np.ndarray], np.ndarray],
        feature_map: np.ndarray,
        n: int,
        graph: WeightedGraph | None = None,
        nearby: tuple[np.ndarray, Sequence[PSDOperator]] | None = None,
    ):
        self.nearby = nearby
        self.apply_pairs = apply_pairs
        self.feature_map = feature_map
        self.n = n
        self.n_columns = feature_map.shape[1]
        self.graph = graph

    @classmethod
    def from_matrix(cls, L, feature_map: np.ndarray, n: int) -> PairOperator:
        """From a PSD matrix over the pairs, row-major: entry (i|Y| + k, j|Y| + l)."""
        matrix = MatrixOperator(L)

        def apply_pairs(f: np.ndarray) -> np.ndarray:
            return matrix.apply(f.reshape(-1, 1)).reshape(f.shape)

        return cls(apply_pairs, feature_map, n)

    def apply(self, F):
        F = as_values(F)
        out = self.apply_pairs(F.astype(np.float64, copy=False) @ self.feature_map.T)
        return (out @ self.feature_map).astype(F.dtype, copy=False)


class TensorLaplacian:
    """L^p with L = J^X⊗J^Y − S^X⊗S^Y (normalised) or D^X⊗D^Y − A^X⊗A^Y, factor by factor.

    S = D^{−1/2} A D^{−1/2}, and J marks the vertices with an edge: a pair without one is not
    penalised, as in the graph Laplacian. With A^Y = I this is (L^X)^p ⊗ I.

    Parameters
    ----------
    graph : WeightedGraph
        A^X.
    affinity : array of shape (|Y|, |Y|)
        A^Y.
    normalized : bool
    degree : int
    scale : float

    References
    ----------
    SO IV-B.
    """

    def __init__(self, graph: WeightedGraph, affinity, normalized: bool, degree: int, scale=1.0):
        self.graph = graph
        self.degree = degree
        self.scale = scale
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

    def apply(self, f: np.ndarray) -> np.ndarray:
        """L^p f for f of shape (n, |Y|)."""
        for _ in range(self.degree):
            f = self.d_x[:, None] * f * self.d_y - spmm(self.A_x, f @ self.A_y)
        return f if self.scale == 1.0 else self.scale * f

    def eigenvalues(self, v: np.ndarray) -> np.ndarray:
        """(τ_D, τ_A) of D^Y and A^Y (or J^Y and S^Y) at a common eigenvector v."""
        return np.array([v @ (self.d_y * v), v @ self.A_y @ v])

    def along(self, v: np.ndarray) -> PSDOperator:
        """The input operator (τ_D D^X − τ_A A^X)^p at a common eigenvector v."""
        tau_d, tau_a = self.eigenvalues(v)
        L = sp.csr_array(sp.diags_array(tau_d * self.d_x) - tau_a * self.A_x)
        return _Power(MatrixOperator(L), self.degree, self.scale, self.graph)


class _Power(PSDOperator):
    def __init__(self, L: MatrixOperator, degree: int, scale: float, graph: WeightedGraph):
        self.L = L
        self.degree = degree
        self.scale = scale
        self.graph = graph
        self.n = graph.n

    def apply(self, F):
        for _ in range(self.degree):
            F = self.L.apply(F)
        return F if self.scale == 1.0 else self.scale * F


def tensor_columns(
    operators: Sequence[PSDOperator], keys: np.ndarray, sigma: np.ndarray
) -> ColumnOperator:
    """σ_j M_j on column j; columns with equal keys and σ share one operator, hence one factor.

    Parameters
    ----------
    operators : sequence of q PSDOperator
    keys : array of shape (q, r)
        What tells the operators apart (their eigenvalues).
    sigma : array of shape (q,)
    """
    signature = np.column_stack([sigma, keys])
    scale = np.maximum(np.abs(signature).max(axis=0), 1e-300)
    rounded = np.round(signature / scale, 9)
    _, first, which = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    parts = []
    for number, j in enumerate(first):
        columns = np.flatnonzero(which.ravel() == number)
        operator = operators[j]
        # Where σ_j = 0 the feature is zero, and so is its column's part in f: nothing to factor.
        part = ScaledOperator(operator, sigma[j]) if sigma[j] > 0 else ZeroOperator(operator.n)
        parts.append((columns, part))
    return ColumnOperator(parts)
