"""Graphs between the targets of a multi-output problem."""

import numpy as np

from .given import Given
from .laplacian import laplacian


def label_laplacian(label_graph, Y: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """L_m = D − W over the t targets, W given or estimated from the labeled rows.

    Parameters
    ----------
    label_graph : "correlation" or array of shape (t, t)
        "correlation": see :func:`correlation_weights`; or symmetric non-negative weights.
    Y : array of shape (n, t)
    observed : boolean array of shape (n, 1) or (n, t)

    Returns
    -------
    array of shape (t, t)

    References
    ----------
    MT eqs. 3 and 5; the paper does not say how its label graph was made.
    """
    t = Y.shape[1]
    if isinstance(label_graph, str):
        if label_graph != "correlation":
            raise ValueError(
                f"label_graph={label_graph!r} is unknown: give 'correlation' or a matrix of "
                f"weights between the {t} targets."
            )
        W = correlation_weights(Y, observed)
    else:
        W = np.asarray(label_graph, dtype=float)
        if W.shape != (t, t):
            raise ValueError(
                f"label_graph has shape {W.shape}, but y has {t} target(s): give one row and "
                f"column per target, shape ({t}, {t})."
            )
    return laplacian(Given(W).build(None), normalized=False).toarray()


def correlation_weights(Y: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """W_jk = |corr(y_j, y_k)| over the rows where both are observed, 0 on the diagonal.

    A target that is constant there, or seen together with another one fewer than twice,
    correlates with nothing.

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
    mean = (Z.T @ mask) / safe  # [j, k]: the mean of target j where k is seen too
    covariance = (Z.T @ Z) / safe - mean * mean.T
    variance = ((Z**2).T @ mask) / safe - mean**2
    spread = np.sqrt(np.maximum(variance, 0.0) * np.maximum(variance.T, 0.0))
    known = (count > 1) & (variance > 1e-12) & (variance.T > 1e-12)
    W = np.abs(np.divide(covariance, spread, out=np.zeros_like(spread), where=known))
    np.fill_diagonal(W, 0.0)
    return np.minimum(W, 1.0)
