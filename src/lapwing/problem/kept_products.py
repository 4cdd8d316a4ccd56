"""The values of a gradient over kept sections of K̃, from products with K that are kept too."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..linalg.blas import symm, symm_few
from ..linalg.panels import unit_columns
from ..spaces.sections import Sections

BESIDE = 0.1
"""The largest share of a gradient's norm that rounding beside the kept products may have."""


def known_values(kept: Sections, K: np.ndarray, G: np.ndarray) -> np.ndarray | None:
    """K G, (n, t), for the gradient G at the function that ``kept.lift`` returned last; or None.

    None where K is not stored or the products do not tell: K G is then computed.

    Parameters
    ----------
    kept : Sections
    K : array of shape (n, n)
        The Gram matrix, or an empty array.
    G : array of shape (n + g, t)
        The gradient. The last g rows are the offsets, which K does not see.
    """
    if not len(K) or kept.mix.shape != (len(kept.rows), G.shape[1]):
        return None
    kept.products = kept.products or KeptProducts(kept, K)
    return kept.products.values(G[: len(K)])


class KeptProducts:
    """K times the residuals ρ_j = e_j − A C_j of the kept sections C_j.

    A = γ_A I + (V + λM)K has the weights V at rows with a section. The gradient at f = Σ_j m_j C_j
    is therefore −2 Σ_j m_j ρ_j + d, with d zero at all other rows but for rounding. Its norm then
    needs no product with all of K for each column. A new section costs one product.

    Parameters
    ----------
    sections : Galerkin
        Sections over a stored K.
    K : array of shape (n, n)
    """

    def __init__(self, sections: Any, K: np.ndarray):
        self.sections, self.K = sections, K
        self.rests = self.products = np.empty((len(K), 0), dtype=np.float32)

    def values(self, G: np.ndarray) -> np.ndarray | None:
        """K G, (n, t), or None where G is no such gradient, as after further refinement."""
        self._grow()
        rows, mix = self.sections.rows, self.sections.mix
        beside = G + 2.0 * (self.rests @ mix)
        own = np.zeros(G.shape)
        own[rows], beside[rows] = beside[rows], 0.0
        F = symm_few(self.K, own, rows) - 2.0 * (self.products @ mix)
        # ⟨d, K d⟩ ≤ tr K ‖d‖²
        most = float(self.K.diagonal().sum()) * np.einsum("it,it->t", beside, beside)
        return F if (most <= BESIDE**2 * np.einsum("it,it->t", F, G)).all() else None

    def _grow(self) -> None:
        """Multiply K by the residuals of new sections. float32 holds the digits of a norm."""
        s, known = self.sections, self.rests.shape[1]
        if known == len(s.rows):
            return
        C, F = s.C[:, known:], s.F[:, known:]
        rest = unit_columns(s.rows[known:], len(self.K)) - s.engine.apply(C, F)
        self.rests = np.hstack([self.rests, rest.astype(np.float32)])
        self.products = np.hstack([self.products, symm(self.K, rest).astype(np.float32)])
