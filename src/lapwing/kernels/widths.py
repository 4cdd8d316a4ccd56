"""Rules that compute the width σ of a kernel from the distances between the rows.

==========  ==================================================================
"median"    the median distance of all pairs, about as wide as the data
"local"     the mean distance to the 10th nearest neighbor, about as wide as
            the edges of the graph; it does not blur shapes in few dimensions
==========  ==================================================================
"""

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state

from ..linalg.pairwise import distances, manhattan_distances
from ..linalg.points import as_points, center, scaled
from ..types import MatrixLike, RandomState

_ROWS = 1000  # of a sample: half a million pairs, whose median errs by about 1 %
_MOST = 10_000  # rows that are searched for neighbors


def median_distance(
    X: MatrixLike, metric: str = "euclidean", random_state: RandomState = None
) -> float:
    """The median distance between rows x_i and x_j over the pairs i < j.

    The median is exact up to 2,000 rows. With more rows it is computed on a sample of 1,000 rows,
    drawn with a fixed seed unless ``random_state`` is given. A width must not be zero. If more than
    half of the pairs coincide, the result is the mean of the nonzero distances. If all points
    coincide, it is 1.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    metric : "euclidean" or "manhattan"
    random_state : int, RandomState or None

    Examples
    --------
    >>> median_distance([[0.0], [1.0], [3.0]])
    2.0
    """
    D = (manhattan_distances if metric == "manhattan" else distances)(_sample(X, random_state))
    pairs = np.concatenate([row[i + 1 :] for i, row in enumerate(D)])
    if not pairs.any():
        return 1.0
    median = float(np.median(pairs))
    if not np.isfinite(median):
        raise ValueError(
            "The distances between the rows of X overflow. Scale the columns of X, for example "
            "with StandardScaler."
        )
    return median if median > 0.0 else float(pairs[pairs > 0.0].mean())


def local_distance(
    X: MatrixLike, metric: str = "euclidean", random_state: RandomState = None
) -> float:
    """The mean distance to the 10th nearest neighbor, over all rows or a sample of 1,000.

    With more than 10,000 rows, neighbors are searched in a sample of 10,000 rows. With so many rows
    the function is a sum of kernels at a few rows (landmarks). A width as small as the graph's
    edges would leave gaps between these.

    If this mean is 0, the result is the median distance.

    Examples
    --------
    >>> local_distance(np.arange(100.0)[:, None]) < 10
    True
    """
    X = as_points(X)
    median = median_distance(X, metric, random_state)
    X = X[local_rows(X.shape[0])]
    k = min(10, X.shape[0] - 1)
    if k < 1:
        return median
    # centered and divided by the median, the squares neither cancel nor overflow nor vanish
    moved = scaled(X, center(X), median)
    search = NearestNeighbors(n_neighbors=k + 1, metric=metric).fit(moved)
    # the row itself is among its own neighbors, hence k + 1
    d = search.kneighbors(_sample(moved, random_state))[0][:, -1]
    return median * (float(d.mean()) or 1.0)


RULES = {"median": median_distance, "local": local_distance}


def sample_rows(n: int, random_state: RandomState = None) -> np.ndarray | slice:
    """The sorted indices of a sample of 1,000 rows; all n rows if n ≤ 2,000."""
    if n <= 2 * _ROWS:  # every pair counts
        return slice(None)
    draw = check_random_state(random_state or 0)
    return np.sort(draw.choice(n, _ROWS, replace=False))


def local_rows(n: int) -> np.ndarray | slice:
    """The sorted indices of the rows that are searched for neighbors; all n if n ≤ 10,000."""
    if n <= _MOST:
        return slice(None)
    return np.sort(np.random.default_rng(0).choice(n, _MOST, replace=False))


def _sample(X: MatrixLike, random_state: RandomState):
    X = as_points(X)
    X = X[sample_rows(X.shape[0], random_state)]
    # float64: a median of float32 distances would move with the rounding of single pairs
    return X.astype(np.float64) if sp.issparse(X) else np.asarray(X, dtype=np.float64)
