"""What an operator is: a PSD quadratic form on the values at the points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.resolvents import Resolvent, Single
from ..linalg.sparse import SparseState


def as_values(F) -> np.ndarray:
    """F as a float array: float32 and float64 stay as they are, anything else is float64."""
    F = np.asarray(F)
    return F if F.dtype in (np.float32, np.float64) else F.astype(np.float64)


class Operator(SparseState, ABC):
    """⟨F, M F⟩ for the values F, (n, t), of functions at the n points: immutable, symmetric, PSD.

    Concrete operators define :meth:`apply`. There are two kinds: :class:`PSDOperator` acts on each
    column alone, :class:`~lapwing.operators.PairOperator` on the q columns together.

    Attributes
    ----------
    n : int
        Number of points.
    graph : WeightedGraph or None
        The graph behind the operator: it tells which points a label reaches. None where there
        is none, because every point is coupled to every other one (or, for M = 0, to nobody).
    n_outputs : int
        How many columns of F the operator couples; 1 where it acts on each alone.
    coupling : bool
        Whether it couples points at all: False for M = 0.
    """

    n: int
    n_outputs: int = 1
    coupling: bool = True
    graph: WeightedGraph | None = None

    def __repr__(self) -> str:
        outputs = f", {self.n_outputs} outputs" if self.n_outputs > 1 else ""
        edges = "" if self.graph is None else f", {self.graph.W.nnz // 2} edges"
        return f"{type(self).__name__}({self.n} points{outputs}{edges})"

    @abstractmethod
    def apply(self, F: np.ndarray) -> np.ndarray:
        """M F for F of shape (n, t); the dtype of F (float32 or float64) is kept."""

    @abstractmethod
    def value(self, F: np.ndarray) -> np.ndarray:
        """⟨f, M f⟩ of each column, (t,), or of all together, (1,)."""

    @abstractmethod
    def toarray(self) -> np.ndarray:
        """M as a dense matrix: for tests and small problems."""

    @abstractmethod
    def along(self, V: np.ndarray) -> Sequence[tuple[float, PSDOperator]] | None:
        """(c_j, N_j) with ⟨F Vᵀ, M F Vᵀ⟩ = Σ_j c_j ⟨F_j, N_j F_j⟩, V orthogonal; None if coupled.

        Columns that are alike share one operator object.
        """

    def nearby(self) -> tuple[np.ndarray, Sequence[tuple[float, PSDOperator]]] | None:
        """W and (c_j, N_j) of an operator like this one that decouples along W; else None."""
        return None

    def norm_bound(self) -> float:
        """A number that ‖M‖ does not exceed, where it costs little; else infinity."""
        return float("inf")

    def galerkin(self, P: sp.csr_array) -> np.ndarray | None:
        """PᵀMP, (m, m), for a sparse P, (n, m); None where M is no sum of sparse products."""
        return None

    def gradient(self, F: np.ndarray) -> np.ndarray:
        """2 M F, shape (n, t)."""
        return 2.0 * self.apply(F)

    def curvature(self, F: np.ndarray, V: np.ndarray) -> np.ndarray:
        """The second derivative at F along V: 2 M V, shape (n, t)."""
        return 2.0 * self.apply(V)


class PSDOperator(Operator):
    """⟨f, M f⟩ of each column alone: an n × n matrix, applied and never formed."""

    def value(self, F):
        return np.einsum("it,it->t", F, self.apply(F))

    def toarray(self):
        return self.apply(np.eye(self.n))

    def along(self, V):
        return [(1.0, self)] * len(V)

    def resolvent(self, B: Sequence[np.ndarray], scale: float) -> Resolvent | None:
        """(I + N B)⁻¹ N of N = scale · M and the blocks B_j on a diagonal; else None."""
        return Single(B[0], self.apply, scale) if len(B) == 1 else None

    def restricted(self, at: np.ndarray) -> PSDOperator:
        """M with the values other than ``at`` free, hence at their minimum."""
        raise TypeError(f"{type(self).__name__} needs all views at every row: give a matrix.")

    def eliminated(self):
        """What eliminating intrinsic functions leaves on ambient ones; None without any."""
        return None
