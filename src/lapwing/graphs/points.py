"""Prepare points for a search: check the metric, divide by a unit, and normalize for cosine."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import VALID_METRICS

from ..linalg.points import as_points, largest_entry, squared_norms, unit_rows
from ..types import MatrixLike

# These need further parameters (a variance, a matrix, a power). Graphs have no such parameters.
_NEED_PARAMETERS = ("seuclidean", "mahalanobis", "wminkowski", "pyfunc")
TREES = ("kd_tree", "ball_tree")
TANIMOTO = "tanimoto"
"""1 − the share of common bits, for fingerprints. scikit-learn has no such metric."""


@dataclass(frozen=True)
class Points:
    """Coordinates and their metric. "cosine" is replaced by "euclidean" on rows of norm 1.

    Parameters
    ----------
    X : array or csr_array of shape (n, d)
        The rows in float64, divided by ``unit``. Squares of huge coordinates could overflow
        otherwise.
    metric : str
        "euclidean", or another metric name of scikit-learn.
    placed : boolean array of shape (n,)
        False if a row can have no neighbors and be no neighbor. For cosine and Tanimoto this is a
        row of zeros: it has no direction and no bits.
    unit : float
        A power of two. Dividing by it does not round.
    rounding : float
        The error of a distance that comes from scaling the rows to norm 1.
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
    """Check X and the metric, and return the points for a search."""
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
    """X without stored zeros and with sorted columns. The user's matrix is not changed."""
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
