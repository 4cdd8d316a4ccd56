"""The weights of edges: functions of the distance, the neighborhood or the angle.

To add a weight, write one function (lists, X, t) -> weights and add its name to ``WEIGHTS``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..linalg.pairwise import products_of_pairs
from ..linalg.points import unit_rows
from ..parameters.checks import is_positive
from ..types import MatrixLike
from .base import has_coordinates
from .lists import NeighborLists


def binary(lists: NeighborLists, X: MatrixLike, t: float | str) -> np.ndarray:
    """W_ij = 1."""
    return np.ones(len(lists.indices))


def heat(lists: NeighborLists, X: MatrixLike, t: float | str) -> np.ndarray:
    """W_ij = exp(−d_ij² / 4t). "mean" sets 4t = 2 d̄², with the mean distance d̄ of all lists.

    If all distances are 0, every weight is 1.

    References
    ----------
    Belkin, Niyogi, Sindhwani 2006 (MR), Table 1, step 1.
    """
    d = lists.distances
    if isinstance(t, str):
        mean = d.mean() if len(d) else 0.0
        return np.exp(-0.5 * (d / mean) ** 2) if mean > 0.0 else np.ones_like(d)
    return np.exp(-((d / (2.0 * np.sqrt(t))) ** 2))


def cosine(lists: NeighborLists, X: MatrixLike, t: float | str) -> np.ndarray:
    """W_ij = max(cos(x_i, x_j), 0). It is 0 for a row of zeros."""
    return np.maximum(_cosines(lists, X), 0.0)


def cosine_distance(lists: NeighborLists, X: MatrixLike, t: float | str) -> np.ndarray:
    """W_ij = 1 − cos(x_i, x_j).

    This is a distance and not a similarity. Rows with the same direction are not joined. It exists
    only because the paper MR used it (§5.4).
    """
    return np.maximum(1.0 - _cosines(lists, X), 0.0)


def self_tuning(lists: NeighborLists, X: MatrixLike, t: float | str) -> np.ndarray:
    """W_ij = exp(−d_ij² / max(h_i, h_j)²), where h_i is the distance of i to its last neighbor."""
    h = _larger_reach(lists)
    return np.exp(-((lists.distances / h) ** 2))


def self_tuning_linear(lists: NeighborLists, X: MatrixLike, t: float | str) -> np.ndarray:
    """W_ij = exp(−d_ij² / max(h_i, h_j)), the formula as printed in SO, where h is not squared."""
    h = _larger_reach(lists)
    return np.exp(-(lists.distances**2) / h)


WEIGHTS: dict[str, Callable[..., np.ndarray]] = {
    "binary": binary,
    "heat": heat,
    "cosine": cosine,
    "cosine-distance": cosine_distance,
    "self-tuning": self_tuning,
    "self-tuning-linear": self_tuning_linear,
}
NEED_COORDINATES = ("cosine", "cosine-distance")


def check_weight(weight: str | Callable[..., Any], t: float | str, X: MatrixLike) -> None:
    """Raise an error for an unknown weight, an invalid t, or cosine weights without coordinates."""
    if not callable(weight) and (not isinstance(weight, str) or weight not in WEIGHTS):
        raise ValueError(
            f"weight is {weight!r}; expected one of {', '.join(map(repr, WEIGHTS))}, or a "
            f"callable on an array of distances."
        )
    if not is_positive(t) and not (isinstance(t, str) and t == "mean"):
        raise ValueError(f't is {t!r}; expected a positive number or "mean".')
    if not has_coordinates(X) and weight in NEED_COORDINATES:
        raise ValueError(
            f"weight={weight!r} needs the coordinates of the points, and only their distances "
            f'were given; use "heat", "binary", "self-tuning" or a callable on distances.'
        )


def edge_weights(
    lists: NeighborLists, weight: str | Callable[..., Any], X: MatrixLike, t: float | str
) -> np.ndarray:
    """The weight of each entry of the lists, shape (p,). It is finite and non-negative."""
    if not callable(weight):
        with np.errstate(over="ignore", under="ignore"):  # an infinite distance has weight 0
            return WEIGHTS[weight](lists, X, t)
    w = np.asarray(weight(lists.distances.copy()), dtype=np.float64)
    if w.shape != lists.distances.shape or not np.isfinite(w).all() or (w < 0).any():
        raise ValueError(
            f"The weight function {weight!r} must return one finite, non-negative number per "
            f"distance: an array of shape {lists.distances.shape}."
        )
    return w


def _cosines(lists: NeighborLists, X: MatrixLike) -> np.ndarray:
    U = unit_rows(X.astype(np.float64))
    return np.clip(products_of_pairs(U, lists.rows, lists.indices), -1.0, 1.0)


def _larger_reach(lists: NeighborLists) -> np.ndarray:
    """max(h_i, h_j) of each entry. If both are 0, d_ij is 0 too, and 1 is used: the weight is 1."""
    h = lists.reach()
    larger = np.maximum(h[lists.rows], h[lists.indices])
    return np.where(larger > 0.0, larger, 1.0)
