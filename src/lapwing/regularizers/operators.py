"""PSD operators on the values at the points, and how they combine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.sparse import spmm

__all__ = [
    "BlockOperator",
    "MatrixOperator",
    "PSDOperator",
    "ScaledOperator",
    "SumOperator",
    "ZeroOperator",
    "as_values",
    "union",
]


def as_values(F) -> np.ndarray:
    """F as a float array: float32 and float64 stay as they are, anything else is float64."""
    F = np.asarray(F)
    return F if F.dtype in (np.float32, np.float64) else F.astype(np.float64)


class PSDOperator(ABC):
    """⟨f, M f⟩ for the values f of a function at the n points: immutable, symmetric, PSD.

    Concrete operators define :meth:`apply`; everything else follows from it.

    Attributes
    ----------
    n : int
        Number of points.
    graph : WeightedGraph or None
        The graph behind the operator: it tells which points a label reaches. None where there
        is none, because every point is coupled to every other one (or, for M = 0, to nobody).
    n_columns : int
        How many columns of F the operator couples; 1 where it acts on each alone.
    """

    n: int
    n_columns: int = 1
    graph: WeightedGraph | None = None

    @abstractmethod
    def apply(self, F: np.ndarray) -> np.ndarray:
        """M F for F of shape (n, t); the dtype of F (float32 or float64) is kept."""

    def value(self, F: np.ndarray) -> np.ndarray:
        """⟨f, M f⟩ of each column, shape (t,)."""
        return np.einsum("it,it->t", F, self.apply(F))

    def gradient(self, F: np.ndarray) -> np.ndarray:
        """2 M F, shape (n, t)."""
        return 2.0 * self.apply(F)

    def curvature(self, F: np.ndarray, V: np.ndarray) -> np.ndarray:
        """The second derivative at F along V: 2 M V, shape (n, t)."""
        return 2.0 * self.apply(V)

    def toarray(self) -> np.ndarray:
        """M as a dense (n, n) matrix: for tests and small problems."""
        return self.apply(np.eye(self.n))


class ZeroOperator(PSDOperator):
    """M = 0 over n points: no intrinsic penalty.

    Examples
    --------
    >>> ZeroOperator(3).value(np.ones((3, 1)))
    array([0.])
    """

    def __init__(self, n: int):
        self.n = n

    def apply(self, F):
        return np.zeros_like(as_values(F))


class MatrixOperator(PSDOperator):
    """M as a matrix, dense or sparse.

    Parameters
    ----------
    M : array or csr_array of shape (n, n)
        Symmetric and PSD: the caller vouches for it.
    graph : WeightedGraph, optional
    """

    def __init__(self, M: np.ndarray | sp.csr_array, graph: WeightedGraph | None = None):
        self.M = M if sp.issparse(M) else np.asarray(M)
        self.n = M.shape[0]
        self.graph = graph

    @cached_property
    def _single(self):
        return self.M.astype(np.float32)

    @cached_property
    def _double(self):
        return self.M.astype(np.float64, copy=False)

    def apply(self, F):
        F = as_values(F)
        M = self._single if F.dtype == np.float32 else self._double
        return spmm(M, F) if sp.issparse(M) else M @ F


class ScaledOperator(PSDOperator):
    """w M for a number w ≥ 0."""

    def __init__(self, operator: PSDOperator, weight: float):
        self.operator = operator
        self.weight = float(weight)
        self.n = operator.n
        self.graph = operator.graph

    def apply(self, F):
        return self.weight * self.operator.apply(F)


class SumOperator(PSDOperator):
    """M_1 + M_2 + …, over the same points; its graph is the union of theirs."""

    def __init__(self, operators: Sequence[PSDOperator]):
        sizes = sorted({operator.n for operator in operators})
        if len(sizes) != 1:
            raise ValueError(f"Operators over different numbers of points do not add: {sizes}.")
        self.operators = tuple(operators)
        self.n = sizes[0]
        self.graph = union(self.operators)

    def apply(self, F):
        first, *others = self.operators
        G = first.apply(F)
        for operator in others:
            G = G + operator.apply(F)
        return G


class BlockOperator(PSDOperator):
    """Block-diagonal: M_b on its own rows, zero on rows that belong to no block.

    Parameters
    ----------
    n : int
    blocks : sequence of (rows, operator)
        Disjoint integer arrays, each with an operator over so many points.
    """

    def __init__(self, n: int, blocks: Sequence[tuple[np.ndarray, PSDOperator]]):
        self.n = n
        self.blocks = tuple(blocks)
        self.graph = WeightedGraph(_scatter(n, self.blocks))

    def apply(self, F):
        F = as_values(F)
        G = np.zeros_like(F)
        for rows, operator in self.blocks:
            G[rows] = operator.apply(F[rows])
        return G


def union(operators: Sequence[PSDOperator]) -> WeightedGraph | None:
    """The graph with the weights of all; None if some operator couples all points without one."""
    coupling = [operator for operator in operators if not isinstance(operator, ZeroOperator)]
    graphs = [operator.graph for operator in coupling if operator.graph is not None]
    if not graphs or len(graphs) < len(coupling):
        return None
    W = graphs[0].W
    for graph in graphs[1:]:
        W = W + graph.W
    return WeightedGraph(sp.csr_array(W))


def _scatter(n: int, blocks: Sequence[tuple[np.ndarray, PSDOperator]]) -> sp.csr_array:
    """The blocks' weights at their rows among all n."""
    W = sp.csr_array((n, n))
    for rows, operator in blocks:
        part = sp.coo_array(_weights(operator))
        at = (rows[part.coords[0]], rows[part.coords[1]])
        W = W + sp.csr_array((part.data, at), shape=(n, n))
    return W


def _weights(operator: PSDOperator) -> sp.csr_array:
    if operator.graph is not None:
        return operator.graph.W
    if isinstance(operator, ZeroOperator):
        return sp.csr_array((operator.n, operator.n))
    # Every point is coupled to every other one: a path says so with n − 1 edges.
    ones = np.ones(operator.n - 1)
    return sp.csr_array(sp.diags_array([ones, ones], offsets=[-1, 1]))
