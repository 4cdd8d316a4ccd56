"""The Laplacian kernel. Its distance is the Manhattan distance."""

import numpy as np

from ..linalg.pairwise import manhattan_distances
from ..types import MatrixLike
from .radial import Radial


class LaplacianKernel(Radial):
    """k(x, z) = exp(−‖x − z‖₁ / σ).

    ‖·‖₁ is the sum of absolute values. CSR rows are made dense, a few hundred at a time.

    Parameters
    ----------
    sigma : float, "median" or "local"
        The width. "median" is the median Manhattan distance between the rows given to ``build``.
        "local" is the mean distance to the 10th nearest neighbor.

    Examples
    --------
    >>> LaplacianKernel(sigma=2.0)([[0.0, 0.0]], [[1.0, 1.0]]).round(3)
    array([[0.368]])
    """

    metric = "manhattan"

    def __init__(self, sigma: float | str = "median") -> None:
        self.sigma = sigma

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        sigma = self._width()
        return manhattan_distances(X, Z, transform=lambda D: _decay(D, sigma))


def _decay(D: np.ndarray, sigma: float) -> np.ndarray:
    with np.errstate(over="ignore"):  # infinitely far: the kernel is 0
        D /= -sigma
    return np.exp(D, out=D)
