"""A penalty on one combination of the blocks: Σ_i (Σ_j v_j f^j_i)²."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .base import Cholesky, Resolvent, slices_of, submatrix


class Shared(Resolvent):
    """N = λ D ᵀD with D f = Σ_j v_j f^j on the rows that all blocks share, hence

        T = Dᵀ λ (I + λ Σ_j v_j² B_j)⁻¹ D:

    one Cholesky factor of the order of a single block. Two views with v = (1, −1) are MV's
    disagreement.

    Parameters
    ----------
    blocks : sequence of arrays of shape (n_j, n_j)
        The diagonal blocks B_j.
    rows : sequence of integer arrays of shape (s,)
        Where the s shared rows lie in each block.
    v : sequence of float
    lam : float
        λ ≥ 0.
    """

    def __init__(
        self,
        blocks: Sequence[np.ndarray],
        rows: Sequence[np.ndarray],
        v: Sequence[float],
        lam: float,
    ):
        self.slices = slices_of([len(B) for B in blocks])
        self.size = self.slices[-1].stop
        self.rows = rows
        self.v = v
        self.lam = lam
        system = np.zeros((len(rows[0]), len(rows[0])))
        for B, at, weight in zip(blocks, rows, v, strict=True):
            system += B_scaled(submatrix(B, at), lam * weight**2)
        system.flat[:: len(system) + 1] += 1.0
        self._factor = Cholesky(system)

    def apply(self, b):
        combined = np.zeros((len(self.rows[0]), b.shape[1]))
        for where, at, weight in zip(self.slices, self.rows, self.v, strict=True):
            combined += weight * b[where][at]
        solved = self.lam * self._factor.solve(combined)
        out = np.zeros_like(b)
        for where, at, weight in zip(self.slices, self.rows, self.v, strict=True):
            out[where][at] = weight * solved
        return out


def B_scaled(B: np.ndarray, factor: float) -> np.ndarray:
    """factor · B, and B itself where the factor is 1."""
    return B if factor == 1.0 else factor * B
