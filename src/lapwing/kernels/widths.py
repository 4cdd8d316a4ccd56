"""Rules that find the width σ of a kernel among the distances of the points.

==========  ==================================================================
"median"    the median distance of all pairs: as wide as the data
"local"     the mean distance to the 10th nearest neighbor: as wide as the
            graph's edges, so that shapes in few dimensions are not blurred
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
_MOST = 10_000  # among which neighbors are searched


def median_distance(
    X: MatrixLike, metric: str = "euclidean", random_state: RandomState = None
) -> float:
    """The median distance of x_i and x_j over the pairs i < j.

    Exact up to 2,000 rows; above, over a sample of 1,000 rows, drawn with a fixed seed unless
    ``random_state`` is given. Where more than half of the pairs coincide it is the mean of the
    distances that are not zero, and 1 where all points coincide: a width of zero is no kernel.

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

    Above 10,000 rows the neighbors, too, are those among a sample of 10,000: functions over so
    many points stand on landmarks, and a width of the graph's edges would leave these alone.

    Where these all coincide it is the median distance instead.

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
    # measured from the center in medians, squares neither cancel nor overflow nor vanish
    moved = scaled(X, center(X), median)
    search = NearestNeighbors(n_neighbors=k + 1, metric=metric).fit(moved)
    # the row itself is among its own neighbors, hence k + 1
    d = search.kneighbors(_sample(moved, random_state))[0][:, -1]
    return median * (float(d.mean()) or 1.0)


RULES = {"median": median_distance, "local": local_distance}


def sample_rows(n: int, random_state: RandomState = None) -> np.ndarray | slice:
    """The rows of a sample, sorted, or all n."""
    if n <= 2 * _ROWS:  # every pair counts
        return slice(None)
    draw = check_random_state(random_state or 0)
    return np.sort(draw.choice(n, _ROWS, replace=False))


def local_rows(n: int) -> np.ndarray | slice:
    """The rows among which neighbors are searched, sorted, or all n."""
    if n <= _MOST:
        return slice(None)
    return np.sort(np.random.default_rng(0).choice(n, _MOST, replace=False))


def _sample(X: MatrixLike, random_state: RandomState):
    X = as_points(X)
    X = X[sample_rows(X.shape[0], random_state)]
    # float64: a median of float32 distances would move with the rounding of single pairs
    return X.astype(np.float64) if sp.issparse(X) else np.asarray(X, dtype=np.float64)
