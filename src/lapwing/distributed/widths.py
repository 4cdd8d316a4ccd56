"""Kernel widths over blocks. As in memory, the rule looks at a sample of the rows."""

from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator

from ..kernels import Kernel, Transformed, get_kernel
from ..kernels.widths import local_distance, local_rows, sample_rows
from .rows import Rows, transformed


def build_kernel(kernel: Kernel, X: Rows, random_state) -> Kernel:
    """The result of ``kernel.build`` on the same rows in memory, to rounding."""
    if kernel.precomputed:
        raise ValueError(f"{kernel!r} is a matrix over all rows: give a kernel on points.")
    if isinstance(kernel, Transformed):
        rows, fitted = transformed(X, kernel.transformer)
        frozen = FrozenEstimator(fitted)
        return Transformed(build_kernel(get_kernel(kernel.kernel), rows, random_state), frozen)
    local = [name for name, value in kernel.get_params().items() if _is_local(value)]
    if not local:
        return kernel.build(_some(X, sample_rows(X.shape[0], random_state)))
    if local != ["sigma"]:
        raise ValueError(
            f"{kernel!r} has a local width inside another kernel: over a Dask array give sigma "
            "as a number there."
        )
    seen = _some(X, local_rows(X.shape[0]))
    radial: Any = kernel
    return radial.sized(local_distance(seen, radial.metric, random_state))


def _is_local(value) -> bool:
    return isinstance(value, str) and value == "local"


def _some(X: Rows, rows: np.ndarray | slice):
    return X.take(np.arange(X.shape[0])[rows])
