"""The span of the leading eigenvectors of the Gram matrix: few coefficients, all points."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..kernels import Kernel
from ..linalg.eigen_pencil import EigenPencil
from ..linalg.eigenpairs import top_eigenpairs
from .base import Element, Space
from .covariance import FeatureCovariance
from .deformation import PlainDeformation
from .exact import expand
from .labeled_kernel import FreeFunctions
from .systems import CallableSystem, by_pencil

EPS = float(np.finfo(float).eps)

FEATURE_MAPS = {"KU": 1.0, "whitened": 0.5}
"""The power p of the features U Σ^p, by the name that users type."""


class Eigen(Space):
    """f = Σ_j k(·, x_j) (U Σ^{p−1} W)_j with K = UΣUᵀ cut to its s largest eigenvalues.

    The features at the training points are X = UΣ^p. The space has evaluate(W) = X W, represent(r)
    = Xᵀ r and inner(a, b) = aᵀb, the metric of the paper's coordinates W. The power p = 1 gives X =
    KU ("KU"). The power p = ½ gives features whose norm is that of the RKHS ("whitened"). Training
    and prediction use the same features.

    Parameters
    ----------
    vectors : array of shape (n, s)
        U, the leading eigenvectors.
    eigenvalues : array of shape (s,)
        σ > 0, the leading eigenvalues.
    power : float
        p, the power of Σ in the features.
    kernel : Kernel
        The built kernel, for new points.
    X : array or CSR matrix of shape (n, d)
        The training points.

    References
    ----------
    MT §III and Algorithm 1. Its two prediction formulas contradict each other.
    """

    def __init__(self, vectors: np.ndarray, eigenvalues: np.ndarray, power: float, kernel, X):
        self.vectors = vectors
        self.eigenvalues = eigenvalues
        self.power = power
        self.scale = eigenvalues**power
        self.kernel: Kernel = kernel
        self.X = X
        self.n_points, self.n_coef = vectors.shape

    @classmethod
    def from_gram(
        cls, gram, n_components: int, feature_map: str, kernel, X, rtol: float = 1e-11
    ) -> Eigen:
        """The space of the ``n_components`` leading eigenvectors of ``gram``, (n, n)."""
        values, vectors = top_eigenpairs(gram, n_components, rtol)
        return cls(vectors, values, FEATURE_MAPS[feature_map], kernel, X)

    def evaluate(self, coef):
        return self.vectors @ (self.scale[:, None] * coef)

    def evaluate_at(self, X, coef):
        return expand(self.kernel, X, self.X, self.expansion(coef))

    def expansion(self, coef: np.ndarray) -> np.ndarray:
        """The coefficients of f over the kernel sections k(·, x_j), (n, t)."""
        return self.vectors @ ((self.scale / self.eigenvalues)[:, None] * coef)

    def features(self, X) -> np.ndarray:
        """The features UΣ^p at the rows of any X, (len(X), s): f(x) = features(x) W."""
        return self.evaluate_at(X, np.eye(self.n_coef))

    @property
    def covariance(self):
        return EigenCovariance(self, self.features)

    def represent(self, r_M, r_loss):
        return self.scale[:, None] * (self.vectors.T @ (r_M + r_loss))

    def inner(self, a: Element, b: Element):
        return np.einsum("it,it->t", a.coef, b.coef)

    def system(self, gamma_A, form, n_shifts=1):
        """γ_A P + Φ*GΦ by a pencil of U.

        The eigenvectors of small eigenvalues differ between copies of a row by rounding only. The
        pencil is told the size of this rounding.
        """
        low, high = self.eigenvalues.min(initial=np.inf), self.eigenvalues.max(initial=0.0)
        rounding = 4.0 * EPS * high / low
        make = partial(EigenPencil, self.vectors, self.scale, form, rounding)
        return by_pencil(self, gamma_A, form, make)

    def deformed(self, operator, gamma_A, lam):
        """K̃. At γ_A = 0 it lives on the range of UᵀMU; the other directions are free functions."""
        if gamma_A > 0:
            return super().deformed(operator, gamma_A, lam)
        values, V = np.zeros(self.n_coef), np.eye(self.n_coef)
        if lam:
            S = lam * (self.vectors.T @ operator.apply(self.vectors))
            values, V = np.linalg.eigh(0.5 * (S + S.T))
        seen = values > 1e-12 * max(float(values.sum()), 0.0)
        free = V[:, ~seen] / self.scale[:, None]
        Q, tau, scale = V[:, seen], values[seen, None], self.scale[:, None]

        def solve(R):  # D⁻¹Qτ⁻¹QᵀD⁻¹, the pseudo-inverse of D Q τ Qᵀ D
            return self.element(Q @ ((Q.T @ (R / scale)) / tau) / scale)

        inner = PlainDeformation(self, operator, gamma_A, lam, CallableSystem(self, solve))
        at = partial(self.evaluate_at, coef=free)
        return inner.with_free(
            FreeFunctions(self.evaluate(free), at, lambda coef, b: coef + free @ b)
        )


class EigenCovariance(FeatureCovariance):
    """For the span of leading eigenvectors, which is only a part of the kernel's space."""

    partial = True
    space: Eigen

    def resolved(self, X):
        """‖P k_x‖²/k(x, x), P the projection on the eigenvectors: 0 far from all points."""
        space = self.space
        whole = np.asarray(space.kernel.diagonal(X), dtype=np.float64)
        held = (space.features(X) ** 2) @ space.eigenvalues ** (1.0 - 2.0 * space.power)
        return np.divide(held, whole, out=np.ones_like(held), where=whole > 0).clip(0.0, 1.0)
