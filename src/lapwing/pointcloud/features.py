"""Explicit features of a kernel, for linear models."""

from typing import Any, Self

import numpy as np
import scipy.linalg
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from ..kernels import get_kernel
from ..kernels.magnitude import checked_build
from ..linalg.memory import require_bytes
from ..parameters.checks import check_count
from ..types import MatrixLike, TargetLike
from .base import PointCloudKernel


class KernelFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """φ(x) = Λ^{−1/2} Uᵀ k̃(X_fit, x), where k̃(X_fit, X_fit) = U Λ Uᵀ.

    ⟨φ(x), φ(z)⟩ = k̃(x, z) if x or z is a fitted row. By the representer theorem, a linear model
    with an L2 penalty on these features equals the kernel method.
    ``make_pipeline(KernelFeatures(kernel), LogisticRegression())`` is kernel logistic regression.
    With a point-cloud kernel it is semi-supervised.

    Parameters
    ----------
    kernel : PointCloudKernel, str, Kernel or callable, optional
        A fitted point-cloud kernel keeps its point cloud. Otherwise the rows given to ``fit``
        are the point cloud. None is ``"rbf"``.
    n_components : int, optional
        The number of features. They belong to the largest eigenvalues. None keeps all eigenvalues
        above rounding error.

    Attributes
    ----------
    kernel_ : the kernel, fitted
    eigenvalues_ : array of shape (r,), descending

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from lapwing.pointcloud import DeformedKernel
    >>> X = np.random.default_rng(0).standard_normal((40, 3))
    >>> y = (X[:, 0] > 0).astype(int)
    >>> kernel = DeformedKernel("rbf", ratio=0.1).fit(X)
    >>> model = make_pipeline(KernelFeatures(kernel), LogisticRegression()).fit(X[:8], y[:8])
    >>> model.predict(X).shape
    (40,)
    """

    def __init__(self, kernel: Any = None, n_components: int | None = None) -> None:
        self.kernel = kernel
        self.n_components = n_components

    def fit(self, X: MatrixLike, y: TargetLike = None) -> Self:
        """Compute the eigenvectors of the kernel over the rows of X."""
        if self.n_components is not None:
            check_count("n_components", self.n_components)
        X = self._validated(X, reset=True)
        self.kernel_ = self._fitted_kernel(X)
        self.X_fit_ = X
        n = X.shape[0]
        require_bytes(
            3 * 8 * n * n,  # K, the copy of LAPACK, and the eigenvectors
            f"The eigenvectors of a kernel over {n} rows",
            "Fit on fewer rows: transform takes any.",
        )
        K = np.asarray(self.kernel_(X), dtype=np.float64)
        values, vectors = scipy.linalg.eigh(0.5 * (K + K.T), overwrite_a=True)
        values, vectors = values[::-1], vectors[:, ::-1]
        kept = values > len(K) * np.finfo(float).eps * max(values[0], 0.0)
        kept[self.n_components or len(kept) :] = False
        if not kept.any():
            kept[0] = True  # a kernel that is zero on X has the feature 0
        self.eigenvalues_ = np.maximum(values[kept], 0.0)
        roots = np.sqrt(self.eigenvalues_)
        self._map = vectors[:, kept] / np.where(roots > 0, roots, 1.0)
        self._n_features_out = int(kept.sum())
        return self

    def transform(self, X: MatrixLike) -> np.ndarray:
        """The features φ of each row, shape (n, r)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        return np.asarray(self.kernel_(X, self.X_fit_), dtype=np.float64) @ self._map

    def _fitted_kernel(self, X: MatrixLike):
        kernel = self.kernel or "rbf"
        if isinstance(kernel, PointCloudKernel):
            kernel = clone(kernel)
            return kernel if kernel.__sklearn_is_fitted__() else kernel.fit(X)
        return checked_build(get_kernel(kernel), X)

    def _validated(self, X: MatrixLike, reset: bool):
        nan = getattr(self.kernel, "takes_missing", False) and self.kernel.views is not None
        return validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=np.float64,
            reset=reset,
            ensure_all_finite="allow-nan" if nan else True,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
