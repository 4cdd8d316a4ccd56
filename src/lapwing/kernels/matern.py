"""The Matérn kernels. Their smoothness lies between the exponential and the Gaussian."""

import numpy as np

from ..linalg.pairwise import squared_distances
from ..types import MatrixLike
from .radial import GONE, Radial


class Matern(Radial):
    """k(x, z) = p_ν(r) e^{−r}, r = √(2ν) ‖x − z‖ / σ, with p_½ = 1, p_³⁄₂ = 1 + r,
    p_⁵⁄₂ = 1 + r + r²/3; ν = ∞ is the Gaussian exp(−‖x − z‖² / 2σ²).

    Parameters
    ----------
    nu : 0.5, 1.5, 2.5 or inf
        The smoothness. The functions have about ν derivatives.
    sigma : float, "median" or "local"
        The width. "median" is the median distance between the rows given to ``build``. "local" is
        the mean distance to the 10th nearest neighbor.

    References
    ----------
    Rasmussen, Williams 2006, *Gaussian Processes for Machine Learning*, eqs. 4.14–4.17.

    Examples
    --------
    >>> Matern(nu=0.5, sigma=1.0)([[0.0]], [[1.0]]).round(3)
    array([[0.368]])
    """

    def __init__(self, nu: float = 1.5, sigma: float | str = "median") -> None:
        self.nu = nu
        self.sigma = sigma

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        width = self._width()
        return squared_distances(X, Z, width=width, far=GONE, transform=_SHAPES[self.nu])

    def _check(self) -> None:
        super()._check()
        if self.nu not in _SHAPES:
            raise ValueError(
                f"nu is {self.nu!r}; the Matérn kernel has a closed form here for "
                f"nu = {', '.join(map(str, _SHAPES))}."
            )


def _three_halves(D: np.ndarray) -> np.ndarray:
    r = np.minimum(np.sqrt(3.0 * D), GONE)
    return (1.0 + r) * np.exp(-r)


def _five_halves(D: np.ndarray) -> np.ndarray:
    r = np.minimum(np.sqrt(5.0 * D), GONE)
    return (1.0 + r + r * r / 3.0) * np.exp(-r)


_SHAPES = {
    0.5: lambda D: np.exp(-np.sqrt(D)),
    1.5: _three_halves,
    2.5: _five_halves,
    np.inf: lambda D: np.exp(-0.5 * D),
}
