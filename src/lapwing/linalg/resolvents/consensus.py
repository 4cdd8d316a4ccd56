"""A penalty on the distance from a consensus: Σ_i min_g Σ_j w_ij (f^j_i − g)²."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .base import Cholesky, Resolvent, require_matrices, slices_of, submatrix


class Consensus(Resolvent):
    """With the consensus g held fixed the blocks are independent, P_j = (W_j⁻¹ + B_j)⁻¹ each;
    minimising over g takes one more system of the order of a block,

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

    def __init__(
        self,
        blocks: Sequence[np.ndarray],
        rows: Sequence[np.ndarray],
        weights: Sequence[np.ndarray],
    ):
        self.slices = slices_of([len(B) for B in blocks])
        self.size = self.slices[-1].stop
        self.active = [np.flatnonzero(w > 0) for w in weights]
        self.roots = [np.sqrt(w[at])[:, None] for w, at in zip(weights, self.active, strict=True)]
        taking_part = [at_rows[at] for at_rows, at in zip(rows, self.active, strict=True)]
        union = np.unique(np.concatenate(taking_part))
        self.places = [np.searchsorted(union, part) for part in taking_part]
        self._factors: list[Cholesky | None] = []
        # one factor per block, their sum, and an inverse on its way
        require_matrices(len(blocks) + 4, len(union), f"The consensus of {len(blocks)} views")
        total = np.zeros((len(union), len(union)))
        for B, at, root, place in zip(blocks, self.active, self.roots, self.places, strict=True):
            factor = Cholesky(_identity_plus(submatrix(B, at), root)) if len(at) else None
            self._factors.append(factor)
            if factor is None:
                continue
            P = factor.inverse()
            P *= root
            P *= root.T
            total[np.ix_(place, place)] += P
        self.n_consensus = len(union)
        self._consensus = Cholesky(total) if len(union) else None

    def apply(self, b):
        if self._consensus is None:
            return np.zeros_like(b)
        alone = [self._P(j, b[where][at]) for j, (where, at) in enumerate(self._where())]
        pulled = np.zeros((self.n_consensus, b.shape[1]))
        for place, part in zip(self.places, alone, strict=True):
            pulled[place] += part
        g = self._consensus.solve(pulled)
        out = np.zeros_like(b)
        for j, (where, at) in enumerate(self._where()):
            out[where][at] = alone[j] - self._P(j, g[self.places[j]])
        return out

    def _where(self):
        return zip(self.slices, self.active, strict=True)

    def _P(self, j: int, b: np.ndarray) -> np.ndarray:
        """P_j b = W^{1/2} (I + W^{1/2} B_j W^{1/2})⁻¹ W^{1/2} b."""
        factor = self._factors[j]
        return b if factor is None else self.roots[j] * factor.solve(self.roots[j] * b)


def _identity_plus(B: np.ndarray, root: np.ndarray) -> np.ndarray:
    E = root * B * root.T
    E.flat[:: len(E) + 1] += 1.0
    return E
