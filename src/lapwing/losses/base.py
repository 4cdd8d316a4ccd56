"""What a loss is: the price of reading f where y was observed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np

from ..parameters.spelling import NamedParameters


class Loss(NamedParameters, ABC):
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

    smooth: ClassVar[bool] = False
    """Whether it has a gradient and a curvature everywhere, or almost: a :class:`SmoothLoss`."""

    quadratic: ClassVar[bool] = False
    """Whether its curvature is constant: a :class:`QuadraticLoss`."""

    of_difference: ClassVar[bool] = False
    """Whether it is a function of y − f: the zero of y is then an intercept's."""

    couples: ClassVar[bool] = False
    """Whether it reads all columns of f at once."""

    def check_parameters(self) -> None:
        """A ValueError if a parameter is out of range; called by :func:`get_loss`."""
        return None

    def build(self, Y: np.ndarray, observed: np.ndarray) -> Loss:
        """The loss with numbers for what the targets, (n, t), decide: itself where they do not."""
        return self

    def at(self, outputs: Any) -> Loss:
        """The loss of a column, or of (P, 1) entries at outputs, (P,): itself if all are alike."""
        return self

    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂²V/∂f² ≥ 0 entry by entry, shape (l, t); a smooth loss has it."""
        raise TypeError(f"{type(self).__name__} has a kink, hence no curvature.")

    def probability(self, f: np.ndarray) -> np.ndarray | None:
        """P(y = +1 | f), the shape of f, where the loss is a likelihood; else None."""
        return None


class SmoothLoss(Loss):
    """A differentiable loss with a second derivative almost everywhere, for Newton's method."""

    smooth = True

    @abstractmethod
    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂²V/∂f² ≥ 0 entry by entry, shape (l, t)."""


class QuadraticLoss(SmoothLoss):
    """A loss whose curvature is constant: one linear system gives the minimizer."""

    quadratic = True


class DualLoss(Loss):
    """A loss with kinks, V(y, f) = Σ_k max(0, s_k f − c_k): solved in the dual on the labeled rows.

    Its conjugate is V*(u) = min Σ_k c_k α_k over 0 ≤ α ≤ 1 with Σ_k s_k α_k = u. :meth:`box`
    returns s and c. It finds up to two hinges from :meth:`conjugate` and :meth:`clip`; a loss with
    more kinks overrides it.
    """

    @abstractmethod
    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """V*(u) = sup_f u f − V(y, f), for u in its domain (:meth:`clip` maps into it)."""

    @abstractmethod
    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The point of the domain of V* nearest to u."""

    def box(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """s and c, each of shape (k, …): slope and offset of each hinge."""
        ends = np.stack([self.clip(y, np.full_like(y, side)) for side in (np.inf, -np.inf)])
        least = self.conjugate(y, np.zeros_like(y))
        return ends, np.stack([self.conjugate(y, u) - least for u in ends])
