"""The kernel of a space at new points, for Gaussian processes and stand-alone kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from ..kernels import Kernel
    from .base import Space
    from .deformation import PlainDeformation


class Covariance(ABC):
    """k(x, z) of the readout for any rows x and z, and the sections k_x = k(x, ·).

    Parameters
    ----------
    space : Space
    """

    partial = False  # whether the functions of the space span only a part of the kernel
    kernel: Any = None  # the kernel whose sections at ``points`` span the space, if there is one
    points: Any = None
    summands: Any = ()  # (covariance with a kernel, its rows, their weights) of each, if several
    held_by_rows = False  # whether ``points`` are the training rows and k needs no more of them

    def __init__(self, space: Space):
        self.space = space

    @abstractmethod
    def between(self, X, Z=None) -> np.ndarray:
        """k(x, z) between the rows of X and those of Z (or X), (len(X), len(Z))."""

    @abstractmethod
    def diagonal(self, X) -> np.ndarray:
        """k(x, x) at each row of X, (len(X),)."""

    @abstractmethod
    def sections(self, X) -> np.ndarray:
        """Φ k_x, (n, len(X)): the sections of the rows of X at the training points."""

    def among(self, rows: np.ndarray) -> np.ndarray:
        """k among some of the training rows, (l, l); empty where the space does not store it."""
        K = self.space.gram
        return K[np.ix_(rows, rows)] if len(K) else K

    def read(self, X, coef: np.ndarray, sections: np.ndarray | None = None) -> np.ndarray:
        """The readout at X, (len(X), t), of the functions with coefficients ``coef``.

        ``sections`` are those of X, where the caller has them.
        """
        return self.space.evaluate_at(X, coef)

    def read_own(self, X, coef: np.ndarray, sections: np.ndarray) -> np.ndarray:
        """f_x(x), (len(X),), for one function f_x per row x of X."""
        return np.diagonal(self.read(X, coef, sections)).copy()

    def deformed_diagonal(self, X, deformation: PlainDeformation) -> np.ndarray:
        """K̃(x, x) at each row of X, (len(X),)."""
        left = self.diagonal(X) - deformation.taken_diagonal(X)
        return np.maximum(left, 0.0) / deformation.gamma_A

    def resolved(self, X) -> np.ndarray:
        """The share of the kernel's k(x, x) that the functions of the space span, (len(X),)."""
        return np.ones(X.shape[0])


class NoCovariance(Covariance):
    """For a space that has no kernel between new points: every method raises TypeError."""

    def between(self, X, Z=None):
        raise TypeError(f"{type(self.space).__name__} has no kernel between new points.")

    diagonal = sections = between  # type: ignore[assignment]


class KernelCovariance(Covariance):
    """For a space that is spanned by the sections of a kernel k at the training points.

    Parameters
    ----------
    space : Space
    kernel : Kernel
        k.
    points : array or CSR matrix of shape (n, d)
        The training points.
    """

    def __init__(self, space: Space, kernel: Kernel, points):
        super().__init__(space)
        self.kernel, self.points, self.held_by_rows = kernel, points, not kernel.precomputed

    def between(self, X, Z=None):
        return np.array(self.kernel(X, Z), dtype=np.float64)

    def among(self, rows):
        alone = self.held_by_rows and not len(self.space.gram)
        return self.between(self.points[rows]) if alone else super().among(rows)

    def diagonal(self, X):
        return np.asarray(self.kernel.diagonal(X), dtype=np.float64)

    def sections(self, X):
        return np.asarray(self.kernel(self.points, X), dtype=np.float64)

    def read(self, X, coef, sections=None):
        return (self.sections(X) if sections is None else sections).T @ coef

    def read_own(self, X, coef, sections):
        return np.einsum("in,in->n", sections, coef)


class FeatureCovariance(Covariance):
    """For a space with f(x) = ⟨φ(x), w⟩ and the norm of w: k(x, z) = ⟨φ(x), φ(z)⟩.

    Parameters
    ----------
    space : Space
    features : callable
        X ↦ φ at the rows of X, (len(X), m), dense or CSR.
    """

    def __init__(self, space: Space, features: Callable):
        super().__init__(space)
        self.features = features

    def between(self, X, Z=None):
        left = self.features(X)
        return _dense(left @ (left if Z is None else self.features(Z)).T)

    def diagonal(self, X):
        return _rows(self.features(X), self.features(X))

    def sections(self, X):
        return self.space.evaluate(_dense(self.features(X).T))

    def deformed_diagonal(self, X, deformation):
        """K̃(x, x) = φ(x)ᵀ (γ_A P + λΦ*MΦ)⁻¹ φ(x).

        This is no difference of large numbers, and it also holds at γ_A = 0.
        """
        phi = self.features(X)
        return np.maximum(_rows(phi, deformation.system.solve(_dense(phi.T)).coef.T), 0.0)


def _dense(A) -> np.ndarray:
    return A.toarray() if sp.issparse(A) else np.ascontiguousarray(A)


def _rows(A, B) -> np.ndarray:
    """⟨a_i, b_i⟩ of the rows a_i of A and b_i of B, (n,)."""
    if sp.issparse(A):
        return np.asarray(A.multiply(B).sum(axis=1)).ravel()
    return np.einsum("im,im->i", A, B)
