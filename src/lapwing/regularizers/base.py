"""What a regularizer is: a rule that turns points into a PSD operator on the values there."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from ..graphs import WeightedGraph


class PSDOperator(ABC):
    """⟨f, M f⟩ for the values f of a function at the n points: immutable, symmetric, PSD.

    Concrete operators define :meth:`apply`; everything else follows from it.

    Attributes
    ----------
    n : int
        Number of points.
    graph : WeightedGraph or None
        The graph behind the operator, where there is one: it tells which points a label reaches.
    """

    n: int
    graph: WeightedGraph | None = None

    @abstractmethod
    def apply(self, F: np.ndarray) -> np.ndarray:
        """M F for F of shape (n, t); the dtype of F (float32 or float64) is kept."""

    def value(self, F: np.ndarray) -> np.ndarray:
        """⟨f, M f⟩ of each column, shape (t,)."""
        return np.einsum("it,it->t", F, self.apply(F))

    def gradient(self, F: np.ndarray) -> np.ndarray:
        """2 M F, shape (n, t)."""
        return 2.0 * self.apply(F)

    def curvature(self, F: np.ndarray, V: np.ndarray) -> np.ndarray:
        """The second derivative at F along V: 2 M V, shape (n, t)."""
        return 2.0 * self.apply(V)

    def toarray(self) -> np.ndarray:
        """M as a dense (n, n) matrix: for tests and small problems."""
        return self.apply(np.eye(self.n))


class Regularizer(BaseEstimator, ABC):
    """Configuration of an intrinsic penalty; ``build`` turns it into a :class:`PSDOperator`.

    Regularizers add, and multiply by non-negative numbers:
    ``Laplacian() + 0.1 * HessianEnergy()``.
    """

    @abstractmethod
    def build(self, X, y=None) -> PSDOperator:
        """The operator over the rows of X.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or Distances
        y : integer array of shape (n,), optional
            Class codes 0, 1, …, with −1 for unlabelled rows; only class-wise penalties read it.
        """

    def __add__(self, other: Regularizer) -> Regularizer:
        from .algebra import Sum

        return Sum(self, other)

    def __mul__(self, weight: float) -> Regularizer:
        from .algebra import Scaled

        return Scaled(self, weight)

    __rmul__ = __mul__
