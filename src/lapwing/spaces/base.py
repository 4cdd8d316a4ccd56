"""The abstract class of all spaces, and the class of their elements."""

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
"""The attribute ``gram`` of a space that stores no Gram matrix."""


class SameAs:
    """A class attribute that reads another attribute, until it is set itself."""

    def __init__(self, path: str):
        self.read = attrgetter(path)

    def __get__(self, space: Space | None, owner: type | None = None) -> Any:
        return self.read(space) if space else self


class Space(ABC):
    """Functions f with coefficients c, (m, t), and an inner product.

    Each of the t columns of c is one function. Solvers work with the values of f, with
    :meth:`represent` and with :meth:`inner`, and never with the coordinates. This is possible
    because :meth:`represent` is the adjoint of evaluation and readout in the inner product of the
    space:

        ⟨represent(r_M, r_loss), h⟩ = ⟨r_M, evaluate(h)⟩ + ⟨r_loss, readout(h)⟩.

    Gradients are therefore elements of the space. The penalty M sees ``evaluate(c)``; the loss sees
    the readout. The two are equal in most spaces. Formulas write Φ for evaluation, R for the
    readout, and Φ* and R* for their adjoints.

    A new space defines :meth:`evaluate`, :meth:`evaluate_at`, :meth:`represent` and :meth:`inner`,
    and sets ``n_points`` and ``n_coef``. Every loss, output structure and solver then works with
    it. All other methods have a default. A space overrides one where it knows a shorter way.

    Attributes
    ----------
    n_points : int
        n, the number of values that M sees.
    n_coef : int
        m, the number of coefficients per column.
    n_rows : int
        Rows of the readout. This is n, unless the loss sees a combination of the values.
    tolerance : float
        A solver may stop at this certificate: below it the answers no longer change.
    penalty : float or array that broadcasts to (m, t)
        P of ‖f‖² = ⟨c, P c⟩, a diagonal matrix.
    mixing : Alone or Mixing
        Λ, which turns columns of functions into outputs.
    gram : array of shape (n, n)
        ΦΦ*, the Gram matrix, where the space stores it; otherwise an empty array.
    out_of_sample : callable or None
        (answers, known rows) ↦ a function of new rows that has learned these answers, and its
        values at the other rows. None where :meth:`evaluate_at` itself can answer for new rows.
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
        """The values of f at the training points, (n, t). M sees these."""

    @abstractmethod
    def evaluate_at(self, X, coef: np.ndarray) -> np.ndarray:
        """The readout of f at the rows of X, (len(X), t). ``predict`` calls this."""

    @abstractmethod
    def represent(self, r_M, r_loss) -> np.ndarray:
        """The coefficients of the adjoint of evaluation and readout, (m, t).

        Each argument is an array of shape (n, t), or the number 0.
        """

    @abstractmethod
    def inner(self, a: Element, b: Element) -> np.ndarray:
        """⟨a, b⟩ of each column, (t,), or (1,) where the inner product couples the columns.

        An implementation may use the values of ``a``, and should not compute those of ``b``.
        """

    def readout(self, e: Element) -> np.ndarray:
        """The values of e that the loss sees, (n, t). These are ``e.values`` unless overridden."""
        return e.values

    @property
    def free(self) -> np.ndarray:
        """The readouts of the functions without a penalty, (n, g).

        Their coefficients b, (g, t), are the last g rows of c.
        """
        return np.zeros((self.n_rows, 0))

    def element(self, coef: np.ndarray, base: np.ndarray | None = None) -> Element:
        """The function with the coefficients ``coef``, and its base where that is known."""
        return Element(self, coef, base)

    @property
    def covariance(self) -> Covariance:
        """The kernel of the space at new points."""
        return NoCovariance(self)

    def system(self, gamma_A: float, form: QuadraticForm, n_shifts: int = 1) -> System:
        """γ_A P + Φ*GΦ with G = diag(w) − UUᵀ + λM, in closed form where there is one."""
        return closed_form(self, gamma_A, form)

    def deformed(self, operator: Operator, gamma_A: float, lam: float) -> Deformation:
        """The deformed kernel K̃ = R (γ_A P + λΦ*MΦ)⁺ R*."""
        system = self.system(gamma_A, QuadraticForm(operator, lam))
        return PlainDeformation(self, operator, gamma_A, lam, system)


def scalar(space: Space) -> Space:
    """The space of a single output, with the same coefficients in each column."""
    return space.mixing.scalar(space)


def user_coef(space: Space, coef: np.ndarray) -> np.ndarray:
    """The coefficients as estimators show them, (m, t): without offsets and without mixing."""
    return space.mixing.user_coef(coef[: len(coef) - space.free.shape[1]])


class Element:
    """A function of a space: its coefficients, and its values once they are computed.

    A product with the Gram matrix K is the expensive part of every iteration. An element stores the
    result of its product, and a sum of elements adds the stored results. A solver therefore pays
    for one product per step. The stored array is ``base``: the values before outputs are mixed.
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
        # ``base`` is read from the rows ``at`` of the base of this other element
        self._source, self._at = source, at
        if base is not None:
            self.base = base

    @classmethod
    def zero(cls, space: Space, n_columns: int) -> Element:
        """The zero function in each of ``n_columns`` columns."""
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
        """The values at the training points, (n, t). M sees these."""
        return self.space.mixing.mix(self.base)

    @property
    def readout(self) -> np.ndarray:
        """The values that the loss sees, (n, t)."""
        return self.space.readout(self)

    @property
    def norm(self) -> np.ndarray:
        """√⟨f, f⟩ of each column. A negative ⟨f, f⟩ is rounding and counts as zero."""
        return np.sqrt(np.maximum(self.space.inner(self, self), 0.0))

    def penalized(self, weight: float = 1.0) -> Element:
        """weight · P f: the element whose inner product with f is weight · ‖f‖²."""
        return Element(self.space, weight * self.space.penalty * self.coef)

    def plus(self, step, other: Element) -> Element:
        """self + step · other. ``step`` is a number, or an array with one number per column."""
        known = "base" in vars(self) and "base" in vars(other)
        base = self.base + step * other.base if known else None
        return Element(self.space, self.coef + step * other.coef, base)

    def within(self, space: Space) -> Element:
        """The function of another space with the same coefficients and the same base."""
        return Element(space, self.coef, source=self)

    def forget(self) -> Element:
        """The same function without its stored values, which drift in recurrences."""
        return Element(self.space, self.coef)
