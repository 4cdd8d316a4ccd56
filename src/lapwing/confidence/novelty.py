"""The distance of rows from the training rows, for functions that live on the training rows."""

from __future__ import annotations

import numpy as np

from ..kernels import Kernel
from ..linalg.blocks import some_rows
from .nearby import nearby

NEAREST = 10
"""Number of training rows that are used for a new row. Further rows would add little."""

NOISE = 1e-3
"""Noise of each training row as a share of k(x, x). A training row then has a novelty of 1e-3."""

MOST_ROWS = 30_000
"""Maximum number of training rows. If there are more, this many are drawn."""


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
    X = X[some_rows(X.shape[0], MOST_ROWS)]
    prior = kernel.diagonal(new)
    _, weights, beside = nearby(kernel, X, new, NEAREST, NOISE)
    explained = (weights * beside).sum(axis=1)
    share = np.divide(explained, prior, out=np.ones(len(prior)), where=prior > 0)
    return np.clip(1.0 - share, 0.0, 1.0)
