"""One view: the kernel of a space whose norm includes the intrinsic penalty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels import FunctionKernel, Kernel, Precomputed, get_kernel
from ..linalg.numbers import is_number
from ..linalg.psd import check_psd
from ..linalg.resolvents import NoPenalty, Resolvent, Single
from ..regularizers import get_regularizer
from ..regularizers.factored import FactoredOperator
from ..regularizers.operators import MatrixOperator, PSDOperator, ZeroOperator
from .base import CloudKernel, PointCloudKernel
from .given import factored_resolvent, matrix_resolvent


class DeformedKernel(PointCloudKernel):
    """k̃(x, z) = k(x, z) − k_xᵀ (I + ratio · M K)⁻¹ ratio · M k_z,

    k_x being the kernel between the point cloud and x. With ratio = γ_I/(γ_A n²), regularising
    by γ_A‖f‖² in the new space is regularising by γ_A‖f‖² + (γ_I/n²)⟨f, M f⟩ in the old one:
    ``KernelRidge(alpha=γ_A l)`` on the labelled rows is LapRLS, ``SVC(C=1/(2 γ_A l))`` LapSVM.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
    regularizer : Regularizer, PSD matrix over the cloud (dense or sparse), optional
        None is ``Laplacian(KNN(), degree=2)``.
    ratio : float ≥ 0, default=1.0

    References
    ----------
    Sindhwani, Niyogi, Belkin 2005, *Beyond the point cloud*; SO eq. 16; MV eq. 6 with one view
    is 1/γ_A times this kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.svm import SVC
    >>> from lapwing.graphs import KNN
    >>> from lapwing.kernels import RBF
    >>> from lapwing.regularizers import Laplacian
    >>> X, y = make_moons(200, noise=0.05, random_state=0)
    >>> labelled = [np.flatnonzero(y == c)[0] for c in (0, 1)]
    >>> kernel = DeformedKernel(RBF(0.35), Laplacian(KNN(6), normalized=False), 1e3).fit(X)
    >>> float(SVC(kernel=kernel, C=1e4).fit(X[labelled], y[labelled]).score(X, y))
    1.0
    """

    def __init__(self, kernel="rbf", regularizer=None, ratio=1.0):
        self.kernel = kernel
        self.regularizer = regularizer
        self.ratio = ratio

    def _build(self, X, names):
        if not is_number(self.ratio) or self.ratio < 0:
            raise ValueError(f"ratio must be a finite number ≥ 0, got {self.ratio!r}.")
        kernel = resolve_kernel(self.kernel)
        regularizer = get_regularizer(self.regularizer)
        built = kernel.build(X)
        operator = regularizer.build(X)
        K = np.ascontiguousarray(built(X), dtype=np.float64)
        if isinstance(built, FunctionKernel):
            check_psd(K, "The kernel's Gram matrix")
        return DeformedCloud(built, X, own_resolvent(K, operator, float(self.ratio)))


@dataclass(frozen=True)
class DeformedCloud(CloudKernel):
    """A built kernel, its cloud, and the resolvent of the penalty there."""

    kernel: Kernel
    cloud: np.ndarray
    resolvent: Resolvent

    def points(self, X):
        if X.shape[1] != self.cloud.shape[1]:
            raise ValueError(
                f"X has {X.shape[1]} columns, the point cloud had {self.cloud.shape[1]}."
            )
        return X

    def prior(self, X, Z=None):
        return np.asarray(self.kernel(X, Z), dtype=np.float64)

    def prior_diagonal(self, X):
        return np.asarray(self.kernel.diagonal(X), dtype=np.float64)

    def sections(self, X):
        return np.asarray(self.kernel(self.cloud, X), dtype=np.float64)


def own_resolvent(K: np.ndarray, operator: PSDOperator, scale: float) -> Resolvent:
    """T of scale · M and K; of low order where M is a matrix of low rank or few rows."""
    if scale == 0 or isinstance(operator, ZeroOperator):
        return NoPenalty(len(K))
    if isinstance(operator, FactoredOperator):
        return factored_resolvent(operator.V, [K], scale)
    if isinstance(operator, MatrixOperator):
        return matrix_resolvent(operator.M, [K], scale)
    return Single(K, operator.apply, scale)


def resolve_kernel(kernel) -> Kernel:
    """The kernel meant; precomputed has no values between points of two other sets."""
    found = get_kernel(kernel)
    if isinstance(found, Precomputed):
        raise ValueError(
            "A point-cloud kernel is evaluated between any two sets of points, which a "
            "precomputed Gram matrix does not hold: give the kernel itself, or use an estimator "
            "with kernel='precomputed'."
        )
    return found
