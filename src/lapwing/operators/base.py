"""The abstract classes of operators, and operators that are given by a matrix."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from ..graphs import WeightedGraph
from ..linalg.points import dense_rows
from ..linalg.resolvents import Resolvent, no_penalty, single
from ..linalg.resolvents.given import matrix_resolvent
from ..linalg.sparse import RowBlocks, SparseState, in_order, local_order, norm_bound

MANY_POINTS = 30_000
"""From this many points on, products reorder the points; below, all values fit into the cache."""

NO_MATRIX = sp.csr_array((0, 0))

FEW_ENTRIES = 48
"""The most entries in a row of a sparse matrix for which R K R is cheaper than an LU factor."""


def as_values(F) -> np.ndarray:
    """F as a float array: float32 and float64 are kept, any other type becomes float64."""
    F = np.asarray(F)
    return F if F.dtype in (np.float32, np.float64) else F.astype(np.float64)


class Operator(SparseState, ABC):
    """⟨F, M F⟩ for values F, (n, t), of functions at n points. M is immutable, symmetric and PSD.

    Concrete operators define :meth:`apply`. There are two kinds: :class:`PSDOperator` acts on each
    column alone, :class:`~lapwing.operators.PairOperator` on q columns together.

    Attributes
    ----------
    n : int
        The number of points.
    graph : WeightedGraph or None
        The graph behind the operator, which tells the points that a label reaches. None without a
        graph: every point is then coupled to every other one, or for M = 0 to no other.
    n_outputs : int
        The number of columns of F that the operator couples; 1 where it acts on each alone.
    coupling : bool
        Whether the operator couples points. False for M = 0.
    near : (order, PSDOperator) or ()
        The same operator over reordered points, with neighbors near each other in memory: (M
        F)[order] = near (F[order]). Empty where there are too few points to pay.
    polynomial : (csr_array, sequence of float) or ()
        L and coefficients c with M = Σ_p c_p L^p, where M is a polynomial of a graph's Laplacian L.
    """

    n: int
    n_outputs: int = 1
    coupling: bool = True
    graph: WeightedGraph | None = None
    near: tuple = ()
    polynomial: tuple = ()

    def __repr__(self) -> str:
        outputs = f", {self.n_outputs} outputs" if self.n_outputs > 1 else ""
        edges = f", {self.graph.W.nnz // 2} edges" if self.graph else ""
        return f"{type(self).__name__}({self.n} points{outputs}{edges})"

    @abstractmethod
    def apply(self, F: np.ndarray) -> np.ndarray:
        """M F for F of shape (n, t). The dtype of F (float32 or float64) is kept."""

    @abstractmethod
    def apply_each(self, F: np.ndarray) -> np.ndarray:
        """M F_k for each of t functions with q outputs, F of shape (n, q, t)."""

    @abstractmethod
    def value(self, F: np.ndarray) -> np.ndarray:
        """⟨f, M f⟩ of each column, (t,), or of all columns together, (1,)."""

    @abstractmethod
    def toarray(self) -> np.ndarray:
        """M as a dense matrix, for tests and small problems."""

    @abstractmethod
    def along(self, V: np.ndarray) -> Sequence[tuple[float, PSDOperator]]:
        """(c_j, N_j) with ⟨F Vᵀ, M F Vᵀ⟩ = Σ_j c_j ⟨F_j, N_j F_j⟩ for an orthogonal V, (q, q).

        The list is empty where M does not decouple along V. Equal columns share one operator
        object.
        """

    def over_views(self, weight: float):
        """weight · M as a coupling of views, to which others can be added; else None."""
        return None

    def nearby(self) -> tuple[np.ndarray, Sequence[tuple[float, PSDOperator]]]:
        """W and (c_j, N_j) of a similar operator that decouples along W; empty if none."""
        return np.empty((0, 0)), []

    def unreached(self, labeled: np.ndarray) -> np.ndarray:
        """True at points whose component of the graph has no labeled point, (n,)."""
        if not self.graph:
            return np.zeros(len(labeled), dtype=bool)
        components = self.graph.components[: len(labeled)]
        return ~np.isin(components, components[labeled])

    def norm_bound(self) -> float:
        """An upper bound of ‖M‖ where it costs little, else infinity."""
        return float("inf")

    @property
    def sparse_matrix(self) -> sp.csr_array:
        """M as one sparse matrix with few entries in a row; (0, 0) where there is none."""
        return NO_MATRIX

    @property
    def root(self) -> sp.csr_array:
        """A symmetric R with M = R² and few entries in a row; (0, 0) where there is none."""
        return NO_MATRIX

    def galerkin(self, P: sp.csr_array) -> np.ndarray:
        """PᵀMP, (m, m), for a sparse P, (n, m); empty where M is no sum of sparse products."""
        return np.empty((0, 0))

    def gradient(self, F: np.ndarray) -> np.ndarray:
        """2 M F, (n, t)."""
        return 2.0 * self.apply(F)

    def curvature(self, F: np.ndarray, V: np.ndarray) -> np.ndarray:
        """The second derivative at F along V: 2 M V, (n, t)."""
        return 2.0 * self.apply(V)


class PSDOperator(Operator):
    """⟨f, M f⟩ of each column alone. M is an n × n matrix that is applied and never formed."""

    def apply_each(self, F):
        return self.apply(F.reshape(self.n, -1)).reshape(F.shape)

    def value(self, F):
        return np.einsum("it,it->t", F, self.apply(F))

    def toarray(self):
        return self.apply(np.eye(self.n))

    def along(self, V):
        return [(1.0, self)] * len(V)

    def resolvent(self, B: Sequence[np.ndarray], scale: float) -> Resolvent | None:
        """(I + N B)⁻¹ N with N = scale · M and B the diagonal of the blocks B_j; else None."""
        return single(B[0], self.apply, scale) if len(B) == 1 else None

    def restricted(self, at: np.ndarray) -> PSDOperator:
        """M on the values ``at``, with the other values at their minimum."""
        raise TypeError(f"{type(self).__name__} needs all views at every row: give a matrix.")

    def eliminated(self):
        """The parts of M for eliminating intrinsic functions; empty where M has none."""
        return ()


class ZeroOperator(PSDOperator):
    """M = 0 over n points: no intrinsic penalty.

    Examples
    --------
    >>> ZeroOperator(3).value(np.ones((3, 1)))
    array([0.])
    """

    coupling = False

    def __init__(self, n: int):
        self.n = n

    def apply(self, F):
        return np.zeros_like(as_values(F))

    def resolvent(self, B, scale):
        return no_penalty(self.n)


class MatrixOperator(PSDOperator):
    """M as a matrix, dense or sparse.

    Parameters
    ----------
    M : array or csr_array of shape (n, n)
        Symmetric and PSD. This is not checked.
    graph : WeightedGraph, optional
    """

    _remade = ("_single", "_double")

    def __init__(self, M: np.ndarray | sp.csr_array, graph: WeightedGraph | None = None):
        self.M = M if sp.issparse(M) else np.asarray(M)
        self.n = M.shape[0]
        self.graph = graph

    @cached_property
    def _single(self):
        return self._in(np.float32)

    @cached_property
    def _double(self):
        return self._in(np.float64)

    def _in(self, dtype):
        return RowBlocks(self.M, dtype) if sp.issparse(self.M) else self.M.astype(dtype, copy=False)

    def apply(self, F):
        F = as_values(F)
        return (self._single if F.dtype == np.float32 else self._double) @ F

    @property
    def sparse_matrix(self):
        if not isinstance(self.M, sp.csr_array) or self.M.nnz > FEW_ENTRIES * self.n:
            return NO_MATRIX
        return self.M.astype(np.float64, copy=False)

    def galerkin(self, P):
        return (P.T @ (self.M @ P)).toarray() if sp.issparse(self.M) else super().galerkin(P)

    def resolvent(self, B, scale):
        return matrix_resolvent(self.M, B, scale)

    def restricted(self, at: np.ndarray) -> MatrixOperator:
        """M on the values ``at``, with the other values at their minimum: a Schur complement."""
        absent = np.setdiff1d(np.arange(self.n), at)
        pairs = ((at, at), (at, absent), (absent, absent))
        kept, across, gone = (dense_rows(self.M[i][:, j]) for i, j in pairs)
        return MatrixOperator(kept - across @ np.linalg.pinv(gone, hermitian=True) @ across.T)


class PolynomialOperator(PSDOperator):
    """Σ_p c_p L^p, applied as len(c) − 1 sparse products.

    Parameters
    ----------
    L : csr_array of shape (n, n)
        A symmetric matrix with the edges of the graph, such as its Laplacian.
    coefficients : sequence of float
        c_0, c_1, …
    graph : WeightedGraph
    ordered : bool
        Whether neighbors already lie near each other in memory.
    """

    _remade = ("near", "sparse_matrix")

    def __init__(
        self,
        L: sp.csr_array,
        coefficients: Sequence[float] | np.ndarray,
        graph: WeightedGraph,
        ordered: bool = False,
    ):
        self.L = MatrixOperator(L)
        self.ordered = ordered
        self.coefficients = tuple(float(c) for c in coefficients)
        self.n = graph.n
        self.graph: WeightedGraph = graph

    @cached_property
    def near(self):  # type: ignore[override]
        if self.ordered or self.n < MANY_POINTS:
            return ()
        order, graph, L = self.graph.shelf.once(self._reordered, "near", self.L.M)
        return order, PolynomialOperator(L, self.coefficients, graph, True)

    def _reordered(self) -> tuple[np.ndarray, WeightedGraph, sp.csr_array]:
        order = local_order(self.graph.W)
        return order, WeightedGraph(in_order(self.graph.W, order)), in_order(self.L.M, order)

    @property
    def polynomial(self):  # type: ignore[override]
        return self.L.M, self.coefficients

    def apply(self, F):
        F = as_values(F)
        if self.near:
            order, operator = self.near
            out = np.empty_like(F)
            out[order] = operator.apply(F[order])
            return out
        *lower, top = self.coefficients
        G = F if lower and top == 1.0 else top * F
        for c in reversed(lower):
            G = self.L.apply(G)
            if c:
                G += c * F
        return G

    @cached_property
    def sparse_matrix(self):  # type: ignore[override]
        """c_0 I + c_1 L, or with c_2 L² where L² has few entries; (0, 0) for higher powers."""
        L, c = self.L.sparse_matrix, self.coefficients
        if not L.shape[0] or len(c) not in (2, 3):
            return NO_MATRIX
        # where more than a 15th of L² is nonzero, a dense system is faster
        if len(c) == 3 and np.sum(np.diff(L.indptr) ** 2.0) > self.n**2 / 15:
            return NO_MATRIX
        M = c[1] * L if len(c) == 2 else sp.csr_array(c[1] * L + c[2] * (L @ L))
        return M if not c[0] else sp.csr_array(M + c[0] * sp.eye_array(self.n))

    @property
    def root(self):
        """√c_2 L, where M = c_2 L²."""
        L, c = self.L.sparse_matrix, self.coefficients
        return np.sqrt(c[2]) * L if len(c) == 3 and not any(c[:2]) else NO_MATRIX

    def norm_bound(self):
        """Σ_p |c_p| b^p with b ≥ ‖L‖."""
        b = norm_bound(self.L.M, self.graph.degrees)
        return float(sum(abs(c) * b**p for p, c in enumerate(self.coefficients)))

    def galerkin(self, P):
        """Σ_p c_p (L^⌊p/2⌋ P)ᵀ (L^⌈p/2⌉ P)."""
        L, powers = self.L.M, [P]
        for _ in range(len(self.coefficients) // 2):
            powers.append(L @ powers[-1])
        out = np.zeros((P.shape[1], P.shape[1]))
        for p, c in enumerate(self.coefficients):
            if c:
                out += c * (powers[p // 2].T @ powers[p - p // 2]).toarray()
        return out


def power(L: sp.csr_array, degree: int, scale: float, graph: WeightedGraph) -> PolynomialOperator:
    """s L^p, with s = ``scale`` and p = ``degree``."""
    return PolynomialOperator(L, np.append(np.zeros(degree), scale), graph)
