"""What a loss is: the price of reading f where y was observed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import numpy as np
from sklearn.base import BaseEstimator

__all__ = ["DualLoss", "Loss", "QuadraticLoss", "SmoothLoss"]


class Loss(BaseEstimator, ABC):
    """V(y, f), convex in f, entry by entry on arrays of shape (l, t).

    A loss that couples the columns of f returns values of shape (l, 1).

    Attributes
    ----------
    kind : {"classification", "regression", "both"}
        The targets it takes: y in {−1, +1}, any real y, or either.
    """

    kind: ClassVar[Literal["classification", "regression", "both"]]

    @abstractmethod
    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """V(y, f)."""

    @abstractmethod
    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂V/∂f (a subgradient where V has a kink), shape (l, t)."""

    def check_parameters(self) -> None:
        """A ValueError if a parameter is out of range; called by :func:`get_loss`."""
        return None


class SmoothLoss(Loss):
    """A differentiable loss with (almost everywhere) a second derivative: Newton's method."""

    @abstractmethod
    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂²V/∂f² ≥ 0 entry by entry, shape (l, t)."""


class QuadraticLoss(SmoothLoss):
    """A loss whose curvature is constant: one linear system gives the minimiser."""


class DualLoss(Loss):
    """A loss with a kink, solved in the dual on the labelled points."""

    @abstractmethod
    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """V*(u) = sup_f u f − V(y, f), for u in its domain (:meth:`clip` maps into it)."""

    @abstractmethod
    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The point of the domain of V* nearest to u."""
