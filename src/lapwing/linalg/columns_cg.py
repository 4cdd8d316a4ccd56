"""Conjugate gradients on plain columns, for systems that are applied and never factored."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def solve_columns(
    apply: Callable[[np.ndarray], np.ndarray], B: np.ndarray, tol: float, max_iter: int
) -> np.ndarray:
    """A⁻¹ B for A symmetric and positive, in the precision of B; columns that are done are dropped.

    Parameters
    ----------
    apply : callable
        V ↦ A V for any number of columns.
    B : array of shape (n, t)
    tol : float
        Bound on ‖b − A x‖/‖b‖ of each column.
    max_iter : int

    Examples
    --------
    >>> solve_columns(lambda V: 2.0 * V, np.array([[4.0, 0.0], [2.0, 0.0]]), 1e-12, 10)
    array([[2., 0.],
           [1., 0.]])
    """
    X = np.zeros_like(B)
    left = np.flatnonzero(np.einsum("it,it->t", B, B) > 0)
    r = np.array(B[:, left], order="C")
    x = np.zeros_like(r)
    p, rr = r.copy(), np.einsum("it,it->t", r, r)
    goal = tol**2 * rr
    for _ in range(max_iter):
        if not len(left):
            break
        Ap = apply(p)
        curvature = np.einsum("it,it->t", p, Ap)
        # rounding may hide a curvature; a column that loses it has gone as far as it can
        step = np.divide(rr, curvature, out=np.zeros_like(rr), where=curvature > 0)
        x += step * p
        Ap *= step
        r -= Ap
        before, rr = rr, np.einsum("it,it->t", r, r)
        p *= rr / before
        p += r
        done = ~(rr > goal) | (step == 0)
        if done.any():
            X[:, left[done]] = x[:, done]
            x, r, p = (np.ascontiguousarray(part[:, ~done]) for part in (x, r, p))
            left, rr, goal = left[~done], rr[~done], goal[~done]
    X[:, left] = x
    return X
