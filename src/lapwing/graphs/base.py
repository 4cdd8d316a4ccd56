"""What a graph is: symmetric non-negative weights between points, and who joins whom."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from ..linalg.sparse import SparseState
from ..parameters.spelling import NamedParameters
from ..types import MatrixLike


@dataclass(frozen=True, repr=False)
class Distances:
    """Pairwise distances, (n, n), given to a graph in place of the rows of X.

    Parameters
    ----------
    matrix : array or sparse matrix of shape (n, n)
        In a sparse matrix, such as scikit-learn's neighbor graphs, pairs that are not stored are
        no neighbors.

    Examples
    --------
    >>> from lapwing.graphs import KNN
    >>> D = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 3.0], [4.0, 3.0, 0.0]])
    >>> KNN(1, weight="binary").build(Distances(D))
    WeightedGraph(n=3, edges=2, components=1, isolated=0)
    """

    matrix: np.ndarray

    def __repr__(self) -> str:
        return f"Distances(n={self.shape[0]})"

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape  # type: ignore[return-value]

    def __getitem__(self, rows: np.ndarray) -> "Distances":
        """The distances among some of the points."""
        return Distances(self.matrix[np.ix_(rows, rows)])


def has_coordinates(X: Any) -> bool:
    """Whether X holds points, and not :class:`Distances` between them."""
    return not isinstance(X, Distances)


@dataclass(frozen=True, repr=False)
class WeightedGraph(SparseState):
    """A built graph: W symmetric, non-negative, with an empty diagonal.

    Parameters
    ----------
    W : csr_array of shape (n, n)

    Examples
    --------
    >>> WeightedGraph(sp.csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    WeightedGraph(n=3, edges=1, components=2, isolated=1)
    """

    W: sp.csr_array

    def __repr__(self) -> str:
        parts = self.components.max(initial=-1) + 1
        return (
            f"WeightedGraph(n={self.n}, edges={self.W.nnz // 2}, components={parts}, "
            f"isolated={int(np.sum(np.diff(self.W.indptr) == 0))})"
        )

    @property
    def n(self) -> int:
        return self.W.shape[0]

    @cached_property
    def degrees(self) -> np.ndarray:
        """D_ii = Σ_j W_ij, shape (n,)."""
        return np.asarray(self.W.sum(axis=1)).ravel()

    @cached_property
    def components(self) -> np.ndarray:
        """The connected component of each point, shape (n,), numbered from 0."""
        return connected_components(self.W, directed=False)[1]


class Graph(NamedParameters, ABC):
    """A rule that joins points; :meth:`build` turns it into the weights W_ij ≥ 0 of a graph."""

    reads_points = True
    """Whether ``build`` looks at X: False where the weights are given."""

    @abstractmethod
    def build(self, X: MatrixLike) -> WeightedGraph:
        """The weighted graph over the rows of X (dense, CSR, or :class:`Distances`)."""
