"""Is a matrix symmetric? Asked tile by tile, without a transposed copy."""

from __future__ import annotations

import numpy as np

from .blocks import cut


def asymmetry(A: np.ndarray) -> float:
    """max |A_ij − A_ji| / max |A_ij|, and 0 for a matrix of zeros.

    Examples
    --------
    >>> asymmetry(np.array([[0.0, 2.0], [1.0, 0.0]]))
    0.5
    """
    worst, top = 0.0, 0.0
    for rows in cut(slice(len(A)), 512):
        upper, lower = A[rows, rows.start :], A[rows.start :, rows].T
        worst = max(worst, float(np.abs(upper - lower).max()))
        top = max(top, float(np.abs(upper).max()), float(np.abs(lower).max()))
    return worst / top if top > 0.0 else 0.0
