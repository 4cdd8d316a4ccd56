"""Tanimoto's similarity of all pairs of rows, and the distance it makes."""

import numpy as np

from .pairwise import inner_products
from .points import as_pair, squared_norms


def tanimoto_similarities(X, Z=None) -> np.ndarray:
    """⟨x, z⟩ / (‖x‖² + ‖z‖² − ⟨x, z⟩) for all pairs, (n, m); 0 where x or z is 0.

    Of rows of 0 and 1 it is the share of common ones among all ones (Jaccard).

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    Z : array or CSR matrix of shape (m, d), optional

    Examples
    --------
    >>> tanimoto_similarities(np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])).round(3)
    array([[1.   , 0.333],
           [0.333, 1.   ]])
    """
    X, Z = as_pair(X, Z)
    x2 = squared_norms(X)
    z2 = x2 if Z is None else squared_norms(Z)
    S = inner_products(X, Z)
    rest = x2[:, None] + z2 - S
    np.divide(S, rest, out=S, where=rest > 0)
    return S


def tanimoto_distances(X, Z=None) -> np.ndarray:
    """1 − the similarity, (n, m): a metric on rows of 0 and 1."""
    return np.maximum(1.0 - tanimoto_similarities(X, Z), 0.0)
