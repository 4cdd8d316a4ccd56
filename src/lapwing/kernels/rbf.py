"""The Gaussian kernel."""

import numpy as np

from ..linalg.pairwise import squared_distances
from ..types import MatrixLike
from .radial import GONE, Radial


class RBF(Radial):
    """k(x, z) = exp(−‖x − z‖² / 2σ²).

    Parameters
    ----------
    sigma : float, "median" or "local"
        The width. "median" is the median distance between the rows given to ``build``
        (:func:`~lapwing.kernels.widths.median_distance`). "local" is the mean distance to the 10th
        nearest neighbor.

    Examples
    --------
    >>> RBF().build([[0.0], [1.0], [3.0]])
    RBF(sigma=2.0)
    >>> RBF(sigma=1.0)([[0.0]], [[0.0], [1.0]]).round(3)
    array([[1.   , 0.607]])
    """

    def __init__(self, sigma: float | str = "median") -> None:
        self.sigma = sigma

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        return squared_distances(X, Z, width=self._width(), far=FAR, transform=_gauss)


FAR = float(np.sqrt(2.0 * GONE))


def _gauss(D: np.ndarray) -> np.ndarray:
    D *= -0.5
    return np.exp(D, out=D)
