"""Conjugate gradients on all columns at once: one Krylov space for every right-hand side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg

from ..blas import gemm, gemm_tn
from ..panels import column_norms

ROUNDING = 1e-12
"""Share of the largest eigenvalue of a Gram matrix of columns below which directions are noise.

At 1e-10 directions were lost that mattered, and a system of the tests stalled at 1e-5. At 1e-12
none of 135 random systems fails.
"""

LITTLE = 0.1
"""Part of the square of what is allowed that mixtures of columns may miss and be left out."""


def solve_block(
    apply: Callable[[np.ndarray], tuple[np.ndarray, ...]],
    B: np.ndarray,
    tol: float | np.ndarray,
    max_iter: int,
    precondition: Callable[[np.ndarray], np.ndarray],
) -> tuple[np.ndarray, ...]:
    """X = A⁻¹ B for A symmetric and positive: in each step the best combination of all directions.

    With X come A X and the other images of it that ``apply`` makes on its way, as the steps have
    summed them up: over many steps they drift from what they are images of.

    What a preconditioner has missed are a few eigenvalues; with t columns each step settles t of
    them, where columns on their own settle one each. Steps cost some 10nt² operations more.
    Directions that depend on others are left out, which is all that a breakdown of the block would
    be; and where steps gain much, so are mixtures of columns that are done: the last ones are often
    about a few.

    Parameters
    ----------
    apply : callable
        V ↦ A V and any other linear images of V, for any number of columns.
    B : array of shape (n, t)
    tol : float or array of shape (t,)
        Bound on ‖b − A x‖/‖b‖ of each column.
    max_iter : int
    precondition : callable
        R ↦ about A⁻¹ R, symmetric and positive.

    References
    ----------
    O'Leary 1980, *The block conjugate gradient algorithm*; Ji and Li 2017, *A breakdown-free
    block conjugate gradient method*.

    Examples
    --------
    >>> A = np.diag([1.0, 2.0, 4.0])
    >>> X, AX = solve_block(lambda V: (A @ V,), np.eye(3)[:, :2], 1e-12, 5, lambda R: R)
    >>> X.round(12)
    array([[1. , 0. ],
           [0. , 0.5],
           [0. , 0. ]])
    """
    X, R = np.zeros_like(B), B.copy()
    images: list[np.ndarray] = []
    pace = column_norms(B)
    goal = tol * pace
    P = _orthonormal(precondition(R))
    for _ in range(max_iter if P.shape[1] else 0):
        Q, *others = apply(P)
        energy = gemm_tn(P, Q)
        try:
            factor = scipy.linalg.cho_factor(0.5 * (energy + energy.T), check_finite=False)
        except np.linalg.LinAlgError:  # rounding hides a curvature: as far as it goes
            break
        step = scipy.linalg.cho_solve(factor, gemm_tn(P, R), check_finite=False)
        moved = [gemm(V, step) for V in (Q, *others)]
        X += gemm(P, step)
        R -= moved[0]
        for total, part in zip(images, moved, strict=True) if images else ():
            total += part
        images = images or moved
        left = unfinished(R, goal)
        if not left.shape[1] or not np.isfinite(step).all():
            break
        # without columns that are done P is conjugate no more, which matters where steps are many:
        # only where each has gained a factor of four
        pace = pace / 4.0
        fast = left.shape[1] < len(left) and (column_norms(R) <= pace).all()
        Z = precondition(gemm(R, left) if fast else R)
        turned = scipy.linalg.cho_solve(factor, gemm_tn(Q, Z), check_finite=False)
        P = _orthonormal(Z - gemm(P, turned))
        if not P.shape[1]:
            break
    return X, *(images or apply(X))


def unfinished(R: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """The mixtures of columns, (t, r), that keep columns of R above their goals; none: all are met.

    What is left out is no more than a third of any goal.
    """
    size = column_norms(R)
    if (size <= goal).all():
        return np.empty((len(goal), 0))
    scale = np.where(goal > 0, goal, np.where(size > 0, size, 1.0))
    V = R / scale
    return mixtures(gemm_tn(V, V), LITTLE) / scale[:, None]


def mixtures(H: np.ndarray, most: float) -> np.ndarray:
    """The eigenvectors of H ⪰ 0, (t, r), without which its trace is at most ``most``.

    Nor those that are rounding beside the largest: their turn comes when that is smaller.

    Examples
    --------
    >>> abs(mixtures(np.diag([0.01, 4.0, 0.02]), 0.1)).ravel()
    array([0., 1., 0.])
    """
    if not np.isfinite(H).all():
        return np.eye(len(H))
    values, vectors = scipy.linalg.eigh(H, check_finite=False)
    left_out = np.cumsum(np.maximum(values, 0.0)) <= most
    return vectors[:, ~left_out & (values > ROUNDING * values[-1])]


def _orthonormal(V: np.ndarray) -> np.ndarray:
    """A basis of the columns of V that are large enough to be told apart, (n, r), r ≤ t."""
    size = column_norms(V)
    usable = (size > 0) & np.isfinite(size)
    if not usable.all():
        V, size = V[:, usable], size[usable]
    if not V.shape[1]:
        return V
    V = V / size
    if V.shape[1] == 1:
        return V
    values, vectors = scipy.linalg.eigh(gemm_tn(V, V), check_finite=False)
    kept = values > ROUNDING * values[-1]
    return gemm(V, vectors[:, kept] / np.sqrt(values[kept]))
