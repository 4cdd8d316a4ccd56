"""What estimators over a point cloud share: parameters, kernel, regularizer, their checks."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from ..graphs import Distances
from ..kernels import Kernel, check_magnitude, get_kernel
from ..linalg.numbers import is_number, is_positive
from ..operators import Operator, ZeroOperator
from ..regularizers import Regularizer, get_regularizer
from ..selection import ambient_rule, in_numbers, intrinsic_rule, is_auto, multiple_of_rule
from .state import Saved

DEFAULTS = {
    "kernel": "rbf",
    "regularizer": None,
    "gamma_A": "rule",
    "gamma_I": "rule",
    "fit_intercept": True,
    "gamma_C": "rule",
    "gamma_M": "rule",
    "n_components": "rule",
    "output_kernel": None,
}
"""What "auto" means where nothing is searched for."""

SELECTED = ("kernel", "regularizer", "gamma_A", "gamma_I", "fit_intercept")
"""What :func:`lapwing.selection.select` chooses."""

SPELLED = {"kernel": "kernel=RBF()", "regularizer": "regularizer=Laplacian(KNN())"}


class PointCloudModel(Saved, BaseEstimator, ABC):
    """A kernel, a regularizer and two γ's over the rows of X; abstract."""

    _weights: tuple[str, ...] = ("gamma_A", "gamma_I")
    _chosen = DEFAULTS  # what stands for "auto"; fit replaces it by what it found

    _memory: dict | None = None  # where copies that a search asks keep what they share

    def _once(self, make: Callable, *key):
        """What ``make`` returns; the copies of one search make it once for each key."""
        if self._memory is None:
            return make()
        # parts are told apart as objects: a search holds on to those it tries
        key = tuple(part if isinstance(part, str | int) else id(part) for part in key)
        if key not in self._memory:
            self._memory[key] = make()
        return self._memory[key]

    def _part(self, name: str):
        """A parameter as it was given, or as it was chosen."""
        value = getattr(self, name)
        return self._chosen[name] if is_auto(value) else value

    def set_params(self, **params):
        """As in scikit-learn; ``kernel__sigma`` and ``regularizer__graph__k`` also where the
        parameter is still a name or None: the part it stands for then takes its place."""
        meant = {"kernel": self._resolve_kernel, "regularizer": self._resolve_regularizer}
        for key in params:
            name, nested, inner = key.partition("__")
            if not nested or name not in meant or name in params:
                continue
            part = getattr(self, name, None)
            if is_auto(part):
                raise ValueError(
                    f"{key} cannot be set: {name}='auto' is chosen by fit and has no parameter "
                    f"{inner!r}. Spell the part out first, such as {SPELLED[name]}."
                )
            if part is None or isinstance(part, str):
                setattr(self, name, meant[name]())
        return super().set_params(**params)

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
        return self._once(lambda: self._built_kernel(X), "kernel", self._part("kernel"))

    def _built_kernel(self, X) -> Kernel:
        kernel = self._resolve_kernel().build(X, self.random_state)
        check_magnitude(kernel, X)
        return kernel

    def _resolve_kernel(self) -> Kernel:
        return get_kernel(self._part("kernel"))

    def _check_parameters(self) -> None:
        for name in self._weights:
            value = getattr(self, name)
            if is_auto(value) or multiple_of_rule(value) is not None:
                continue
            if not is_number(value) or value < 0:
                raise ValueError(
                    f"{name}={value!r} must be a finite number >= 0, 'auto', 'rule', or a multiple "
                    "such as '0.1*rule'."
                )
        if "gamma_A" in self._weights and 0 in (self.gamma_A, multiple_of_rule(self.gamma_A)):
            raise ValueError("gamma_A=0 must be positive: the limit is a small number like 1e-9.")
        if self.tol is not None and not is_positive(self.tol):
            raise ValueError(f"tol={self.tol!r} must be a positive number, or None.")

    def _gammas(self, X, operator: Operator) -> tuple[float, float]:
        """γ_A and γ_I as numbers: given, or by rule (:mod:`lapwing.selection.rules`)."""
        gamma_A, gamma_I = self._part("gamma_A"), self._part("gamma_I")
        if isinstance(gamma_A, str):
            gamma_A = in_numbers(gamma_A, ambient_rule(self._diagonal(X)))
        if isinstance(gamma_I, str):
            rule = self._once(lambda: intrinsic_rule(operator), "rule", operator)
            gamma_I = in_numbers(gamma_I, rule * X.shape[0] ** 2)
        return float(gamma_A), float(gamma_I)

    def _diagonal(self, X) -> np.ndarray:
        """k(x, x) of each row, (n,)."""
        return self.kernel_.diagonal(X)

    def _operator(self, X, codes: np.ndarray | None, gamma_I: float | str) -> Operator:
        if 0 in (gamma_I, multiple_of_rule(gamma_I)):
            return ZeroOperator(X.shape[0])
        return self._once(
            lambda: self._resolve_regularizer().build(self._points(X), codes),
            "rows",
            self._part("regularizer"),
        )

    def _points(self, X):
        """What a graph sees: the rows of X, or the distances that a Gram matrix stands for."""
        return graph_points(self.kernel_, X) if self._precomputed else X

    def _resolve_regularizer(self) -> Regularizer:
        return get_regularizer(self._part("regularizer"))

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


def graph_points(kernel: Kernel, X):
    """What a graph sees: the rows of X, or the distances that a Gram matrix stands for."""
    return Distances(kernel_distances(kernel(X))) if kernel.precomputed else X


def kernel_distances(K) -> np.ndarray:
    """d_ij = √(k_ii + k_jj − 2 k_ij): the distances that a Gram matrix stands for."""
    if sp.issparse(K):
        K = K.toarray()
    diagonal = np.diag(K).astype(np.float64)
    D = diagonal[:, None] + diagonal - 2.0 * K
    np.maximum(D, 0.0, out=D)
    np.fill_diagonal(D, 0.0)
    return np.sqrt(D, out=D)
