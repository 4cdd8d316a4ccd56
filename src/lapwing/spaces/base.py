"""What a space is: the functions we search over, with their own geometry."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np


class Element:
    """A function of a space, column by column: its coefficients, and its values once computed.

    A product with K is the dear part of every iteration. Elements remember theirs, and sums of
    elements inherit them, so that a solver pays for one product per step.
    """

    __slots__ = ("_source", "_values", "coef", "space")

    def __init__(
        self,
        space: Space,
        coef: np.ndarray,
        values: np.ndarray | None = None,
        source: Element | None = None,
    ):
        self.space = space
        self.coef = coef
        self._values = values
        self._source = source  # an element with the same values, which then keeps them

    @property
    def values(self) -> np.ndarray:
        """The values at the training points, what M sees: shape (n, t)."""
        if self._values is None:
            source = self._source
            self._values = self.space.evaluate(self.coef) if source is None else source.values
        return self._values

    @property
    def readout(self) -> np.ndarray:
        """What the loss sees: shape (n, t)."""
        return self.space.readout(self)

    def plus(self, step, other: Element) -> Element:
        """self + step · other, ``step`` a number or one per column."""
        values = None
        if self._values is not None and other._values is not None:
            values = self._values + step * other._values
        return Element(self.space, self.coef + step * other.coef, values)

    def columns(self, index) -> Element:
        """The functions of some of the columns."""
        values = None if self._values is None else self._values[:, index]
        return Element(self.space, self.coef[:, index], values)

    def forget(self) -> Element:
        """The same function with its values to be computed afresh (they drift in recurrences)."""
        return Element(self.space, self.coef)


class Space(ABC):
    """Functions f with coefficients c, (m, t), and an inner product of their own.

    ``represent`` is the adjoint of evaluation in the space's metric, so that gradients are
    elements of the space and no solver ever sees the coordinates:

        ⟨represent(r_M, r_loss), h⟩ = ⟨r_M, evaluate(h)⟩ + ⟨r_loss, readout(h)⟩.

    Attributes
    ----------
    n_points : int
        Number of training points, n.
    n_coef : int
        Number of coefficients per column, m.
    """

    n_points: int
    n_coef: int

    @abstractmethod
    def evaluate(self, coef: np.ndarray) -> np.ndarray:
        """Values at the training points, (n, t): what M sees."""

    def readout(self, e: Element) -> np.ndarray:
        """What the loss sees at the training points, (n, t); the values, unless overridden."""
        return e.values

    @abstractmethod
    def evaluate_at(self, X, coef: np.ndarray) -> np.ndarray:
        """The readout at new points: this is ``predict``."""

    @abstractmethod
    def represent(self, r_M: np.ndarray, r_loss: np.ndarray) -> np.ndarray:
        """The coefficients of the adjoint of evaluation and readout, (m, t)."""

    @abstractmethod
    def inner(self, a: Element, b: Element) -> np.ndarray:
        """⟨a, b⟩ of each column, (t,), or (1,) where the metric couples the columns.

        Only the values of ``a`` may be used where those of ``b`` would have to be computed.
        """

    def penalized(self, coef: np.ndarray) -> np.ndarray:
        """P c: the coefficients without the part that ‖f‖² does not count."""
        return coef

    def element(self, coef: np.ndarray) -> Element:
        return Element(self, coef)

    def zero(self, n_columns: int) -> Element:
        return Element(
            self, np.zeros((self.n_coef, n_columns)), np.zeros((self.n_points, n_columns))
        )

    def norm(self, a: Element) -> np.ndarray:
        """√⟨a, a⟩ of each column; rounding below zero counts as zero."""
        return np.sqrt(np.maximum(self.inner(a, a), 0.0))
