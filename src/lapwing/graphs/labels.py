"""Graphs between the targets of a multi-output problem."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import nan_euclidean_distances

from ..types import TargetLike
from .base import Distances, Graph, WeightedGraph
from .given import Given
from .laplacian import laplacian


def label_laplacian(label_graph: Any, Y: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """L_m = D − W over the t targets. W is given, or estimated from the labeled rows.

    Parameters
    ----------
    label_graph : "correlation", array of shape (t, t), or Graph
        "correlation" is :func:`correlation_weights`. An array holds symmetric weights ≥ 0. A
        graph, such as ``KNN(2)`` or ``Given(W)``, is built over the columns of Y.
    Y : array of shape (n, t)
        The targets.
    observed : boolean array of shape (n, 1) or (n, t)
        Where a target was observed.

    Returns
    -------
    array of shape (t, t)

    References
    ----------
    Kraus, Benabdeslem, Canitia (MT), eqs. 3 and 5. The paper does not say how it made the graph.

    Examples
    --------
    >>> import numpy as np
    >>> label_laplacian([[0.0, 1.0], [1.0, 0.0]], np.zeros((3, 2)), np.ones((3, 1), dtype=bool))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    built = graph_between_columns(label_graph, Y, observed, "label_graph")
    return laplacian(built, normalized=False).toarray()


def graph_between_columns(
    graph: Any, Y: np.ndarray, observed: TargetLike, name: str = "graph"
) -> WeightedGraph:
    """Return the graph over the t columns of Y.

    Parameters
    ----------
    graph : "correlation", array of shape (t, t), or Graph
        A graph is built from the distances of the columns (:func:`column_distances`).
    Y : array of shape (n, t)
    observed : boolean array of shape (n, 1) or (n, t), or None
    name : str
        The name of the parameter for error messages.

    Returns
    -------
    WeightedGraph
    """
    t = Y.shape[1]
    if isinstance(graph, Graph):
        return graph.build(column_distances(Y, observed))
    if isinstance(graph, str):
        if graph != "correlation":
            raise ValueError(
                f"{name}={graph!r} is unknown: give 'correlation', a matrix of weights between "
                f"the {t} targets, or a Graph such as KNN(2)."
            )
        seen = np.ones((len(Y), 1), dtype=bool) if observed is None else observed
        return Given(correlation_weights(Y, seen)).build(None)
    W = _weights(graph, name)
    if W.shape != (t, t):
        raise ValueError(
            f"{name} has shape {W.shape}, but y has {t} target(s): give one row and "
            f"column per target, shape ({t}, {t})."
        )
    return Given(W).build(None)


def _weights(graph: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(graph.toarray() if sp.issparse(graph) else graph, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name} is {graph!r}; expected 'correlation', a matrix of weights between the "
            "targets, or a Graph such as KNN(2) or Given(W)."
        ) from error


def column_distances(Y: np.ndarray, observed: np.ndarray | None = None) -> Distances:
    """Euclidean distances between the columns of Y over the rows where both are observed.

    The sum over the shared rows is scaled to the number of labeled rows. If two columns share no
    rows, their distance is the largest distance of all other pairs.
    """
    Y = np.asarray(Y, dtype=np.float64)
    if observed is not None:
        labeled = observed.any(axis=1)
        Y = np.where(observed, Y, np.nan)[labeled]
    D = nan_euclidean_distances(Y.T) if len(Y) else np.zeros((Y.shape[1], Y.shape[1]))
    unknown = np.isnan(D)
    if unknown.any():
        D[unknown] = np.max(D[~unknown], initial=0.0)
        np.fill_diagonal(D, 0.0)
    return Distances(0.5 * (D + D.T))


def correlation_weights(Y: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """W_jk = |corr(y_j, y_k)| over the rows where both are observed, 0 on the diagonal.

    The weight is 0 if a target is constant, or if fewer than two rows have both targets.

    Parameters
    ----------
    Y : array of shape (n, t)
    observed : boolean array of shape (n, 1) or (n, t)

    Returns
    -------
    array of shape (t, t)

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0.0, 1.0], [1.0, -1.0], [2.0, -3.0]])
    >>> correlation_weights(Y, np.ones((3, 1), dtype=bool)).round(6)
    array([[0., 1.],
           [1., 0.]])
    """
    mask = np.broadcast_to(observed, Y.shape).astype(float)
    scale = np.abs(Y).max(axis=0, where=mask > 0, initial=0.0)
    Z = np.where(mask > 0, Y / np.where(scale > 0, scale, 1.0), 0.0)
    count = mask.T @ mask
    safe = np.where(count > 0, count, 1.0)
    mean = (Z.T @ mask) / safe  # [j, k]: the mean of target j over the rows where k is observed too
    covariance = (Z.T @ Z) / safe - mean * mean.T
    variance = ((Z**2).T @ mask) / safe - mean**2
    spread = np.sqrt(np.maximum(variance, 0.0) * np.maximum(variance.T, 0.0))
    known = (count > 1) & (variance > 1e-12) & (variance.T > 1e-12)
    W = np.abs(np.divide(covariance, spread, out=np.zeros_like(spread), where=known))
    np.fill_diagonal(W, 0.0)
    return np.minimum(W, 1.0)
