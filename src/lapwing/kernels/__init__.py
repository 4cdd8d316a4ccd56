"""Kernels k(x, z): the similarity of two rows. The kernel also defines the norm ‖f‖_H.

Each kernel has its own file. ``+`` and ``*`` combine kernels (``base.py``). The kernels of a
distance (``radial.py``) have a width σ, and ``widths.py`` finds it. ``magnitude.py`` raises an
error if the values of a kernel overflow or underflow.
"""

from typing import Any

from ..parameters.arguments import from_name
from .base import Kernel, Product, Scaled, Sum
from .cosine import Cosine
from .function import FunctionKernel
from .laplacian import LaplacianKernel
from .linear import Linear
from .magnitude import check_magnitude
from .matern import Matern
from .on_columns import OnColumns
from .polynomial import Polynomial
from .precomputed import Precomputed
from .rbf import RBF
from .tanimoto import Tanimoto
from .transformed import Transformed

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
    "Tanimoto",
    "Transformed",
    "check_magnitude",
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
    "tanimoto": Tanimoto,
    "precomputed": Precomputed,
}


def get_kernel(kernel: Any) -> Kernel:
    """Return the kernel for a name, a `Kernel`, or a callable on two matrices.

    Examples
    --------
    >>> get_kernel("rbf")
    RBF()
    """
    if callable(kernel) and not isinstance(kernel, Kernel | type):
        return FunctionKernel(kernel)
    return from_name(kernel, "kernel", Kernel, _NAMES, "a callable on two matrices")
