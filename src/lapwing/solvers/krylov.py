"""Conjugate gradients in a space's own inner product, all columns at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..spaces import Element, Space

REFRESH = 50  # iterations after which the residual is computed afresh, against drift


@dataclass
class KrylovResult:
    """The solution, its residual's norm per column, and how many steps it took."""

    x: Element
    residual: np.ndarray
    n_iter: int


def conjugate_gradient(
    space: Space,
    apply: Callable[[Element], Element],
    rhs: Element,
    *,
    tol: np.ndarray | float,
    max_iter: int,
    start: Element | None = None,
    progress: Callable[[int, np.ndarray], None] | None = None,
) -> KrylovResult:
    """Solve A x = rhs for A self-adjoint and positive in ``space.inner``.

    In the raw coefficients the Gram matrix enters the condition number squared; in the space's
    metric it does not enter at all. Each step applies A once, which is one product with K:
    the residual's values give the direction's by the same recurrence as the coefficients.

    Parameters
    ----------
    apply : callable
        v ↦ A v.
    tol : float or array of shape (t,)
        Absolute tolerance on the residual's norm in the space, per column.
    """
    x = space.zero(rhs.coef.shape[1]) if start is None else start
    r = rhs if start is None else rhs.plus(-1.0, apply(x))
    p = r
    rr = _positive(space.inner(r, r))
    n_iter = 0
    while np.any(np.sqrt(rr) > tol) and n_iter < max_iter:
        Ap = apply(p)
        curvature = space.inner(p, Ap)
        _reject_negative(curvature, rr)
        step = _ratio(rr, curvature)
        x = x.plus(step, p)
        n_iter += 1
        if n_iter % REFRESH == 0:
            x = x.forget()
            r = rhs.plus(-1.0, apply(x)).forget()
        else:
            r = Element(space, r.coef - step * Ap.coef)
        rr_new = _positive(space.inner(r, r))
        p = r.plus(_ratio(rr_new, rr), p)
        rr = rr_new
        if progress is not None:
            progress(n_iter, np.sqrt(rr))
    return KrylovResult(x, np.sqrt(rr), n_iter)


def _positive(squared: np.ndarray) -> np.ndarray:
    return np.maximum(squared, 0.0)


def _ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a/b, and 0 for a column that is already solved."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def _reject_negative(curvature: np.ndarray, rr: np.ndarray) -> None:
    if np.any(curvature < -1e-8 * rr - 1e-300) and np.any(rr > 0):
        raise ValueError(
            "The objective curves downwards along a search direction: the kernel or the "
            "regularizer is not positive semi-definite. Check a callable or precomputed kernel "
            "(its Gram matrix must be symmetric with no negative eigenvalue)."
        )
