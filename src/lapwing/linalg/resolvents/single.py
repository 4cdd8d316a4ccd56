"""The resolvent of one block and any penalty that can be applied, by an LU factor."""

import numpy as np

from ..factor import LU
from ..refinement import refined
from .base import Product, Resolvent, require_matrices


def single(B: np.ndarray, apply_N: Product, scale: float = 1.0) -> Resolvent:
    """T = (I + N B)⁻¹ N by an LU factor of A = I + N B and one step of refinement.

    N may be sparse, or a product of sparse matrices. Only the product N F is needed.

    Parameters
    ----------
    B : array of shape (n, n)
    apply_N : callable
        F ↦ N F.
    scale : float
        A factor of N.
    """
    require_matrices(2.5, len(B), "The factor of a penalty")
    A = apply_N(B)
    A *= scale
    A.flat[:: len(A) + 1] += 1.0
    factor = LU(np.ascontiguousarray(A))

    def apply(b: np.ndarray) -> np.ndarray:
        rhs = scale * apply_N(b)
        return refined(factor.solve, lambda x: (rhs - x - scale * apply_N(B @ x),), rhs, 1)[0]

    def remaining(B: np.ndarray) -> np.ndarray:
        """B − B T B = B (I + N B)⁻¹, symmetric."""
        left = factor.solve(B, transposed=True)
        left += left.T
        left *= 0.5
        return left

    return Resolvent(len(B), apply, remaining)
