"""A space's own kernel at new points: what Gaussian processes and stand-alone kernels ask for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from ..kernels import Kernel
    from .base import Space
    from .deformation import PlainDeformation


class Covariance(ABC):
    """k(x, z) of the readout, for any rows x and z, and the functions k_x that read out there.

    Parameters
    ----------
    space : Space
    """

    partial = False  # whether the space holds a share of the kernel only

    def __init__(self, space: Space):
        self.space = space

    @abstractmethod
    def between(self, X, Z=None) -> np.ndarray:
        """k(x, z) between the rows of X and of Z (or X)."""

    @abstractmethod
    def diagonal(self, X) -> np.ndarray:
        """k(x, x) at each row of X, (n,)."""

    @abstractmethod
    def sections(self, X) -> np.ndarray:
        """Φ k_x, (n, len(X)): at the training points, the functions that read out at X."""

    def among(self, rows: np.ndarray) -> np.ndarray:
        """k among some of the training rows, (l, l); empty where it is not at hand."""
        K = self.space.gram
        return K[np.ix_(rows, rows)] if len(K) else K

    def read(self, X, coef: np.ndarray, sections: np.ndarray | None = None) -> np.ndarray:
        """The readout at X, (len(X), t), of functions with these coefficients.

        ``sections`` are those of X, where they are known.
        """
        return self.space.evaluate_at(X, coef)

    def read_own(self, X, coef: np.ndarray, sections: np.ndarray) -> np.ndarray:
        """f_x(x) of one function for each row x of X, (len(X),)."""
        return np.diagonal(self.read(X, coef, sections)).copy()

    def deformed_diagonal(self, X, deformation: PlainDeformation) -> np.ndarray:
        """K̃(x, x) at each row of X, (n,)."""
        left = self.diagonal(X) - deformation.taken_diagonal(X)
        return np.maximum(left, 0.0) / deformation.gamma_A

    def resolved(self, X) -> np.ndarray:
        """Which share of the kernel's k(x, x) a space of chosen functions holds, (n,)."""
        return np.ones(X.shape[0])


class NoCovariance(Covariance):
    """Of a space that has no kernel between new points."""

    def between(self, X, Z=None):
        raise TypeError(f"{type(self.space).__name__} has no kernel between new points.")

    diagonal = sections = between  # type: ignore[assignment]


class KernelCovariance(Covariance):
    """Of a space that the kernel's sections at the training points span.

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
        self.kernel = kernel
        self.points = points

    def between(self, X, Z=None):
        return np.array(self.kernel(X, Z), dtype=np.float64)

    def among(self, rows):
        held = len(self.space.gram) or self.kernel.precomputed
        return super().among(rows) if held else self.between(self.points[rows])

    def diagonal(self, X):
        return np.asarray(self.kernel.diagonal(X), dtype=np.float64)

    def sections(self, X):
        return np.asarray(self.kernel(self.points, X), dtype=np.float64)

    def read(self, X, coef, sections=None):
        return (self.sections(X) if sections is None else sections).T @ coef

    def read_own(self, X, coef, sections):
        return np.einsum("in,in->n", sections, coef)


class FeatureCovariance(Covariance):
    """Of a space with f(x) = ⟨φ(x), w⟩ and the norm of w: k_x is φ(x), and is in the space.

    Parameters
    ----------
    space : Space
    features : callable
        X ↦ φ at its rows, (len(X), m), dense or CSR.
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
        """No difference of large numbers, and γ_A may be 0."""
        phi = self.features(X)
        return np.maximum(_rows(phi, deformation.system.solve(_dense(phi.T)).coef.T), 0.0)


def _dense(A) -> np.ndarray:
    return A.toarray() if sp.issparse(A) else np.ascontiguousarray(A)


def _rows(A, B) -> np.ndarray:
    """⟨a_i, b_i⟩ of the rows, (n,)."""
    if sp.issparse(A):
        return np.asarray(A.multiply(B).sum(axis=1)).ravel()
    return np.einsum("im,im->i", A, B)
