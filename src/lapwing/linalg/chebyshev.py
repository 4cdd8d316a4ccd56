"""Polynomials of a symmetric operator by Chebyshev's recursion."""

from collections.abc import Callable, Sequence

import numpy as np


def chebyshev_sum(
    apply: Callable[[np.ndarray], np.ndarray], series: Sequence[float] | np.ndarray, F: np.ndarray
) -> np.ndarray:
    """Σ_k a_k T_k(A) F, (n, t), for A of spectrum within [−1, 1], in the precision of F.

    Parameters
    ----------
    apply : callable
        V ↦ A V.
    series : sequence of float
        a_0, a_1, …
    F : array of shape (n, t)

    Examples
    --------
    >>> chebyshev_sum(lambda V: 0.5 * V, [1.0, 0.0, 2.0], np.ones((1, 1)))  # 1 + 2 (2/4 − 1)
    array([[0.]])
    """
    total = float(series[0]) * F
    if len(series) == 1:
        return total
    before, now = F, apply(F)
    total += float(series[1]) * now
    for a in series[2:]:
        before, now = now, 2.0 * apply(now) - before
        if a:
            total += float(a) * now
    return total
