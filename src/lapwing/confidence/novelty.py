"""The distance of rows from the training rows, for functions that live on the training rows."""

from __future__ import annotations

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import row_blocks, some_rows

NEAREST = 10
"""Number of training rows that are used for a new row. Further rows would add little."""

NOISE = 1e-3
"""Noise of each training row as a share of k(x, x). A training row then has a novelty of 1e-3."""

MOST_ROWS = 30_000
"""Maximum number of training rows. If there are more, this many are drawn."""

TOGETHER = 64
"""Number of new rows whose neighbors share one Gram matrix."""


def local_novelty(kernel: Kernel, X, new) -> np.ndarray:
    """1 − k_xN (K_NN + εk(x, x))⁻¹ k_Nx/k(x, x) over the 10 nearest training rows N of x, (m,).

    It is the share of the prior variance k(x, x) that the rows around x leave. A Gaussian process
    given all rows depends almost only on these. The kernel defines which rows are near.

    Parameters
    ----------
    kernel : Kernel
        The built kernel.
    X : array or CSR matrix of shape (n, d)
        The training rows.
    new : array or CSR matrix of shape (m, d)
        The new rows.

    Examples
    --------
    >>> from lapwing.kernels import RBF
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> local_novelty(RBF(0.1).build(X), X, np.array([[0.31], [9.0]])).round(2)
    array([0., 1.])
    """
    some = some_rows(X.shape[0], MOST_ROWS)
    X = X[some]
    own, out = kernel.diagonal(X), np.empty(new.shape[0])
    k = min(NEAREST, X.shape[0])
    for block in row_blocks(new.shape[0], X.shape[0]):
        rows = new[block]
        prior, cross = kernel.diagonal(rows), np.asarray(kernel(rows, X))
        near = np.argpartition(own - 2.0 * cross, k - 1, axis=1)[:, :k]
        beside = np.take_along_axis(cross, near, axis=1)
        explained = np.concatenate(
            [
                _explained(kernel, X, near[at : at + TOGETHER], beside[at : at + TOGETHER])
                for at in range(0, len(near), TOGETHER)
            ]
        )
        share = np.divide(explained, prior, out=np.ones(len(prior)), where=prior > 0)
        out[block] = np.clip(1.0 - share, 0.0, 1.0)
    return out


def _explained(kernel: Kernel, X, near: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """k_xN (K_NN + noise)⁻¹ k_Nx of some rows."""
    rows, at = np.unique(near, return_inverse=True)
    at = at.reshape(near.shape)
    gram = np.asarray(kernel(X[rows]))
    K = gram[at[:, :, None], at[:, None, :]]
    diagonal = np.einsum("bii->bi", K)
    diagonal += NOISE * np.maximum(diagonal, np.finfo(float).tiny)
    return (beside * np.linalg.solve(K, beside[:, :, None])[:, :, 0]).sum(axis=1)
