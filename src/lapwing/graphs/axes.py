"""Distances along the leading principal axes: faster to search, and less noise in them."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils.extmath import randomized_svd

from ..exceptions import ScaleWarning, warn
from ..linalg.blocks import row_blocks, some_rows
from ..parameters.checks import is_count
from ..types import MatrixLike
from .base import has_coordinates

AXES = 50
MANY_ROWS, MANY_COLUMNS = 8_000, 100


def leading_axes(X: MatrixLike, components: int | str | None, metric: str) -> MatrixLike:
    """The points that neighbors are searched among: X, or X along its leading principal axes.

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
    dense = has_coordinates(X) and not sp.issparse(X)
    r = how_many(X.shape, components, dense and metric == "euclidean")
    if r is None:
        return X
    axes = Axes(X[sample_of(X.shape[0])], r)
    out = np.empty((X.shape[0], r))
    for rows in row_blocks(*X.shape):
        out[rows] = axes(X[rows])
    return out


def how_many(
    shape: tuple[int, int], components: int | str | None, possible: bool, say: bool = True
) -> int | None:
    """The number of axes for so many rows and columns; None for all columns, as they are.

    Parameters
    ----------
    possible : bool
        Whether points are dense and their metric euclidean; else a number is an error.
    say : bool
        Whether to warn of what "auto" leaves out.
    """
    check_components(components)
    if components == "auto":
        many = possible and shape[0] > MANY_ROWS and shape[1] > MANY_COLUMNS
        components = AXES if many else None
        if many and say:
            warn(
                f"Neighbors among {shape[0]} rows are searched along {AXES} principal axes of "
                f"their {shape[1]} columns; KNN(components=None) takes all columns.",
                ScaleWarning,
            )
    if components is None:
        return None
    if not possible:
        raise ValueError(
            f"components is {components!r}, which needs dense points and metric='euclidean'; "
            "reduce the dimension first (TruncatedSVD), or give components=None."
        )
    return min(int(components), *shape)


def check_components(components: int | str | None) -> None:
    """An error for anything but a positive number, None and "auto"."""
    if components is None or is_count(components):
        return
    if not (isinstance(components, str) and components == "auto"):
        raise ValueError(f"components is {components!r}; expected a positive number or 'auto'.")


def sample_of(n: int) -> np.ndarray | slice:
    """The rows that the axes are computed from, 10,000 at most."""
    return some_rows(n, 10_000)


class Axes:
    """x ↦ (x − mean) V_r, V_r the leading principal axes of a sample.

    Parameters
    ----------
    sample : array of shape (m, d)
    r : int
    """

    def __init__(self, sample: np.ndarray, r: int) -> None:
        sample = np.asarray(sample, dtype=np.float64)
        self.mean = sample.mean(axis=0)
        sample = sample - self.mean
        # squares must neither vanish nor overflow
        size = float(np.abs(sample).max(initial=0.0)) or 1.0
        self.V = randomized_svd(sample / size, r, n_iter=4, random_state=0)[2].T

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """The rows of X along the axes, (n, r)."""
        return (X - self.mean) @ self.V
