"""Build a kernel, and check that its values neither overflow nor underflow."""

import numpy as np

from ..linalg.points import as_points, largest_entry
from ..types import MatrixLike, RandomState
from .base import Kernel

_VANISHING = 1e-280  # weights 1e-6 times as large are still numbers with all their digits


def checked_build(kernel: Kernel, X: MatrixLike, random_state: RandomState = None) -> Kernel:
    """The kernel with its widths as numbers; ValueError if it overflows or underflows on X."""
    built = kernel.build(X, random_state)
    check_magnitude(built, X)
    return built


def check_magnitude(kernel: Kernel, X: MatrixLike) -> None:
    """Raise an error if a built kernel overflows or underflows on the rows of X.

    Only the diagonal is computed: |k(x, z)|² ≤ k(x, x) k(z, z) bounds the other values.

    Parameters
    ----------
    kernel : Kernel, built
    X : array or CSR matrix of shape (n, d)

    Examples
    --------
    >>> from lapwing.kernels import Linear
    >>> check_magnitude(Linear(), [[1e-170, 2e-170]])
    Traceback (most recent call last):
    ...
    ValueError: The kernel underflows: k(x, x) is at most 0 on the rows of X. Scale the columns of \
X, for example with StandardScaler.
    """
    X = as_points(X)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        largest = float(np.max(kernel.diagonal(X), initial=0.0))
        if not np.isfinite(largest * X.shape[0]):
            said = f"overflows: k(x, x) is as large as {largest:.3g}"
        elif largest < _VANISHING and _vanishes(kernel, X, largest):
            said = f"underflows: k(x, x) is at most {largest:.3g}"
        else:
            return
    raise ValueError(
        f"The kernel {said} on the rows of X. Scale the columns of X, for example with "
        f"StandardScaler."
    )


def _vanishes(kernel: Kernel, X: MatrixLike, largest: float) -> bool:
    """Whether small entries of X cause the small values. A kernel may also be exactly zero."""
    top = largest_entry(X)
    if largest > 0.0 or top == 0.0 or kernel.user_given:
        return largest > 0.0
    return bool(np.max(kernel.diagonal(X / top)) > 0.0)
