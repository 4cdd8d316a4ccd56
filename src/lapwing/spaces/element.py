"""A function of a space, with what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .base import Space


class Element:
    """A function, column by column: its coefficients, and what was computed of it once.

    A product with K is the expensive part of every iteration. Elements remember theirs, and sums
    of elements inherit them, so that a solver pays for one product per step. What is remembered is
    the space's ``base``: the values before outputs are mixed.
    """

    __slots__ = ("_base", "_source", "_values", "coef", "space")

    def __init__(
        self,
        space: Space,
        coef: np.ndarray,
        base: np.ndarray | None = None,
        source: Element | None = None,
    ):
        self.space = space
        self.coef = coef
        self._base = base
        self._source = source  # an element with the same base, which then keeps it
        self._values: np.ndarray | None = None

    @property
    def base(self) -> np.ndarray:
        """The values before outputs are mixed, (n, t)."""
        if self._base is None:
            source = self._source
            self._base = self.space.base(self.coef) if source is None else source.base
        return self._base

    @property
    def values(self) -> np.ndarray:
        """The values at the training points, what M sees: shape (n, t)."""
        if self._values is None:
            self._values = self.space.mix(self.base)
        return self._values

    @property
    def readout(self) -> np.ndarray:
        """What the loss sees: shape (n, t)."""
        return self.space.readout(self)

    def plus(self, step, other: Element) -> Element:
        """self + step · other, ``step`` a number or one per column."""
        base = None
        if self._base is not None and other._base is not None:
            base = self._base + step * other._base
        return Element(self.space, self.coef + step * other.coef, base)

    def forget(self) -> Element:
        """The same function with its values to be computed afresh (they drift in recurrences)."""
        return Element(self.space, self.coef)


class Part(Element):
    """Some of an element's functions: their values are slices of its values, computed once."""

    __slots__ = ("_at", "_whole")

    def __init__(self, space: Space, whole: Element, coef_at: slice, value_at: slice):
        super().__init__(space, whole.coef[coef_at])
        self._whole = whole
        self._at = value_at

    @property
    def base(self) -> np.ndarray:
        return self._whole.base[self._at]
