"""The joint intrinsic operator that a regularizer and an output structure make together."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..linalg.psd import check_psd
from ..outputs import Enumerated, Outputs
from ..regularizers import Laplacian, PSDOperator, get_regularizer
from ..regularizers.joint import PairOperator, TensorLaplacian, tensor_columns
from ..regularizers.laplacian import PowerOperator
from ..regularizers.operators import ScaledOperator


def joint_operator(regularizer, outputs: Outputs, points, codes: np.ndarray) -> PSDOperator:
    """M over the (n, q) values F, with ⟨F, M F⟩ = ⟨f, L f⟩ and f = F Λᵀ.

    ===============================  =========================================================
    given                            L
    ===============================  =========================================================
    a PSD matrix of order n|Y|       itself, row-major over (row, output)
    sets of labels                   M^X ⊗ (K^Y)⁺: the same M^X on every column
    no affinity                      M^X ⊗ I: σ_j M^X on column j
    an affinity, commuting           (J^X⊗J^Y − S^X⊗S^Y)^p or (D^X⊗D^Y − A^X⊗A^Y)^p, column by
                                     column in the common eigenbasis
    an affinity, not commuting       the same, coupling the columns
    ===============================  =========================================================

    Parameters
    ----------
    regularizer : Regularizer, matrix or None
        As the estimator's parameter.
    outputs : Outputs
    points : array, CSR matrix or Distances
    codes : integer array of shape (n,)
    """
    n = points.shape[0]
    if not isinstance(outputs, Enumerated):
        return get_regularizer(regularizer).build(points, codes)
    if _order(regularizer) == n * outputs.n_features != n:
        L = check_psd(regularizer, "The joint regularizer")
        return PairOperator.from_matrix(L, outputs.feature_map, n)
    if outputs.affinity is not None:
        return _tensor(regularizer, outputs, points, codes)
    _check_order(regularizer, n, outputs.n_features)
    base = get_regularizer(regularizer).build(points, codes)
    q = outputs.n_features
    return tensor_columns([base] * q, np.zeros((q, 1)), outputs.eigenvalues)


def _tensor(regularizer, outputs: Enumerated, points, codes) -> PSDOperator:
    laplacian = get_regularizer(regularizer)
    if not isinstance(laplacian, Laplacian):
        raise TypeError(
            "An output affinity needs the graph of a Laplacian to make D^X⊗D^Y − A^X⊗A^Y, but "
            f"regularizer is {laplacian!r}. Use Laplacian(...), or affinity=None."
        )
    if isinstance(laplacian.normalized, str):
        raise ValueError(
            f"An output affinity joins degrees, D^X⊗D^Y − A^X⊗A^Y, and normalized="
            f"{laplacian.normalized!r} has none. Use normalized=True or False, or affinity=None."
        )
    built = laplacian.build(points, codes)
    assert isinstance(built, PowerOperator)
    assert built.graph is not None
    tensor = TensorLaplacian(
        built.graph, outputs.affinity, laplacian.normalized, built.degree, built.scale
    )
    if not outputs.commuting:
        nearby = nearby_columns(tensor, outputs)
        return PairOperator(tensor.apply, outputs.feature_map, built.n, built.graph, nearby)
    V = outputs.basis
    keys = np.stack([tensor.eigenvalues(v) for v in V.T])
    return tensor_columns([tensor.along(v) for v in V.T], keys, outputs.eigenvalues)


def nearby_columns(
    tensor: TensorLaplacian, outputs: Enumerated
) -> tuple[np.ndarray, list[PSDOperator]]:
    """K^Y replaced by the nearest kernel that commutes with A^Y, W diag(WᵀK^Y W) Wᵀ.

    In the symmetric features (K^Y)^{1/2} the joint operator then decouples along the
    eigenvectors W of A^Y: on column k it is (WᵀK^Y W)_kk times the input operator along w_k.
    """
    W = np.linalg.eigh(tensor.A_y)[1]
    weights = np.einsum("yk,yz,zk->k", W, outputs.kernel, W)
    operators: list[PSDOperator] = [
        ScaledOperator(tensor.along(w), max(float(b), 0.0))
        for w, b in zip(W.T, weights, strict=True)
    ]
    return outputs.basis.T @ W, operators


def _order(regularizer) -> int | None:
    is_matrix = isinstance(regularizer, np.ndarray) or sp.issparse(regularizer)
    return regularizer.shape[0] if is_matrix and regularizer.ndim == 2 else None


def _check_order(regularizer, n: int, q: int) -> None:
    order = _order(regularizer)
    if order is not None and order not in (n, n * q):
        raise ValueError(
            f"The regularizer's matrix has {order} rows; expected {n} (one per row of X) or "
            f"{n * q} (one per pair of row and output, row-major)."
        )
