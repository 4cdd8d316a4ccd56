"""Choose the neighbors to keep: the k nearest, and all as near as the k-th.

Ties are kept up to 2k neighbors. If there are more, the *values* of the rows decide, and not their
position in X. Permuted rows therefore give the permuted graph, and CSR rows give the same graph as
dense rows.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..linalg.blocks import row_blocks
from ..types import MatrixLike

TIE = 1e-11  # distances that agree to eleven digits are a tie


def content_ranks(X: MatrixLike, columns: bool = True) -> np.ndarray:
    """The rank of each row in an order that depends only on its values, shape (n,).

    Rows are sorted by a sum of hashes of their nonzero (column, value) pairs. It is the same for
    CSR and dense rows. Only equal rows are ordered by their position in X.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    columns : bool
        False for a matrix of distances, where the order of the columns has no meaning. Then only
        the values are hashed, also stored zeros.
    """
    h = np.zeros(X.shape[0], dtype=np.uint64)
    for rows in row_blocks(*X.shape):
        part = sp.csr_array(X[rows])
        keys = _mix(part.data.astype(np.float64).view(np.uint64))
        if columns:
            keys = _mix(keys + part.indices.astype(np.uint64))
            keys = np.where(part.data != 0, keys, np.uint64(0))
        total = np.concatenate([[np.uint64(0)], np.cumsum(keys, dtype=np.uint64)])
        h[rows] = total[part.indptr[1:]] - total[part.indptr[:-1]]
    ranks = np.empty(len(h), dtype=np.uint64)
    ranks[np.argsort(h, kind="stable")] = np.arange(len(h), dtype=np.uint64)
    return ranks


def nearest_of(
    i: np.ndarray,
    j: np.ndarray,
    d: np.ndarray,
    k: int,
    most: int,
    ranks: Any,
    rounding: float = 0.0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keep the k nearest j of each i and their ties, at most ``most``, nearest first.

    Parameters
    ----------
    i, j : integer arrays of shape (p,)
        Pairs. They contain the k nearest j of each i and all ties with the k-th.
    d : array of shape (p,)
    ranks : callable
        It returns the ranks of the rows by content. It is called only if there are too many ties.
    rounding : float
        Distances that differ by at most this number are also ties.

    Returns
    -------
    i, j, d : the pairs kept, sorted by i and d.
    """
    order = np.lexsort((d, i))
    i, j, d = i[order], j[order], d[order]
    starts = np.flatnonzero(np.r_[True, i[1:] != i[:-1]]) if len(i) else np.empty(0, np.intp)
    lengths = np.diff(np.r_[starts, len(i)])
    kth = d[starts + np.minimum(lengths, k) - 1]
    keep = d <= np.repeat(kth * (1.0 + TIE) + rounding, lengths)
    kept = np.add.reduceat(keep, starts, dtype=np.intp) if len(starts) else lengths
    for g in np.flatnonzero(kept > most):
        row = slice(starts[g], starts[g] + kept[g])  # sorted: the kept ones come first
        tied = d[row] >= kth[g] * (1.0 - TIE) - rounding
        keys = np.where(tied, _pair_keys(i[starts[g]], j[row], ranks()), np.uint64(0))
        keep[row] = False
        keep[starts[g] + np.lexsort((keys, tied))[:most]] = True
    return i[keep], j[keep], d[keep]


def _pair_keys(i: int, j: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """A different order of the j for each i. One order for all would make its first rows hubs."""
    return _mix(_mix(ranks[i : i + 1]) + ranks[j])


def _mix(x: np.ndarray) -> np.ndarray:
    """splitmix64: every bit of the result depends on every bit of x."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
