"""Kernels k(x, z): the geometry of the ambient space, and with it the norm ‖f‖_H.

One file per kernel; ``+`` and ``*`` combine them (``base.py``), ``widths.py`` finds σ.
"""

from __future__ import annotations

from .base import Kernel, Product, Scaled, Sum
from .cosine import Cosine
from .function import FunctionKernel
from .laplacian import LaplacianKernel
from .linear import Linear
from .matern import Matern
from .on_columns import OnColumns
from .polynomial import Polynomial
from .precomputed import Precomputed
from .rbf import RBF

__all__ = [
    "RBF",
    "Cosine",
    "FunctionKernel",
    "Kernel",
    "LaplacianKernel",
    "Linear",
    "Matern",
    "OnColumns",
    "Polynomial",
    "Precomputed",
    "Product",
    "Scaled",
    "Sum",
    "get_kernel",
]

_NAMES: dict[str, type[Kernel]] = {
    "rbf": RBF,
    "laplacian": LaplacianKernel,
    "matern": Matern,
    "polynomial": Polynomial,
    "poly": Polynomial,
    "linear": Linear,
    "cosine": Cosine,
    "precomputed": Precomputed,
}


def get_kernel(kernel) -> Kernel:
    """The kernel meant by a name, a `Kernel`, or a callable on two matrices.

    Examples
    --------
    >>> get_kernel("rbf")
    RBF()
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        if kernel not in _NAMES:
            raise ValueError(f"There is no kernel {kernel!r}; the names are {_listed()}.")
        return _NAMES[kernel]()
    if callable(kernel) and not isinstance(kernel, type):
        return FunctionKernel(kernel)
    raise TypeError(
        f"kernel is {kernel!r}; expected a name ({_listed()}), a Kernel, or a callable on two "
        f"matrices."
    )


def _listed() -> str:
    return ", ".join(f'"{name}"' for name in _NAMES)
