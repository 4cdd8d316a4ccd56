"""Iterative refinement: residuals recover the digits that an approximate inverse has lost."""

from collections.abc import Callable

import numpy as np


def refined(
    solve: Callable[[np.ndarray], np.ndarray],
    residual: Callable[[np.ndarray], tuple[np.ndarray, ...]],
    B: np.ndarray,
    rounds: int,
    target: float = 1e-12,
) -> tuple[np.ndarray, float, tuple[np.ndarray, ...]]:
    """X with A X = B by X ← X + S(B − A X), S ≈ A⁻¹, as long as a round halves the residual.

    Parameters
    ----------
    solve : callable
        S, on arrays of shape (n, t).
    residual : callable
        X ↦ (B − A X, and other arrays that are computed on the way).
    B : array of shape (n, t)
    rounds : int
        The most corrections.
    target : float
        Relative residual at which refinement stops, because the rest is rounding.

    Returns
    -------
    X : array of shape (n, t)
    worst : float
        The largest ‖b − A x‖/‖b‖ of a column; infinite where it is NaN.
    images : tuple of arrays
        The other arrays of ``residual`` for this X.

    Examples
    --------
    >>> B = np.array([[1.0], [2.0]])
    >>> X, worst, _ = refined(lambda R: 0.49 * R, lambda X: (B - 2.0 * X,), B, 12)
    >>> X.round(12).ravel(), worst < 1e-12
    (array([0.5, 1. ]), True)
    """
    X = solve(B)
    R, *images = residual(X)
    best = worst_ratio(R, B)
    for _ in range(rounds):
        if not target < best < np.inf:
            break
        trial = X + solve(R)
        left, *others = residual(trial)
        found = worst_ratio(left, B)
        if not found < best:
            break
        slow = found > 0.5 * best
        X, R, images, best = trial, left, others, found
        if slow:
            break
    return X, best, tuple(images)


def worst_ratio(R: np.ndarray, B: np.ndarray) -> float:
    """The largest ‖r‖/‖b‖ of a column, or ‖r‖ where b = 0. NaN counts as infinite.

    Examples
    --------
    >>> worst_ratio(np.array([[3.0, 1.0]]), np.array([[6.0, 0.0]]))
    1.0
    """
    scale = np.linalg.norm(B, axis=0)
    ratios = np.linalg.norm(R, axis=0) / np.where(scale > 0, scale, 1.0)
    worst = float(np.max(ratios, initial=0.0))
    return worst if np.isfinite(worst) else np.inf
