"""A penalty on the distance from a consensus: Σ_i min_g Σ_j w_ij (f^j_i − g)²."""

from collections.abc import Callable, Sequence

import numpy as np

from ..cholesky import Cholesky
from .base import Product, Resolvent, no_penalty, require_matrices, slices_of, submatrix


def consensus(
    blocks: Sequence[np.ndarray], rows: Sequence[np.ndarray], weights: Sequence[np.ndarray]
) -> Resolvent:
    """With the consensus g held fixed the blocks are independent, P_j = (W_j⁻¹ + B_j)⁻¹ each;
    minimizing over g takes one more system of the order of a block,

        T = P − P U (Uᵀ P U)⁻¹ Uᵀ P,    P = diag(P_j),  U g = (g, …, g),  Uᵀ P U = Σ_j P_j.

    So m blocks of order n cost m + 1 Cholesky factors and m inverses of order n, in place of a
    system of order m n. Equal weights w = m are the pairwise disagreement Σ_{j<k} ‖f^j − f^k‖²
    of m views.

    Parameters
    ----------
    blocks : sequence of arrays of shape (n_j, n_j)
        The diagonal blocks B_j.
    rows : sequence of sorted integer arrays of shape (n_j,)
        The row i that each entry of a block belongs to.
    weights : sequence of arrays of shape (n_j,)
        w_ij ≥ 0 of each entry; 0 where the entry takes no part.
    """
    slices = slices_of([len(B) for B in blocks])
    active = [np.flatnonzero(w > 0) for w in weights]
    taking_part = [at_rows[at] for at_rows, at in zip(rows, active, strict=True)]
    union = np.unique(np.concatenate(taking_part))
    if not len(union):
        return no_penalty(slices[-1].stop)
    # one factor per block, their sum, and an inverse on its way
    require_matrices(len(blocks) + 4, len(union), f"The consensus of {len(blocks)} views")
    places = [np.searchsorted(union, part) for part in taking_part]
    alone = [_alone(*one) for one in zip(blocks, active, weights, strict=True)]
    total = np.zeros((len(union), len(union)))
    for place, (_, inverse) in zip(places, alone, strict=True):
        total[np.ix_(place, place)] += inverse()
    factor = Cholesky(total)
    where = [(block, at) for block, at in zip(slices, active, strict=True)]

    def apply(b: np.ndarray) -> np.ndarray:
        pulled = np.zeros((len(union), b.shape[1]))
        own = [P(b[block][at]) for (P, _), (block, at) in zip(alone, where, strict=True)]
        for place, part in zip(places, own, strict=True):
            pulled[place] += part
        g, out = factor.solve(pulled), np.zeros_like(b)
        for j, (block, at) in enumerate(where):
            out[block][at] = own[j] - alone[j][0](g[places[j]])
        return out

    return Resolvent(slices[-1].stop, apply)


def _alone(B: np.ndarray, at: np.ndarray, w: np.ndarray) -> tuple[Product, Callable]:
    """b ↦ P_j b = W^{1/2} (I + W^{1/2} B_j W^{1/2})⁻¹ W^{1/2} b, and P_j itself when asked for."""
    root = np.sqrt(w[at])[:, None]
    if not len(at):
        return lambda b: b, lambda: np.zeros((0, 0))
    factor = Cholesky(_identity_plus(submatrix(B, at), root))

    def inverse() -> np.ndarray:
        P = factor.inverse()
        P *= root
        P *= root.T
        return P

    return lambda b: root * factor.solve(root * b), inverse


def _identity_plus(B: np.ndarray, root: np.ndarray) -> np.ndarray:
    E = root * B * root.T
    E.flat[:: len(E) + 1] += 1.0
    return E
