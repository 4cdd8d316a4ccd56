"""The kernel of one view. The norm of its space includes the intrinsic penalty."""

from functools import partial
from typing import Any

from ..kernels import Kernel, get_kernel
from ..kernels.magnitude import checked_build
from ..parameters.checks import check_weight
from ..regularizers import get_regularizer
from ..regularizers.base import stacked
from ..spaces import space_everywhere
from ..types import MatrixLike
from .base import CloudKernel, PointCloudKernel


class DeformedKernel(PointCloudKernel):
    """k̃(x, z) = k(x, z) − k_xᵀ (I + ratio · M K)⁻¹ ratio · M k_z.

    The point cloud is all n rows, labeled and unlabeled. k_x, shape (n,), holds the kernel between
    the point cloud and x. K, shape (n, n), is the Gram matrix of the point cloud. M, shape (n, n),
    is the penalty over it.

    With ratio = γ_I/(γ_A n²), the penalty γ_A‖f‖² in the space of k̃ equals γ_A‖f‖² + (γ_I/n²)⟨f, M
    f⟩ in the space of k. On the l labeled rows, ``KernelRidge(alpha=γ_A l)`` is then LapRLS, and
    ``SVC(C=1/(2 γ_A l))`` is LapSVM.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        The kernel k.
    regularizer : Regularizer, PSD matrix over the cloud (dense or sparse), optional
        M. "laplacian" is ``Laplacian(KNN(), degree=2)``. The points that an ``Invariance`` adds
        belong to the cloud.
    ratio : float ≥ 0, default=1.0
        The weight of the penalty M relative to ‖f‖².
    space : {"auto", "exact", "landmarks", "linear", "blockwise"} or Landmarks, default="auto"
        The space of the functions f. "auto" factors a matrix of order n up to 8,000 rows. With more
        rows it uses 1,000 landmarks, and k is then the kernel of the landmarks.

    References
    ----------
    Sindhwani, Niyogi, Belkin 2005, *Beyond the point cloud*; Hu, Kwok (SO), eq. 16. Rosenberg,
    Sindhwani, Bartlett, Niyogi 2009 (MV), eq. 6 with one view is 1/γ_A times this kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.svm import SVC
    >>> from lapwing.graphs import KNN
    >>> from lapwing.kernels import RBF
    >>> from lapwing.regularizers import Laplacian
    >>> X, y = make_moons(200, noise=0.05, random_state=0)
    >>> labeled = [np.flatnonzero(y == c)[0] for c in (0, 1)]
    >>> kernel = DeformedKernel(RBF(0.35), Laplacian(KNN(6), normalized=False), 1e3).fit(X)
    >>> float(SVC(kernel=kernel, C=1e4).fit(X[labeled], y[labeled]).score(X, y))
    1.0
    """

    def __init__(
        self,
        kernel: Any = "rbf",
        regularizer: Any = "laplacian",
        ratio: float = 1.0,
        space: Any = "auto",
    ) -> None:
        self.kernel = kernel
        self.regularizer = regularizer
        self.ratio = ratio
        self.space = space

    def _build(self, X: MatrixLike, names: Any):
        check_weight("ratio", self.ratio)
        kernel = checked_build(resolve_kernel(self.kernel), X)
        regularizer = get_regularizer(self.regularizer)
        operator = regularizer.build(X)
        points = stacked([X, regularizer.extra_points(X)])
        space = space_everywhere(self.space, kernel, points)
        return CloudKernel(
            space.deformed(operator, 1.0, float(self.ratio)), partial(_same_columns, X.shape[1])
        )


def _same_columns(n_columns: int, X: MatrixLike):
    if X.shape[1] != n_columns:
        raise ValueError(f"X has {X.shape[1]} columns, the point cloud had {n_columns}.")
    return X


def resolve_kernel(kernel: Any) -> Kernel:
    """Return the kernel. "precomputed" is an error, because it has no values at new rows."""
    found = get_kernel(kernel)
    if found.precomputed:
        raise ValueError(
            "A point-cloud kernel is evaluated between any two sets of points, which a "
            "precomputed Gram matrix does not hold: give the kernel itself, or use an estimator "
            "with kernel='precomputed'."
        )
    return found
