"""A penalty on one combination of the blocks: Σ_i (Σ_j v_j f^j_i)²."""

from collections.abc import Sequence

import numpy as np

from ..blocks import cached_blocks
from ..cholesky import Cholesky
from .base import Resolvent, require_matrices, slices_of, submatrix


def shared(
    blocks: Sequence[np.ndarray], rows: Sequence[np.ndarray], v: Sequence[float], lam: float
) -> Resolvent:
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
    slices = slices_of([len(B) for B in blocks])
    require_matrices(1, len(rows[0]), "The agreement of the views")
    parts = [submatrix(B, at) for B, at in zip(blocks, rows, strict=True)]
    factor = Cholesky(_identity_plus(parts, [lam * weight**2 for weight in v]))

    def apply(b: np.ndarray) -> np.ndarray:
        combined = np.zeros((len(rows[0]), b.shape[1]))
        for where, at, weight in zip(slices, rows, v, strict=True):
            combined += weight * b[where][at]
        solved, out = lam * factor.solve(combined), np.zeros_like(b)
        for where, at, weight in zip(slices, rows, v, strict=True):
            out[where][at] = weight * solved
        return out

    return Resolvent(slices[-1].stop, apply)


def _identity_plus(parts: Sequence[np.ndarray], factors: Sequence[float]) -> np.ndarray:
    """I + Σ c_j B_j, a strip of rows at a time: memory traffic is all it costs."""
    n = len(parts[0])
    system = np.empty((n, n))
    for strip in cached_blocks(n, n):
        np.multiply(parts[0][strip], factors[0], out=system[strip])
        for B, factor in zip(parts[1:], factors[1:], strict=True):
            system[strip] += factor * B[strip]
    system.flat[:: n + 1] += 1.0
    return system
