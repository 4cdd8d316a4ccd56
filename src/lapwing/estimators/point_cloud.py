"""What estimators over a point cloud share: parameters, kernel, regularizer, their checks."""

from __future__ import annotations

from abc import ABC

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from ..graphs import Distances
from ..kernels import Kernel, check_magnitude, get_kernel
from ..linalg.numbers import is_number, is_positive
from ..operators import Operator, ZeroOperator
from ..regularizers import Regularizer, get_regularizer
from .state import Saved

AMBIENT_RULE = 1e-6
INTRINSIC_RULE = 1e-3
FEW_PAIRS = 40  # below this order all eigenvalues are cheap


class PointCloudModel(Saved, BaseEstimator, ABC):
    """A kernel, a regularizer and two γ's over the rows of X; abstract."""

    _weights: tuple[str, ...] = ("gamma_A", "gamma_I")

    def _validate_points(self, X):
        # a Gram matrix keeps its precision until it is checked
        dtype = [np.float64, np.float32] if self._precomputed else np.float64
        X = validate_data(self, X, accept_sparse="csr", dtype=dtype, ensure_min_samples=2)
        if self._precomputed and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the square Gram matrix of the training rows, got "
                f"shape {X.shape}."
            )
        return X

    def _build_kernel(self, X):
        kernel = self._resolve_kernel().build(X, self.random_state)
        check_magnitude(kernel, X)
        return kernel

    def _resolve_kernel(self) -> Kernel:
        return get_kernel(self.kernel)

    def set_params(self, **params):
        """As in scikit-learn; ``kernel__sigma`` and ``regularizer__graph__k`` also where the
        parameter is still a name or None: the part it stands for then takes its place."""
        nested = {key.split("__")[0] for key in params if "__" in key} - set(params)
        meant = {"kernel": self._resolve_kernel, "regularizer": self._resolve_regularizer}
        for name in nested & meant.keys() & self.get_params(deep=False).keys():
            if getattr(self, name) is None or isinstance(getattr(self, name), str):
                setattr(self, name, meant[name]())
        return super().set_params(**params)

    def _check_parameters(self) -> None:
        for name in self._weights:
            value = getattr(self, name)
            if isinstance(value, str) and value == "auto":
                continue
            if not is_number(value) or value < 0:
                raise ValueError(f"{name}={value!r} must be a finite number >= 0, or 'auto'.")
        if "gamma_A" in self._weights and self.gamma_A == 0:
            raise ValueError("gamma_A=0 must be positive: the limit is a small number like 1e-9.")
        if self.tol is not None and not is_positive(self.tol):
            raise ValueError(f"tol={self.tol!r} must be a positive number, or None.")

    def _gammas(self, X, operator: Operator) -> tuple[float, float]:
        """γ_A and γ_I as numbers.

        ``"auto"`` is γ_A = 1e-6 · mean k(x, x), which makes γ_A‖f‖² independent of the kernel's
        scale, and γ_I = 1e-3 · n² / max(1, ‖M‖/4), so that smoothness counts alike for every n
        and every M; powers one and two of a normalised Laplacian have ‖M‖ ≤ 4.
        """
        gamma_A, gamma_I = self.gamma_A, self.gamma_I
        if gamma_A == "auto":
            gamma_A = AMBIENT_RULE * (float(np.mean(self._diagonal(X))) or 1.0)
        if gamma_I == "auto":
            gamma_I = INTRINSIC_RULE * X.shape[0] ** 2 / max(1.0, operator_norm(operator) / 4)
        return float(gamma_A), float(gamma_I)

    def _diagonal(self, X) -> np.ndarray:
        """k(x, x) of each row, (n,)."""
        return self.kernel_.diagonal(X)

    def _operator(self, X, codes: np.ndarray | None, gamma_I: float | str) -> Operator:
        if gamma_I == 0:
            return ZeroOperator(X.shape[0])
        return self._resolve_regularizer().build(self._points(X), codes)

    def _points(self, X):
        """What a graph sees: the rows of X, or the distances that a Gram matrix stands for."""
        return Distances(kernel_distances(self.kernel_(X))) if self._precomputed else X

    def _resolve_regularizer(self) -> Regularizer:
        return get_regularizer(self.regularizer)

    @property
    def _precomputed(self) -> bool:
        try:
            return self._resolve_kernel().precomputed
        except (TypeError, ValueError):  # said where the kernel is built
            return False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._precomputed
        return tags


def kernel_distances(K) -> np.ndarray:
    """d_ij = √(k_ii + k_jj − 2 k_ij): the distances that a Gram matrix stands for."""
    if sp.issparse(K):
        K = K.toarray()
    diagonal = np.diag(K).astype(np.float64)
    D = diagonal[:, None] + diagonal - 2.0 * K
    np.maximum(D, 0.0, out=D)
    np.fill_diagonal(D, 0.0)
    return np.sqrt(D, out=D)


def operator_norm(operator: Operator) -> float:
    """‖M‖, its largest eigenvalue, converged: the order of the rows does not enter."""
    shape = (operator.n, operator.n_outputs)
    order = shape[0] * shape[1]
    if order <= FEW_PAIRS:
        dense = operator.toarray()
        _check_finite(float(np.abs(dense).max()))
        return max(0.0, float(np.linalg.eigvalsh(dense)[-1]))
    start = operator.apply(np.random.default_rng(0).standard_normal(shape)).ravel()
    size = float(np.abs(start).max())
    _check_finite(size)
    if size == 0:
        return 0.0
    start /= size  # ARPACK takes a vector of tiny numbers for zero

    def scaled(v: np.ndarray) -> np.ndarray:
        return operator.apply(v.reshape(shape)).ravel() / size

    M = LinearOperator((order, order), matvec=scaled, dtype=np.float64)
    try:
        return size * float(eigsh(M, 1, v0=start, tol=1e-8, return_eigenvectors=False)[0])
    except ArpackNoConvergence:  # the largest ones are a cluster: any of them will do
        return size * float(eigsh(M, 1, v0=start, tol=1e-3, return_eigenvectors=False)[0])


def _check_finite(size: float) -> None:
    if not np.isfinite(size):
        raise ValueError(
            "The regularizer overflows on these points. Scale the columns of X, for example with "
            "StandardScaler."
        )
