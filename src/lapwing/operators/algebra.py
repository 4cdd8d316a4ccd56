"""Combinations of operators: multiples, sums, and blocks on separate rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from .base import PSDOperator, as_values
from .pairs import PairOperator


class ScaledOperator(PSDOperator):
    """w M for a number w ≥ 0."""

    def __init__(self, operator: PSDOperator, weight: float):
        self.operator = operator
        self.weight = float(weight)
        self.n = operator.n
        self.graph = operator.graph

    def apply(self, F):
        return self.weight * self.operator.apply(F)

    @property
    def sparse_matrix(self):
        return self.weight * self.operator.sparse_matrix

    @property
    def root(self):
        return self.weight**0.5 * self.operator.root

    def galerkin(self, P):
        return self.weight * self.operator.galerkin(P)

    def resolvent(self, B, scale):
        return self.operator.resolvent(B, scale * self.weight)


class SumOperator(PSDOperator):
    """M_1 + M_2 + … over the same points. Its graph is the union of their graphs."""

    def __init__(self, operators: Sequence[PSDOperator]):
        sizes = sorted({operator.n for operator in operators})
        if len(sizes) != 1:
            raise ValueError(f"Operators over different numbers of points do not add: {sizes}.")
        self.operators = tuple(operators)
        self.n = sizes[0]
        self.graph = union(self.n, [(np.arange(self.n), M) for M in self.operators])

    def apply(self, F):
        return _total([operator.apply(F) for operator in self.operators])

    @property
    def sparse_matrix(self):
        return _total([operator.sparse_matrix for operator in self.operators])

    def galerkin(self, P):
        return _total([operator.galerkin(P) for operator in self.operators])


def _total(parts: Sequence[Any]):
    """The sum of the matrices; the empty one where some matrix is empty."""
    missing = [part for part in parts if not part.shape[0]]
    return missing[0] if missing else sum(parts[1:], parts[0])


def combined(terms: Sequence[tuple[float, Any]]) -> tuple[float, Any]:
    """λ and M with λM = Σ weight_k M_k. For a single term, λ is its weight.

    Examples
    --------
    >>> from lapwing.operators import MatrixOperator
    >>> lam, M = combined([(2.0, MatrixOperator(np.eye(2))), (3.0, MatrixOperator(np.eye(2)))])
    >>> lam * M.toarray()
    array([[5., 0.],
           [0., 5.]])
    """
    if len(terms) == 1:
        return terms[0]
    if any(M.n_outputs > 1 for _, M in terms):
        return 1.0, PairSum(terms)
    couplings = [M.over_views(w) for w, M in terms]
    joined = couplings[0].plus(couplings[1]) if len(terms) == 2 and all(couplings) else None
    return 1.0, joined or SumOperator([ScaledOperator(M, w) for w, M in terms])


class PairSum(PairOperator):
    """Σ_k weight_k M_k, where some M_k couple the outputs and others act on each alone.

    Parameters
    ----------
    terms : sequence of (weight, Operator)
    """

    def __init__(self, terms: Sequence[tuple[float, Any]]):
        self.terms = tuple(terms)
        operators = [operator for _, operator in terms]
        self.n, self.q = operators[0].n, max(operator.n_outputs for operator in operators)
        self.graph = union(self.n, [(np.arange(self.n), M) for M in operators])

    def apply_each(self, F):
        return sum(weight * operator.apply_each(F) for weight, operator in self.terms)

    def along(self, V):
        parts = [(weight, operator.along(V)) for weight, operator in self.terms]
        if not all(columns for _, columns in parts):
            return []
        made: dict[tuple, tuple[float, PSDOperator]] = {}
        found = []
        for j in range(len(V)):
            own = [(weight * columns[j][0], columns[j][1]) for weight, columns in parts]
            key = tuple((weight, id(operator)) for weight, operator in own)
            found.append(made.setdefault(key, combined(own)))
        return found

    def nearby(self):
        for _, operator in self.terms:
            W, columns = operator.nearby()
            if columns:
                return W, self.along(W)
        return super().nearby()


class BlockOperator(PSDOperator):
    """Block-diagonal: M_b on its own rows, and zero on rows without a block.

    Parameters
    ----------
    n : int
        The number of points.
    blocks : sequence of (rows, operator)
        Disjoint integer arrays, each with an operator over as many points.
    """

    def __init__(self, n: int, blocks: Sequence[tuple[np.ndarray, PSDOperator]]):
        self.n = n
        self.blocks = tuple(blocks)
        self.graph = WeightedGraph(scatter(n, self.blocks))

    def apply(self, F):
        F = as_values(F)
        G = np.zeros_like(F)
        for rows, operator in self.blocks:
            G[rows] = operator.apply(F[rows])
        return G


def union(n: int, blocks: Sequence[tuple[np.ndarray, PSDOperator]]) -> WeightedGraph | None:
    """The graph over n points with the weights of all operators, each on its own rows.

    None if no operator couples points, or if one couples all points without a graph.
    """
    known = [(rows, operator) for rows, operator in blocks if operator.coupling]
    if not known or not all(operator.graph for _, operator in known):
        return None
    rows, operator = known[0]
    alone = len(known) == 1 and len(rows) == n
    return operator.graph if alone else WeightedGraph(scatter(n, known))


def scatter(n: int, blocks: Sequence[tuple[np.ndarray, PSDOperator]]) -> sp.csr_array:
    """The weights of the blocks at their rows among all n, (n, n)."""
    W = sp.csr_array((n, n))
    for rows, operator in blocks:
        part = sp.coo_array(_weights(operator))
        at = (rows[part.coords[0]], rows[part.coords[1]])
        W = W + sp.csr_array((part.data, at), shape=(n, n))
    return W


def _weights(operator: PSDOperator) -> sp.csr_array:
    if operator.graph:
        return operator.graph.W
    if not operator.coupling:
        return sp.csr_array((operator.n, operator.n))
    # Every point is coupled to every other one. A path has the same component with n − 1 edges.
    ones = np.ones(operator.n - 1)
    return sp.csr_array(sp.diags_array([ones, ones], offsets=[-1, 1]))
