"""A space around another space, to which it passes on every call that it does not override."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from .base import Element, SameAs, Space


class Wrapped(Space):
    """A space that takes its answers from another space. A subclass overrides what it changes.

    The coefficients of the wrapper contain those of the other space (:meth:`down`). The elements of
    both have the same base.

    Parameters
    ----------
    space : Space
        The other space.
    """

    n_points: Any = SameAs("space.n_points")
    n_coef: Any = SameAs("space.n_coef")
    n_rows: Any = SameAs("space.n_rows")
    tolerance: Any = SameAs("space.tolerance")
    penalty: Any = SameAs("space.penalty")
    mixing: Any = SameAs("space.mixing")
    gram: Any = SameAs("space.gram")
    out_of_sample: Any = SameAs("space.out_of_sample")
    free: Any = SameAs("space.free")
    covariance: Any = SameAs("space.covariance")

    def __init__(self, space: Space):
        self.space = space

    def down(self, coef: np.ndarray) -> np.ndarray:
        """The coefficients of the other space, from those of the wrapper."""
        return coef

    def inside(self, e: Element) -> Element:
        """The function of the other space in e, with the values that are known."""
        return Element(self.space, self.down(e.coef), source=e)

    def evaluate(self, coef):
        return self.space.evaluate(self.down(coef))

    def readout(self, e):
        return self.space.readout(self.inside(e))

    def evaluate_at(self, X, coef):
        return self.space.evaluate_at(X, self.down(coef))

    def represent(self, r_M, r_loss):
        return self.space.represent(r_M, r_loss)

    def inner(self, a, b):
        return self.space.inner(self.inside(a), self.inside(b))

    @abstractmethod
    def system(self, gamma_A, form, n_shifts=1):
        """The linear system; every wrapper defines its own."""
