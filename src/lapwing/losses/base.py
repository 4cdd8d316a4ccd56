"""The base classes of losses. A loss is the cost of the prediction f where the target is y."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np

from ..parameters.spelling import NamedParameters


class Loss(NamedParameters, ABC):
    """V(y, f), convex in f, computed entry by entry on arrays of shape (l, t).

    The l rows are the labeled rows, the t columns are the outputs. A loss that reads all columns of
    f together returns values of shape (l, 1).

    Attributes
    ----------
    kind : {"classification", "regression", "both"}
        The targets that the loss accepts: y in {−1, +1}, any real y, or both.
    """

    kind: ClassVar[Literal["classification", "regression", "both"]]

    @abstractmethod
    def value(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """V(y, f)."""

    @abstractmethod
    def gradient(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂V/∂f, shape (l, t). It is a subgradient where V has a kink."""

    smooth: ClassVar[bool] = False
    """Whether the loss has a gradient everywhere and a curvature almost everywhere."""

    quadratic: ClassVar[bool] = False
    """Whether the curvature of the loss is constant."""

    of_difference: ClassVar[bool] = False
    """Whether the loss depends on y − f only. Adding a constant to y then shifts the intercept."""

    couples: ClassVar[bool] = False
    """Whether the loss reads all columns of f together."""

    def check_parameters(self) -> None:
        """Raise a ValueError if a parameter is out of range. :func:`get_loss` calls it."""
        return None

    def build(self, Y: np.ndarray, observed: np.ndarray) -> Loss:
        """Return the loss with its "auto" parameters computed from the targets.

        Parameters
        ----------
        Y : array of shape (n, t)
            The targets.
        observed : boolean array of shape (n, 1) or (n, t)
            Where a target was observed.
        """
        return self

    def at(self, outputs: Any, rows: Any = slice(None)) -> Loss:
        """Return the loss of one column, or of P entries whose columns are ``outputs``, (P,).

        If the parameters differ by row, one column takes those of ``rows``.

        The loss itself is returned if all columns have the same parameters.
        """
        return self

    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂²V/∂f² ≥ 0, entry by entry, shape (l, t). Only smooth losses have it."""
        raise TypeError(f"{type(self).__name__} has a kink, hence no curvature.")

    def probability(self, f: np.ndarray) -> np.ndarray | None:
        """P(y = +1 | f), with the shape of f. None if the loss is not a likelihood."""
        return None


class SmoothLoss(Loss):
    """A differentiable loss with a second derivative almost everywhere. Newton's method uses it."""

    smooth = True

    @abstractmethod
    def curvature(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """∂²V/∂f² ≥ 0 entry by entry, shape (l, t)."""


class QuadraticLoss(SmoothLoss):
    """A loss with constant curvature. One linear system gives the minimizer."""

    quadratic = True


class DualLoss(Loss):
    """V(y, f) = Σ_k max(0, s_k f − c_k), a loss with kinks. Its dual on the labeled rows is solved.

    Its conjugate is V*(u) = min Σ_k c_k α_k over 0 ≤ α ≤ 1 with Σ_k s_k α_k = u. :meth:`box`
    returns s and c. The default :meth:`box` finds up to two hinges from :meth:`conjugate` and
    :meth:`clip`. A loss with more kinks must override it.
    """

    @abstractmethod
    def conjugate(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """V*(u) = sup_f u f − V(y, f), for u in its domain. :meth:`clip` maps u into the domain."""

    @abstractmethod
    def clip(self, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The point of the domain of V* nearest to u."""

    def box(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The slopes s and offsets c of the k hinges, each of shape (k, …)."""
        ends = np.stack([self.clip(y, np.full_like(y, side)) for side in (np.inf, -np.inf)])
        least = self.conjugate(y, np.zeros_like(y))
        return ends, np.stack([self.conjugate(y, u) - least for u in ends])
