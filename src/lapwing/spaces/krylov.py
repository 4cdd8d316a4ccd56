"""Conjugate gradients in the inner product of a space, for all columns at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

if TYPE_CHECKING:
    from .base import Element, Space


def conjugate_gradient(
    space: Space,
    apply: Callable[[Element], Element],
    rhs: Element,
    *,
    tol: np.ndarray | float,
    max_iter: int = 5_000,
    refresh: int = 50,
    watch: Callable[[Element, np.ndarray], object] = lambda x, residual: False,
    precondition: Callable[[Element], Element] | None = None,
) -> tuple[Element, int]:
    """Solve A x = rhs for A self-adjoint and positive in ``space.inner``.

    In the raw coefficients the condition number of the Gram matrix would enter squared. In the
    inner product of the space it does not enter. Each step applies A once, which is one product
    with K: the values of a direction follow from those of the residual by the recurrence of the
    coefficients.

    Parameters
    ----------
    space : Space
    apply : callable
        v ↦ A v.
    rhs : Element
    tol : float or array of shape (t,)
        Absolute tolerance on the norm of the residual in the space, per column.
    max_iter : int
    refresh : int
        The residual is computed afresh after this number of steps, against drift.
    watch : callable, optional
        (x, the norm of the residual in each column) ↦ whether to stop after this step.
    precondition : callable, optional
        r ↦ P⁻¹ r, self-adjoint and positive in ``space.inner``; None is the identity.

    Returns
    -------
    (Element, int)
        x, and the number of steps.
    """
    x, r = type(rhs).zero(space, rhs.coef.shape[1]), rhs
    rr = _resolved(space, r, r)
    p, rz = _preconditioned(space, precondition, r, rr)
    n_iter = 0
    while np.any(np.sqrt(rr) > tol) and n_iter < max_iter:
        Ap = apply(p)
        step = _ratio(rz, _resolved(space, p, Ap))
        x = x.plus(step, p)
        n_iter += 1
        if n_iter % refresh == 0:
            x = x.forget()
            r = rhs.plus(-1.0, apply(x)).forget()
        else:
            r = space.element(r.coef - step * Ap.coef)
        # A column with step 0 is solved as far as rounding allows.
        rr = np.where(step > 0, _resolved(space, r, r), 0.0)
        z, rz_new = _preconditioned(space, precondition, r, rr)
        p = z.plus(_ratio(rz_new, rz), p)
        rz = rz_new
        if watch(x, np.sqrt(rr)):
            break
    return x, n_iter


LEVEL = 4.0 * np.finfo(float).eps


def _resolved(space: Space, a: Element, b: Element) -> np.ndarray:
    """⟨a, b⟩ of each column, (t,), and 0 where it is not above rounding.

    With a kernel of low rank, the coefficients keep a part that is the zero function. ⟨r, r⟩ is
    then known up to eps · κ ‖coef‖² only, where κ is the largest ⟨v, v⟩/‖coef‖². A value below this
    bound counts as zero. A value below −1000 times the bound means that the metric is not positive.
    """
    if space not in _KAPPA:
        _KAPPA[space] = _metric_scale(space, a.coef.shape[1])
    found = space.inner(a, b)
    noise = LEVEL * _KAPPA[space] * _coefficients(a, b, len(found))
    if np.any(found < -1e3 * noise):
        raise ValueError(
            "The objective curves downwards along a search direction. Either kernel or regularizer "
            "is not positive semi-definite: check a callable or precomputed kernel. Or the weights "
            "are too far apart for double precision: lower gamma_I or raise gamma_A."
        )
    return np.where(found > noise, found, 0.0)


_KAPPA: WeakKeyDictionary[Space, float] = WeakKeyDictionary()


def _metric_scale(space: Space, n_columns: int) -> float:
    """κ, to a small factor: ⟨v, v⟩/‖coef‖² after two power steps (for K, v = K²r, r random)."""
    r = np.random.default_rng(0).standard_normal((space.n_points, n_columns))
    for _ in range(2):
        r = space.element(space.represent(r, 0.0)).values
        r = r / (np.abs(r).max() or 1.0)
    v = space.element(space.represent(r, 0.0))
    squared = space.inner(v, v)
    return float(_ratio(np.abs(squared), _coefficients(v, v, len(squared))).max())


def _coefficients(a: Element, b: Element, n_columns: int) -> np.ndarray:
    """‖a‖‖b‖ of the coefficients, per column, or of all columns where the metric couples them."""
    axis = 0 if n_columns == a.coef.shape[1] else None
    size = np.linalg.norm(a.coef, axis=axis) * np.linalg.norm(b.coef, axis=axis)
    return np.atleast_1d(size)


def _preconditioned(space: Space, precondition, r: Element, rr: np.ndarray):
    """z = P⁻¹ r and ⟨r, z⟩; without P, r itself and the known ⟨r, r⟩."""
    if not precondition:
        return r, rr
    z = precondition(r)
    return z, np.where(rr > 0, np.maximum(space.inner(r, z), 0.0), 0.0)


def _ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a/b, and 0 for a column that is already solved."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
