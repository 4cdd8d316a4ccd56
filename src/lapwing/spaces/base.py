"""What a space is: the functions we search over, with their own geometry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator
from .covariance import Covariance, NoCovariance
from .deformation import Deformation, PlainDeformation
from .mixing import ALONE
from .systems import System, closed_form

NOT_HELD = np.empty((0, 0))
"""The Gram matrix of a space that holds none."""


class SameAs:
    """An attribute that is another one, unless it is set."""

    def __init__(self, path: str):
        self.read = attrgetter(path)

    def __get__(self, space: Space | None, owner: type | None = None) -> Any:
        return self.read(space) if space else self


class Space(ABC):
    """Functions f with coefficients c, (m, t), and an inner product of their own.

    ``represent`` is the adjoint of evaluation and readout in the space's metric, so that gradients
    are elements of the space and no solver ever sees the coordinates:

        ⟨represent(r_M, r_loss), h⟩ = ⟨r_M, evaluate(h)⟩ + ⟨r_loss, readout(h)⟩.

    A new space defines :meth:`evaluate`, :meth:`evaluate_at`, :meth:`represent` and :meth:`inner`,
    and sets ``n_points`` and ``n_coef``; every loss, output structure and solver then works with
    it. Everything else has a default, and is defined where a space knows a shorter way.

    Attributes
    ----------
    n_points : int
        Number of values that M sees, n.
    n_coef : int
        Number of coefficients per column, m.
    n_rows : int
        Rows of the readout: n, unless the loss sees a combination of the values.
    tolerance : float
        The certificate below which nothing changes any more that the space resolves.
    penalty : float or array that broadcasts to (m, t)
        P of ⟨c, P c⟩, what ‖f‖² counts: a diagonal matrix.
    mixing : Alone or Mixing
        Λ, how columns become outputs.
    gram : array of shape (n, n)
        ΦΦ*, where it is held; empty where it is not.
    out_of_sample : callable or None
        (answers, known rows) ↦ a function of new rows that has learned them, and its values at the
        other rows; None where :meth:`evaluate_at` answers, since functions live everywhere.
    """

    n_points: Any
    n_coef: Any
    n_rows: Any = SameAs("n_points")
    tolerance: Any = 0.0
    penalty: Any = 1.0
    mixing: Any = ALONE
    gram: Any = NOT_HELD
    out_of_sample: Any = None

    @abstractmethod
    def evaluate(self, coef: np.ndarray) -> np.ndarray:
        """Values at the training points, (n, t): what M sees."""

    @abstractmethod
    def evaluate_at(self, X, coef: np.ndarray) -> np.ndarray:
        """The readout at new points: this is ``predict``."""

    @abstractmethod
    def represent(self, r_M, r_loss) -> np.ndarray:
        """The coefficients of the adjoint of evaluation and readout, (m, t).

        Each argument is an array of shape (n, t), or the number 0.
        """

    @abstractmethod
    def inner(self, a: Element, b: Element) -> np.ndarray:
        """⟨a, b⟩ of each column, (t,), or (1,) where the metric couples the columns.

        Only the values of ``a`` may be used where those of ``b`` would have to be computed.
        """

    def readout(self, e: Element) -> np.ndarray:
        """What the loss sees at the training points, (n, t); the values, unless overridden."""
        return e.values

    @property
    def free(self) -> np.ndarray:
        """The readouts of functions that nothing penalizes, (n, g); their b are the last g rows."""
        return np.zeros((self.n_rows, 0))

    def element(self, coef: np.ndarray, base: np.ndarray | None = None) -> Element:
        """The function with these coefficients, and its base where that is known."""
        return Element(self, coef, base)

    @property
    def covariance(self) -> Covariance:
        """The space's own kernel at new points."""
        return NoCovariance(self)

    def system(self, gamma_A: float, form: QuadraticForm, n_shifts: int = 1) -> System:
        """γ_A P + Φ*GΦ, G = diag(w) − UUᵀ + λM, in closed form where there is one."""
        return closed_form(self, gamma_A, form)

    def deformed(self, operator: Operator, gamma_A: float, lam: float) -> Deformation:
        """K̃ = R (γ_A P + λΦ*MΦ)⁺ R*."""
        system = self.system(gamma_A, QuadraticForm(operator, lam))
        return PlainDeformation(self, operator, gamma_A, lam, system)


def scalar(space: Space) -> Space:
    """The space of one output alone, with the same coefficients in each column."""
    return space.mixing.scalar(space)


def user_coef(space: Space, coef: np.ndarray) -> np.ndarray:
    """The coefficients as users know them: without offsets and mixing, (m, t)."""
    return space.mixing.user_coef(coef[: len(coef) - space.free.shape[1]])


class Element:
    """A function, column by column: its coefficients, and what was computed of it once.

    A product with K is the expensive part of every iteration. Elements remember theirs, and sums
    of elements inherit them, so that a solver pays for one product per step. What is remembered is
    the ``base``: the values before outputs are mixed.
    """

    def __init__(
        self,
        space: Space,
        coef: np.ndarray,
        base: np.ndarray | None = None,
        source: Element | None = None,
        at: slice = slice(None),
    ):
        self.space = space
        self.coef = coef
        # an element whose base holds this one's, at some of its rows, and then keeps it
        self._source, self._at = source, at
        if base is not None:
            self.base = base

    @classmethod
    def zero(cls, space: Space, n_columns: int) -> Element:
        """The zero function of each column."""
        base = np.zeros((space.n_points, n_columns))
        return cls(space, np.zeros((space.n_coef, n_columns)), base)

    @cached_property
    def base(self) -> np.ndarray:
        """The values before outputs are mixed, (n, t)."""
        if self._source:
            return self._source.base[self._at]
        return scalar(self.space).evaluate(self.coef)

    @cached_property
    def values(self) -> np.ndarray:
        """The values at the training points, what M sees: shape (n, t)."""
        return self.space.mixing.mix(self.base)

    @property
    def readout(self) -> np.ndarray:
        """What the loss sees: shape (n, t)."""
        return self.space.readout(self)

    @property
    def norm(self) -> np.ndarray:
        """√⟨f, f⟩ of each column; rounding below zero counts as zero."""
        return np.sqrt(np.maximum(self.space.inner(self, self), 0.0))

    def penalized(self, weight: float = 1.0) -> Element:
        """weight · P f: what ‖f‖² counts of it."""
        return Element(self.space, weight * self.space.penalty * self.coef)

    def plus(self, step, other: Element) -> Element:
        """self + step · other, ``step`` a number or one per column."""
        known = "base" in vars(self) and "base" in vars(other)
        base = self.base + step * other.base if known else None
        return Element(self.space, self.coef + step * other.coef, base)

    def within(self, space: Space) -> Element:
        """The function of another space with these coefficients, and the same base."""
        return Element(space, self.coef, source=self)

    def forget(self) -> Element:
        """The same function with its values to be computed afresh (they drift in recurrences)."""
        return Element(self.space, self.coef)
