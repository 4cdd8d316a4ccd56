"""Conjugate gradients on plain columns, for systems that are applied and never factored."""

from collections.abc import Callable

import numpy as np

from .panels import add_multiple, column_products, multiple_plus


def same(R: np.ndarray) -> np.ndarray:
    """No preconditioner."""
    return R


def solve_columns(
    apply: Callable[[np.ndarray], np.ndarray],
    B: np.ndarray,
    tol: float | np.ndarray,
    max_iter: int = 5_000,
    precondition: Callable[[np.ndarray], np.ndarray] = same,
    moved: Callable[[np.ndarray, np.ndarray], None] = lambda columns, step: None,
) -> np.ndarray:
    """A⁻¹ B for A symmetric and positive, in the precision of B. Solved columns are dropped.

    Parameters
    ----------
    apply : callable
        V ↦ A V for any number of columns.
    B : array of shape (n, t)
    tol : float or array of shape (t,)
        Bound on ‖b − A x‖/‖b‖ of each column.
    max_iter : int
    precondition : callable, optional
        R ↦ about A⁻¹ R, symmetric and positive.
    moved : callable, optional
        Called with (columns, step lengths) after each step along the last argument of ``apply``.

    Examples
    --------
    >>> solve_columns(lambda V: 2.0 * V, np.array([[4.0, 0.0], [2.0, 0.0]]), 1e-12, 10)
    array([[2., 0.],
           [1., 0.]])
    """
    X, size = np.zeros_like(B), column_products(B, B)
    goal = tol**2 * size
    left = np.flatnonzero(size > goal)
    if not len(left):
        return X
    r, x, goal = np.array(B[:, left], order="C"), np.zeros_like(B[:, left], order="C"), goal[left]
    z = precondition(r)
    p, rz = z.copy(), column_products(r, z)
    for _ in range(max_iter):
        Ap = apply(p)
        curvature = column_products(p, Ap)
        # a column whose curvature is lost in rounding is solved as far as possible
        step = np.divide(rz, curvature, out=np.zeros_like(rz), where=curvature > 0)
        add_multiple(x, step, p)
        add_multiple(r, -step, Ap)
        moved(left, step)
        done = ~(column_products(r, r) > goal) | ~(step > 0)
        if done.any():
            X[:, left[done]] = x[:, done]
            x, r, p, Ap = (np.ascontiguousarray(part[:, ~done]) for part in (x, r, p, Ap))
            left, curvature, goal = left[~done], curvature[~done], goal[~done]
            if not len(left):
                break
        z = precondition(r)
        rz = column_products(r, z)
        # conjugate to the last direction, also where the preconditioner rounds to float32
        multiple_plus(p, -column_products(z, Ap) / curvature, z)
    X[:, left] = x
    return X
