"""The Hessian energy. Functions that are linear along the manifold cost nothing."""

from numbers import Integral

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from ..graphs.assemble import symmetric_graph
from ..graphs.base import has_coordinates
from ..graphs.search import nearest
from ..linalg.blocks import BUFFER_BYTES
from ..operators import MatrixOperator, PSDOperator
from ..parameters.checks import is_count
from ..types import MatrixLike, TargetLike
from .base import Regularizer

# Singular values below this fraction of the largest belong to directions the points do not span.
_RCOND = 1e-10


class HessianEnergy(Regularizer):
    """⟨f, M f⟩ = Σ_i ‖H_i f‖²_F, where H_i f estimates the second derivatives of f at x_i.

    A least-squares fit f(x_j) − f(x_i) ≈ ⟨b, z_j⟩ + ½ ⟨z_j, H z_j⟩ over the k nearest neighbors of
    x_i gives H_i. The vector z_j is x_j − x_i in the local tangent space, which is spanned by the
    first ``n_components`` principal directions. The penalty is 0 for constants and, on flat data,
    for linear functions. f can therefore extrapolate linearly. With the Laplacian it cannot.

    Parameters
    ----------
    n_neighbors : int, optional
        The number k of neighbors per point. A fit has q = m + m(m + 1)/2 unknowns with m =
        n_components, and k must be at least q. A k above n − 1 is reduced to n − 1. None is 2(q +
        1).
    n_components : int ≥ 1, default=2
        The dimension of the manifold.

    Notes
    -----
    The energy scales as length⁻⁴. A rescaled X therefore needs another γ_I. A point contributes
    nothing if all its neighbors equal it. Second derivatives count as 0 in directions that the
    neighbors do not span.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006, Remark 1, item 3; Donoho, Grimes 2003, *Hessian Eigenmaps*;
    Kim, Steinke, Hein 2009, *Semi-supervised Regression using Hessian Energy*, §3.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0.0, 1.0, 9)[:, None]
    >>> M = HessianEnergy(n_components=1).build(x)
    >>> abs(M.value(np.hstack([x, x**2]))).round(6)
    array([ 0., 36.])
    """

    costly = True

    def __init__(self, n_neighbors: int | None = None, n_components: int = 2) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components

    def build(self, X: MatrixLike, y: TargetLike = None) -> PSDOperator:
        X = _check_points(X, self.n_components)
        k = _neighbors(self.n_neighbors, self.n_components, len(X))
        lists = nearest(X, k, most=k)
        H = _hessians(X, lists.indices.reshape(-1, k), self.n_components)
        graph = symmetric_graph(lists, "binary", X, None)
        return MatrixOperator(sp.csr_array(H.T @ H), graph)


def _check_points(X: MatrixLike, dim) -> np.ndarray:
    if not is_count(dim):
        raise ValueError(f"n_components must be an integer ≥ 1, got {dim!r}.")
    if not has_coordinates(X) or sp.issparse(X):
        raise TypeError(
            "HessianEnergy fits tangent spaces and needs dense coordinates, got "
            f"{type(X).__name__}; reduce sparse data first (TruncatedSVD), or use Laplacian()."
        )
    X = check_array(X, dtype=np.float64, input_name="X", ensure_min_features=0)
    if X.shape[1] < dim:
        raise ValueError(
            f"X has {X.shape[1]} columns, but n_components = {dim}, which may not exceed them."
        )
    return X


def _neighbors(k, dim: int, n: int) -> int:
    unknowns = dim + dim * (dim + 1) // 2
    if k is not None and (not isinstance(k, Integral) or isinstance(k, bool)):
        raise ValueError(f"n_neighbors must be an integer or None, got {k!r}.")
    used = min(2 * (unknowns + 1) if k is None else int(k), n - 1)
    if used < unknowns:
        raise ValueError(
            f"A second-order fit in n_components = {dim} dimensions has {unknowns} unknowns and "
            f"needs as many neighbors, got n_neighbors = {used} (X has {n} rows); take more "
            "neighbors, more rows, or a smaller n_components."
        )
    return used


def _hessians(X: np.ndarray, lists: np.ndarray, dim: int) -> sp.csr_array:
    """All H_i below each other, shape (n·dim(dim+1)/2, n)."""
    n, k = lists.shape
    step = max(1, BUFFER_BYTES // 16 // (k * max(X.shape[1], 2 * k)))
    blocks = [
        _local_hessians(X[lists[i : i + step]] - X[i : i + step, None, :], dim)
        for i in range(0, n, step)
    ]
    local = np.concatenate(blocks)  # (n, dim(dim+1)/2, k), acting on f(x_j) − f(x_i).
    entries = local.shape[1]
    values = np.concatenate([-local.sum(axis=2, keepdims=True), local], axis=2)
    columns = np.concatenate([np.arange(n)[:, None], lists], axis=1)
    columns = np.repeat(columns, entries, axis=0)
    starts = np.arange(0, columns.size + 1, k + 1)
    return sp.csr_array((values.ravel(), columns.ravel(), starts), shape=(n * entries, n))


def _local_hessians(offsets: np.ndarray, dim: int) -> np.ndarray:
    """The entries of the Hessian at each point x_i, as weights of f(x_j) − f(x_i).

    Parameters
    ----------
    offsets : array of shape (b, k, d)
        x_j − x_i for the k neighbors of b points.

    Returns
    -------
    array of shape (b, dim(dim+1)/2, k)
        One row per pair r ≤ s. Rows with r < s carry a factor √2, because H_rs counts twice in
        ‖H‖²_F.
    """
    # In units of the neighborhood's own size both orders of the fit have columns of size 1.
    size = np.abs(offsets).max(axis=(1, 2), initial=0.0)
    unit = offsets / np.where(size > 0, size, 1.0)[:, None, None]
    centered = unit - unit.mean(axis=1, keepdims=True)
    directions = np.linalg.svd(centered, full_matrices=False)[2][:, :dim]
    z = unit @ directions.transpose(0, 2, 1)
    r, s = np.triu_indices(dim)
    quadratic = z[:, :, r] * z[:, :, s] * np.where(r == s, 0.5, 1.0)
    fit = np.linalg.pinv(np.concatenate([z, quadratic], axis=2), rcond=_RCOND)
    hessian = fit[:, dim:] * np.where(r == s, 1.0, np.sqrt(2.0))[:, None]
    scale = np.where(size > 0, size, np.inf)[:, None, None]
    return hessian / scale / scale
