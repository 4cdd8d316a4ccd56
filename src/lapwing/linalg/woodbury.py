"""Woodbury's formula: a system minus a term of low rank."""

from collections.abc import Callable

import numpy as np
import scipy.linalg


def woodbury(X: np.ndarray, RX: np.ndarray) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """(x, Rx) ↦ (A − L R)⁻¹b for x = A⁻¹b, from X = A⁻¹L:  x + X (I − R X)⁻¹ R x.

    With the values of X in place of X, the same map takes the values of x to those of the result.
    Where rounding has made R X infinite or NaN, x is returned, and the residual shows it.

    Parameters
    ----------
    X : array of shape (n, r)
    RX : array of shape (r, r)

    Examples
    --------
    >>> take_off = woodbury(np.array([[0.5], [0.0]]), np.array([[0.5]]))  # A = 2 I, L = R' = e
    >>> take_off(np.array([[1.0], [1.0]]), np.array([[1.0]])).ravel()
    array([2., 1.])
    """
    if not np.isfinite(RX).all():
        return lambda x, Rx: x
    small = scipy.linalg.lu_factor(np.eye(len(RX)) - RX, check_finite=False)
    return lambda x, Rx: x + X @ scipy.linalg.lu_solve(small, Rx, check_finite=False)
