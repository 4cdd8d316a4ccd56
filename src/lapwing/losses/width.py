"""A width in the unit of the targets: what "auto" is for losses that have one."""

from __future__ import annotations

import numpy as np

__all__ = ["at_outputs", "target_scale", "widths"]


def target_scale(y: np.ndarray) -> float:
    """1.4826 · median |y − median y|, the standard deviation of normal targets; never 0.

    Unlike the deviation it does not grow with outliers. Where more than half of the targets are
    equal it is 0; then the deviation, the size of y, and at last 1 take its place.

    Examples
    --------
    >>> import numpy as np
    >>> bool(target_scale(np.array([1.0, 2.0, 3.0, 4.0, 1e6])) < 2)
    True
    """
    middle = float(np.median(y))
    candidates = (1.4826 * float(np.median(np.abs(y - middle))), float(np.std(y)), abs(middle))
    return next((scale for scale in candidates if scale > 0), 1.0)


def widths(share: float, Y: np.ndarray, observed: np.ndarray) -> float | np.ndarray:
    """``share`` times the scale of each column's observed targets: a number, or (t,) of them."""
    seen = np.broadcast_to(observed, Y.shape)
    found = [share * target_scale(Y[seen[:, j], j]) for j in range(Y.shape[1])]
    return found[0] if len(found) == 1 else np.array(found)


def at_outputs(width, outputs):
    """The width of one column, or (P, 1) of them for entries of the given outputs."""
    if np.ndim(width) == 0:
        return width
    return float(width[outputs]) if np.ndim(outputs) == 0 else width[outputs][:, None]
