"""What a graph is: symmetric non-negative weights between points, and who joins whom."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.base import BaseEstimator

from ..linalg.sparse import SparseState


@dataclass(frozen=True)
class Distances:
    """Pairwise distances, (n, n), given to a graph in place of coordinates."""

    matrix: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape  # type: ignore[return-value]


@dataclass(frozen=True)
class WeightedGraph(SparseState):
    """A built graph: W symmetric, non-negative, with an empty diagonal.

    Parameters
    ----------
    W : csr_array of shape (n, n)
    """

    W: sp.csr_array = field(repr=False)

    @property
    def n(self) -> int:
        return self.W.shape[0]

    def __repr__(self) -> str:
        return f"WeightedGraph({self.n} points, {self.W.nnz // 2} edges)"

    @cached_property
    def degrees(self) -> np.ndarray:
        """D_ii = Σ_j W_ij, shape (n,)."""
        return np.asarray(self.W.sum(axis=1)).ravel()

    @cached_property
    def components(self) -> np.ndarray:
        """The connected component of each point, shape (n,), numbered from 0."""
        return connected_components(self.W, directed=False)[1]


class Graph(BaseEstimator, ABC):
    """The rule by which points are joined: configuration, turned into weights by ``build``."""

    @abstractmethod
    def build(self, X) -> WeightedGraph:
        """The weighted graph over the rows of X (dense, CSR, or :class:`Distances`)."""
