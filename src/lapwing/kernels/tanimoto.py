"""The Tanimoto kernel, for fingerprints of molecules and other sets."""

import numpy as np

from ..linalg.pairwise import tanimoto_similarities
from ..linalg.points import as_pair, as_points, squared_norms
from ..types import MatrixLike
from .base import Kernel


class Tanimoto(Kernel):
    """k(x, z) = ⟨x, z⟩ / (‖x‖² + ‖z‖² − ⟨x, z⟩). It is 0 if x or z is 0, also on the diagonal.

    For fingerprints (rows of 0 and 1) it is the number of common bits divided by the number of bits
    set in at least one of the two rows. X may also hold counts or real numbers. The kernel is
    positive semi-definite, because 1/(a + b − c) = ∫ e^{−ta} e^{−tb} e^{tc} dt over t > 0 and a
    product of kernels is a kernel. ``KNN(metric="tanimoto")`` builds a graph with the matching
    distance.

    References
    ----------
    Ralaivola, Swamidass, Saigo, Baldi, "Graph kernels for chemical informatics", Neural Networks
    18 (2005).

    Examples
    --------
    >>> Tanimoto()([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]).round(3)
    array([[1.   , 0.333],
           [0.333, 1.   ]])
    """

    def __call__(self, X: MatrixLike, Z: MatrixLike = None) -> np.ndarray:
        K = tanimoto_similarities(X, Z)
        X, Z = as_pair(X, Z)
        if Z is X:
            np.fill_diagonal(K, self.diagonal(X))
        return K

    def diagonal(self, X: MatrixLike) -> np.ndarray:
        X = as_points(X)
        return (squared_norms(X) > 0).astype(X.dtype)
