"""A two-level preconditioner for graphs: single points, and cells of points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra
from sklearn.preprocessing import normalize

from .cholesky import Cholesky
from .panels import add_multiple
from .sparse import RowBlocks

TINY = np.finfo(float).tiny


def cells(W: sp.csr_array, components: np.ndarray, most: int = 2_000) -> sp.csr_array:
    """Indicators of Voronoi cells on the graph, (n, m). Each row has at most one 1.

    The centers are random with a fixed seed. Each component gets one more center, as long as
    components are few. The length of an edge is 1 − log(w/w_max), so that strong edges are short.
    """
    n = W.shape[0]
    m = max(1, min(n // 40, int(4 * np.sqrt(n)), most))
    first = np.unique(components, return_index=True)[1]
    drawn = np.random.default_rng(0).choice(n, m, replace=False)
    centers = np.union1d(drawn, first[: most // 2])
    top = W.data.max(initial=0.0) or 1.0
    lengths = 1.0 - np.log(np.maximum(W.data, 1e-30 * top) / top)
    D = sp.csr_array((lengths, W.indices, W.indptr), W.shape)
    source = dijkstra(D, indices=centers, min_only=True, return_predecessors=True)[2]
    rows = np.flatnonzero(source >= 0)
    columns = np.searchsorted(centers, source[rows])
    return sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, len(centers)))


def smooth_basis(W: sp.csr_array, components: np.ndarray, z: np.ndarray) -> sp.csr_array:
    """P = diag(z) (½ I + ½ D⁻¹W) C, (n, m), with C the cells: z is a combination of its columns."""
    C = cells(W, components)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    share = np.divide(0.5, degrees, out=np.zeros_like(degrees), where=degrees > TINY)
    averaged = sp.diags_array(share) @ (W @ C) + sp.diags_array(1.0 - share * degrees) @ C
    return sp.csr_array(sp.diags_array(z) @ averaged)


@dataclass(frozen=True)
class Coarse:
    """M on the cells: P, PᵀMP and ‖M‖, computed once for all weights.

    Attributes
    ----------
    P : csr_array of shape (n, m), float32
        Its columns have norm 1.
    up, down : RowBlocks
        P and Pᵀ, for products.
    energy : array of shape (m, m)
        PᵀMP.
    mass : array of shape (m, m)
        PᵀP.
    norm : float
        About ‖M‖.
    """

    P: sp.csr_array
    up: RowBlocks
    down: RowBlocks
    energy: np.ndarray
    mass: np.ndarray
    norm: float

    @classmethod
    def of(cls, operator) -> Coarse | None:
        """The coarse level of an operator that has a graph and can compute PᵀMP; else None."""
        graph = operator.graph
        if not graph or not graph.W.nnz:
            return None
        P = smooth_basis(graph.W, graph.components, _smoothest(operator))
        # √degree of outliers may be so small that 1/(PᵀAP) is beyond float32
        P = sp.csr_array(normalize(P, axis=0))
        energy = operator.galerkin(P)
        if not len(energy):
            return None
        single = sp.csr_array(P.astype(np.float32))
        mass, down = (P.T @ P).toarray(), RowBlocks(sp.csr_array(single.T))
        norm = norm_from_below(operator.apply, operator.n, 8)
        return cls(single, RowBlocks(single), down, energy, mass, norm)


class TwoLevel:
    """r ↦ D⁻¹ r + P (PᵀAP)⁻¹ Pᵀ r, close to A⁻¹ for A = ridge + diag(w) − UUᵀ + λM on a graph.

    D = ridge + w + λ‖M‖/2 damps differences between neighbors. The cells solve for functions that
    vary slowly: there A is nearly singular, and conjugate gradients alone are slow.

    Parameters
    ----------
    coarse : Coarse
    form : QuadraticForm
        diag(w) − UUᵀ + λM.
    ridge : float
    """

    def __init__(self, coarse: Coarse, form, ridge: float):
        self.up, self.down = coarse.up, coarse.down
        A = form.lam * coarse.energy + ridge * coarse.mass
        diagonal = np.full(coarse.P.shape[0], ridge + 0.5 * form.lam * coarse.norm)
        if len(form.rows):
            diagonal[form.rows] += form.weights
            near = coarse.P[form.rows].astype(np.float64)
            U = near.T @ form.off
            A += (near.T @ sp.diags_array(form.weights) @ near).toarray() - U @ U.T
        self.inverse = _inverse(A)
        self.damping = (1.0 / diagonal)[:, None].astype(np.float32)

    def __call__(self, R: np.ndarray) -> np.ndarray:
        """The product with R, computed in float32 and returned in the precision of R."""
        single = R.astype(np.float32, copy=False)
        Z = self.up @ (self.inverse @ (self.down @ single))
        add_multiple(Z, self.damping, single)
        return Z.astype(R.dtype, copy=False)


def _inverse(A: np.ndarray) -> np.ndarray:
    """A⁻¹ in float32, symmetric, with a small ridge; 0 where A has no positive part."""
    size = np.sqrt(np.maximum(np.diagonal(A), TINY))
    B = np.ascontiguousarray(0.5 * (A + A.T) / size / size[:, None])
    try:
        # the ridge covers what float32 does not resolve
        X = Cholesky(B, ridge=1e-7).solve(np.eye(len(B)))
    except ValueError:  # no positive part is left: only the damping of single points remains
        return np.zeros(A.shape, dtype=np.float32)
    return (X / size / size[:, None]).astype(np.float32)


def _smoothest(operator) -> np.ndarray:
    """1 or √degree, (n,): the one that M maps closer to 0. Isolated points count as 1."""
    degrees = operator.graph.degrees
    root = np.sqrt(np.where(degrees > TINY, degrees, 1.0))
    both = np.column_stack([np.ones(len(root)), root]) / [np.sqrt(len(root)), np.linalg.norm(root)]
    bent = np.linalg.norm(operator.apply(both), axis=0)
    return root if bent[1] < bent[0] else np.ones(len(root))


def norm_from_below(apply: Callable[[np.ndarray], np.ndarray], n: int, steps: int) -> float:
    """About ‖A‖ of a symmetric PSD A of order n, by power steps in float32 from a random vector.

    One step gives about the root mean square of the eigenvalues. Eight steps come close to the
    largest.

    Examples
    --------
    >>> round(norm_from_below(lambda v: 3.0 * v, 50, 1), 4)
    3.0
    """
    v = np.random.default_rng(0).standard_normal((n, 1)).astype(np.float32)
    size = 0.0
    for _ in range(steps):
        v /= np.linalg.norm(v) or 1.0
        v = apply(v)
        size = float(np.linalg.norm(v))
    return size
