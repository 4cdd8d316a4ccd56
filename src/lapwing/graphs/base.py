"""The base class of graphs, and built graphs: symmetric weights W_ij ≥ 0 between rows."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from ..linalg.sparse import SparseState
from ..parameters.shelf import Shelf
from ..parameters.spelling import NamedParameters
from ..types import MatrixLike


@dataclass(frozen=True, repr=False)
class Distances:
    """Pairwise distances, shape (n, n). A graph takes them in place of the rows of X.

    Parameters
    ----------
    matrix : array or sparse matrix of shape (n, n)
        A sparse matrix may be one of scikit-learn's neighbor graphs. Pairs that it does not store
        are not neighbors.

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
        """The distances between the given rows."""
        return Distances(self.matrix[np.ix_(rows, rows)])


def has_coordinates(X: Any) -> bool:
    """Whether X holds points. False for :class:`Distances`."""
    return not isinstance(X, Distances)


@dataclass(frozen=True, repr=False)
class WeightedGraph(SparseState):
    """A built graph. W is symmetric and non-negative, and its diagonal is empty.

    Parameters
    ----------
    W : csr_array of shape (n, n)
        The edge weights W_ij ≥ 0.

    Examples
    --------
    >>> WeightedGraph(sp.csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    WeightedGraph(n=3, edges=1, components=2, isolated=1)
    """

    W: sp.csr_array
    _remade = ("shelf",)

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
        """The number of the connected component of each row, shape (n,), from 0."""
        return connected_components(self.W, directed=False)[1]

    @cached_property
    def shelf(self) -> Shelf:
        """What is computed once for all operators over the graph: its Laplacians and their modes.

        It is never saved.
        """
        return Shelf()


class Graph(NamedParameters, ABC):
    """A rule that joins rows of X. :meth:`build` computes the weights W_ij ≥ 0."""

    reads_points = True
    """Whether ``build`` reads X. False if the weights are given."""

    @abstractmethod
    def build(self, X: MatrixLike) -> WeightedGraph:
        """Return the weighted graph over the rows of X (dense, CSR, or :class:`Distances`)."""
