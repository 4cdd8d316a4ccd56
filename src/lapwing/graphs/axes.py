"""Distances along the leading principal axes: faster to search, and less noise in them."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.utils.extmath import randomized_svd

from ..exceptions import ScaleWarning
from ..linalg.blocks import cut
from ..linalg.numbers import is_count
from .base import Distances

AXES = 50
MANY_ROWS, MANY_COLUMNS = 8_000, 100
_SAMPLE = 10_000  # rows that the axes are computed from
_ROWS = 1 << 13


def leading_axes(X, components, metric: str):
    """The points that neighbours are searched among: X, or X along its leading principal axes.

    Parameters
    ----------
    X : array, CSR matrix or Distances, on n points
    components : int, None or "auto"
        "auto" is 50 for more than 8,000 dense rows of more than 100 columns, None otherwise:
        MNIST's graph (70,000 × 784) is searched in a sixth of the time, and labels spread along
        it with 4.0 % errors instead of 5.2 (decision 0110).
    metric : str
        Anything but "euclidean" and "cosine" needs all columns.
    """
    check_components(components)
    plain = isinstance(X, Distances) or sp.issparse(X) or metric != "euclidean"
    if components == "auto":
        many = not plain and X.shape[0] > MANY_ROWS and X.shape[1] > MANY_COLUMNS
        components = AXES if many else None
        if many:
            warnings.warn(
                f"Neighbours among {X.shape[0]} rows are searched along {AXES} principal axes of "
                f"their {X.shape[1]} columns; KNN(components=None) takes all columns.",
                ScaleWarning,
                stacklevel=4,
            )
    if components is None:
        return X
    if plain:
        raise ValueError(
            f"components is {components!r}, which needs dense points and metric='euclidean'; "
            "reduce the dimension first (TruncatedSVD), or give components=None."
        )
    return _projected(X, min(int(components), *X.shape))


def check_components(components) -> None:
    """An error for anything but a positive number, None and "auto"."""
    if components is None or is_count(components):
        return
    if not (isinstance(components, str) and components == "auto"):
        raise ValueError(f"components is {components!r}; expected a positive number or 'auto'.")


def _projected(X: np.ndarray, r: int) -> np.ndarray:
    """(X − mean) V_r, V_r the leading axes of at most 10,000 rows, evenly spaced."""
    sample = np.asarray(X[:: -(-X.shape[0] // _SAMPLE)], dtype=np.float64)
    mean = sample.mean(axis=0)
    sample = sample - mean
    size = float(np.abs(sample).max(initial=0.0)) or 1.0  # squares must neither vanish nor overflow
    V = randomized_svd(sample / size, r, n_iter=4, random_state=0)[2].T
    out = np.empty((X.shape[0], r))
    for rows in cut(slice(X.shape[0]), _ROWS):
        out[rows] = (X[rows] - mean) @ V
    return out
