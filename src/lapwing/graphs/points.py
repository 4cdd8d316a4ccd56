"""Points made ready for a search: a metric checked, a unit taken out, directions separated."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import VALID_METRICS

from ..linalg.points import as_points, largest_entry, squared_norms, unit_rows
from ..types import MatrixLike

# These take further parameters (a variance, a matrix, a power), and no graph can pass them on.
_NEED_PARAMETERS = ("seuclidean", "mahalanobis", "wminkowski", "pyfunc")
TREES = ("kd_tree", "ball_tree")
TANIMOTO = "tanimoto"
"""1 − the share of common bits, for fingerprints; not one of scikit-learn's metrics."""


@dataclass(frozen=True)
class Points:
    """Coordinates with a metric that ranks them; "cosine" has become euclidean on unit rows.

    Parameters
    ----------
    X : array or csr_array of shape (n, d)
        In float64, divided by ``unit``: squares of huge or tiny coordinates would overflow.
    metric : str
        "euclidean", or another of scikit-learn's names.
    placed : boolean array of shape (n,)
        False where a row has no neighbors and is none itself: by cosine and by Tanimoto, a row of
        zeros, since it has no direction, and no bits.
    unit : float
        A power of two, so that no digit is lost.
    rounding : float
        How far a distance may err by the scaling of the rows to norm 1.
    """

    X: np.ndarray
    metric: str
    placed: np.ndarray
    unit: float = 1.0
    rounding: float = 0.0

    @property
    def n(self) -> int:
        return self.X.shape[0]

    @property
    def euclidean(self) -> bool:
        return self.metric == "euclidean"


def prepare(X: MatrixLike, metric: str, search: str = "auto") -> Points:
    """Points with a metric to rank them by, after all checks and before any search."""
    X = as_points(X)
    if sp.issparse(X):
        X = _canonical(X)
    metric = "euclidean" if metric == "l2" else metric
    top = largest_entry(X)
    if not math.isfinite(top) and metric != "nan_euclidean":
        raise ValueError(
            "X contains NaN or infinity, and no distance is known there; impute what is missing "
            "(SimpleImputer)."
        )
    every_row = np.ones(X.shape[0], dtype=bool)
    if metric == "cosine":
        U = unit_rows(X.astype(np.float64))
        return Points(U, "euclidean", squared_norms(U) > 0.0, rounding=1e-15)
    if metric == TANIMOTO:
        _check_no_tree(search)
        X = X.astype(np.float64, copy=False)
        return Points(X, metric, squared_norms(X) > 0.0)
    _check_metric(metric, search)
    if sp.issparse(X) and search in TREES:
        raise ValueError(
            f'search={search!r} needs dense points, and X is sparse; use search="auto".'
        )
    if metric != "euclidean":
        return Points(X, metric, every_row)
    unit = 2.0 ** (math.frexp(top)[1] - 1)
    X = X.astype(np.float64, copy=False)
    return Points(X if unit == 1.0 else X / unit, metric, every_row, unit)


def _canonical(X: MatrixLike) -> sp.csr_array:
    """X without stored zeros, its columns in order; the user's matrix is left as it is."""
    X = sp.csr_array(X, copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    return X


def _check_no_tree(search: Any) -> None:
    if search in (*TREES, "approximate"):
        raise ValueError(
            f'search={search!r} does not know metric="tanimoto"; use search="auto", which compares '
            "all pairs."
        )


def _check_metric(metric: str, search: Any) -> None:
    known = VALID_METRICS[search if search in TREES else "brute"]
    if isinstance(metric, str) and metric in _NEED_PARAMETERS:
        raise ValueError(
            f"metric is {metric!r}, which needs parameters of its own; scale the columns of X "
            f'(StandardScaler) and use "euclidean", or give Distances(matrix) in place of X.'
        )
    if not isinstance(metric, str) or metric not in known or metric == "precomputed":
        raise ValueError(
            f"metric is {metric!r}, which search={search!r} does not know; expected "
            f'"euclidean", "cosine", "manhattan" or another of scikit-learn\'s metric names. '
            f"Known distances are given as Distances(matrix) in place of X."
        )
