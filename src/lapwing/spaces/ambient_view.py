"""f on landmarks, learned from answers at all points: statistics streamed over blocks of rows."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..kernels import Kernel
from ..linalg.blocks import row_blocks
from ..linalg.threads import for_each

RIDGE = 1e-2
"""γ of min_w ‖A − Z w‖² + γ‖w‖²; answers are ±1 and rows many: more smooths them away."""

MOST_ROWS = 30_000
"""Rows that f learns from; beyond, evenly spaced ones, since m coefficients need no more."""


class AmbientView:
    """f(x) = φ(x) w with w = (ZᵀZ + γ I)⁻¹ Zᵀ A, φ the landmarks' features, A the answers.

    Z is never held: ZᵀZ and ZᵀA are sums over blocks of rows, in float64 (in float32 the sum is
    not positive definite any more), X may be memory-mapped.

    Parameters
    ----------
    kernel : Kernel
    X : array or CSR matrix of shape (n, d)
    landmarks : Landmarks
    answers : array of shape (n, t)

    Attributes
    ----------
    rank : int
        Landmarks that are not combinations of the others, to rounding.
    """

    def __init__(self, kernel: Kernel, X, landmarks, answers: np.ndarray):
        self.phi = landmarks.features(kernel, X)
        self.rank = self.phi.rank
        gram, right = statistics(self.phi, X, answers, max(1, -(-X.shape[0] // MOST_ROWS)))
        self.coef = ridge_solution(gram, right)

    def __call__(self, X) -> np.ndarray:
        """f at the rows of X, (n, t), in blocks."""
        return expansion(self.phi, X, self.coef)


def statistics(phi, X, answers: np.ndarray, every: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """ZᵀZ, (m, m), and ZᵀA, (m, t), over the rows of X, or every so many of them."""
    m = phi.rank
    gram, right = np.zeros((m, m), order="F"), np.zeros((m, answers.shape[1]))
    for rows in row_blocks(X.shape[0], m):
        some = slice(rows.start + (-rows.start) % every, rows.stop, every)
        if some.start >= some.stop:
            continue
        Z = phi(X[some])
        # the upper triangle is enough, and half the work
        gram = scipy.linalg.blas.dsyrk(1.0, Z.T, beta=1.0, c=gram, overwrite_c=True)
        right += Z.T @ answers[some]
    return gram, right


def ridge_solution(gram: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(G + γ I)⁻¹ R for G given by its upper triangle."""
    gram.flat[:: len(gram) + 1] += RIDGE
    factor = scipy.linalg.cho_factor(gram, lower=False, check_finite=False)
    return scipy.linalg.cho_solve(factor, right, check_finite=False)


def expansion(phi, X, coef: np.ndarray) -> np.ndarray:
    """φ(X) w, a block of rows at a time, the blocks on as many threads as are allowed."""
    out = np.empty((X.shape[0], coef.shape[1]))

    def block(rows: slice) -> None:
        out[rows] = phi.expand(X[rows], coef)

    for_each(block, row_blocks(X.shape[0], 4 * phi.rank))
    return out
