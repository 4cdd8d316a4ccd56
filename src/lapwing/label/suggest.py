"""Which rows to show first, when there is no model yet: typical ones, all different."""

import numpy as np
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import pairwise_distances

from ..types import MatrixLike

MANY = 5000
"""Above so many points the clusters come from mini-batches."""


def typical_points(X: MatrixLike, n: int, seed: int = 0) -> np.ndarray:
    """n points in the middle of n clusters, the largest cluster first.

    Clusters are apart from each other, so no two points are twins.

    Parameters
    ----------
    X : array or CSR matrix of shape (m, d)
    n : int

    Returns
    -------
    integer array of shape (at most n,)

    Examples
    --------
    >>> X = np.repeat([[0.0], [5.0], [9.0]], [3, 2, 1], axis=0)
    >>> X[typical_points(X, 3)].ravel().tolist()
    [0.0, 5.0, 9.0]
    """
    n = min(n, X.shape[0])
    if X.shape[0] > MANY:
        model = MiniBatchKMeans(n, n_init=3, batch_size=2048, random_state=seed)
    else:
        model = KMeans(n, n_init=3, random_state=seed)
    clusters = model.fit_predict(X)
    nearest = model.transform(X).argmin(axis=0)
    order = np.argsort(-np.bincount(clusters, minlength=n), kind="stable")
    return nearest[order][np.sort(np.unique(nearest[order], return_index=True)[1])]


SHORTLIST = 50


def doubtful_points(X: MatrixLike, confidence: np.ndarray, skip: np.ndarray, n: int) -> list[int]:
    """n points with little confidence, each far from those before it.

    Among the 50 least confident points the first is the least confident of all; every further one
    is the farthest from those already taken.

    Parameters
    ----------
    X : array or CSR matrix of shape (m, d)
    confidence : array of shape (m,)
    skip : bool array of shape (m,)
        Points that are not to be taken.
    n : int
    """
    order = np.argsort(np.where(skip, np.inf, confidence), kind="stable")
    pool = order[: min(SHORTLIST, int((~skip).sum()))]
    if not len(pool):
        return []
    taken, far = [0], pairwise_distances(X[pool], X[pool[:1]])[:, 0]
    while len(taken) < min(n, len(pool)):
        i = int(far.argmax())
        taken.append(i)
        far = np.minimum(far, pairwise_distances(X[pool], X[pool[i : i + 1]])[:, 0])
    return [int(p) for p in pool[taken]]
