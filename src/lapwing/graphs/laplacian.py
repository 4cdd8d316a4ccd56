"""The graph Laplacian as a sparse matrix."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from .base import WeightedGraph


def laplacian(graph: WeightedGraph, normalized: bool = True) -> sp.csr_array:
    """L = D − W, or I − D^{−1/2} W D^{−1/2} where ``normalized``.

    An isolated vertex has no edge to be smooth along: its row and column are 0 in both, the
    diagonal included. Either matrix is symmetric to the last bit.

    Parameters
    ----------
    graph : WeightedGraph
        On n points.
    normalized : bool

    Returns
    -------
    csr_array of shape (n, n)
        Its diagonal is stored in every row.

    References
    ----------
    MR, §2.2, eq. 4; VV §5 for the normalised form.

    Examples
    --------
    >>> from lapwing.graphs import Given
    >>> laplacian(Given([[0, 2], [2, 0]]).build(None), normalized=False).toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    """
    W, d = graph.W.tocoo(), graph.degrees
    weights, diagonal = W.data, d
    if normalized:
        joined = d > 0
        root = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=joined)
        # the two roots are multiplied first: the same product for (i, j) and (j, i)
        weights, diagonal = W.data * (root[W.row] * root[W.col]), joined.astype(d.dtype)
    vertices = np.arange(graph.n)
    entries = np.concatenate([-weights, diagonal])
    rows, cols = np.concatenate([W.row, vertices]), np.concatenate([W.col, vertices])
    L = sp.coo_array((entries, (rows, cols)), shape=graph.W.shape).tocsr()
    L.sort_indices()
    return L
