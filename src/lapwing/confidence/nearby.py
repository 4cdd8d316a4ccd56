"""Interpolation from the nearest training rows, which a function of the kernel depends on most."""

from __future__ import annotations

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import row_blocks

PAIRS = 640
"""Number of pairs (new row, neighbor) that are solved together."""

SHARED = 2_000
"""The most neighbors that share one Gram matrix (32 megabytes). Of 2,000 rows, a matrix for each
group of pairs took most of the time. More neighbors have one for each group."""


def nearby(
    kernel: Kernel, X, new, nearest: int, noise: float, own: np.ndarray | None = None, gram=()
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nearest training rows N of each new row x, (m, k), (K_NN + ε)⁻¹ k_Nx, and k_Nx, (m, k).

    A function in the kernel's space with values f at the training rows, and of least norm given
    those in N, is f_Nᵀ(K_NN + ε)⁻¹k_Nx at x. The kernel defines which rows are near.

    Parameters
    ----------
    kernel : Kernel
        The built kernel.
    X : array or CSR matrix of shape (n, d)
        The training rows.
    new : array or CSR matrix of shape (m, d)
        The new rows.
    nearest : int
        k. If there are fewer training rows, k is their number.
    noise : float
        ε as a share of k(x, x).
    own : integer array of shape (m,), optional
        A training row that is not used for each new row: the row itself.
    gram : array of shape (n, n), optional
        k among the training rows, if the caller has it.

    Examples
    --------
    >>> from lapwing.kernels import RBF
    >>> X = np.linspace(0, 1, 20)[:, None]
    >>> near, weights, _ = nearby(RBF(0.3).build(X), X, np.array([[0.52]]), 6, 1e-9)
    >>> bool(abs((weights[0] * np.sin(X[near[0], 0])).sum() - np.sin(0.52)) < 1e-4)
    True
    """
    k = min(nearest, X.shape[0] - (own is not None))
    size, at, step = kernel.diagonal(X), np.empty((new.shape[0], k), dtype=int), max(1, PAIRS // k)
    beside, weights = np.empty(at.shape), np.empty(at.shape)
    for block in row_blocks(new.shape[0], X.shape[0]):
        cross = np.asarray(kernel(new[block], X))
        apart = size - 2.0 * cross
        if own is not None:
            apart[np.arange(len(cross)), own[block]] = np.inf
        at[block] = np.argpartition(apart, k - 1, axis=1)[:, :k]
        beside[block] = np.take_along_axis(cross, at[block], axis=1)
    rows, places = (at, at) if len(gram) else _numbered(at)
    if not len(gram) and len(rows) <= SHARED:
        gram = np.asarray(kernel(X[rows]))
    for start in range(0, len(at), step):
        few = slice(start, start + step)
        K, own_places = (gram, places[few]) if len(gram) else _gram(kernel, X, at[few])
        weights[few] = _solved(K, own_places, beside[few], noise)
    return at, weights, beside


def _numbered(near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that occur, ascending, and the place of each entry among them."""
    rows, places = np.unique(near, return_inverse=True)
    return rows, places.reshape(near.shape)


def _gram(kernel: Kernel, X, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, places = _numbered(near)
    return np.asarray(kernel(X[rows])), places


def _solved(gram: np.ndarray, at: np.ndarray, beside: np.ndarray, noise: float) -> np.ndarray:
    """(K_NN + ε)⁻¹ k_Nx of some rows."""
    # flat numbers: two index arrays take three times as long
    K = gram.ravel("K").take(at[:, :, None] * len(gram) + at[:, None, :])
    diagonal = np.einsum("bii->bi", K)
    diagonal += noise * np.maximum(diagonal, np.finfo(float).tiny)
    return np.linalg.solve(K, beside[:, :, None])[:, :, 0]
