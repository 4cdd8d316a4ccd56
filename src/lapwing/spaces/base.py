"""What a space is: the functions we search over, with their own geometry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

import numpy as np

from ..linalg.pencil import DensePencil, Pencil
from ..linalg.quadratic_form import QuadraticForm
from ..operators import Operator
from .deformation import Deformation, PencilSystem, PlainDeformation, ScaledIdentity, System
from .krylov import KrylovSystem

FEW_COEFFICIENTS = 4_000
"""Coefficients up to which the normal equations of a space are formed."""


class Space(ABC):
    """Functions f with coefficients c, (m, t), and an inner product of their own.

    ``represent`` is the adjoint of evaluation and readout in the space's metric, so that gradients
    are elements of the space and no solver ever sees the coordinates:

        ⟨represent(r_M, r_loss), h⟩ = ⟨r_M, evaluate(h)⟩ + ⟨r_loss, readout(h)⟩.

    A new space defines :meth:`evaluate`, :meth:`evaluate_at`, :meth:`represent` and :meth:`inner`;
    every loss, output structure and solver then works with it. The rest are capabilities: ways
    that are shorter where a space has them, None where it has not.

    Attributes
    ----------
    n_points : int
        Number of values that M sees, n.
    n_coef : int
        Number of coefficients per column, m.
    """

    n_points: int
    n_coef: int
    tolerance: float = 0.0
    """The certificate below which nothing changes any more that the space resolves."""

    @abstractmethod
    def evaluate(self, coef: np.ndarray) -> np.ndarray:
        """Values at the training points, (n, t): what M sees."""

    def base(self, coef: np.ndarray) -> np.ndarray:
        """What elements remember: the values before outputs are mixed, (n, t)."""
        return self.evaluate(coef)

    def mix(self, base: np.ndarray) -> np.ndarray:
        """The values from what elements remember."""
        return base

    def readout(self, e: Element) -> np.ndarray:
        """What the loss sees at the training points, (n, t); the values, unless overridden."""
        return e.values

    def readout_of(self, e: Element, rows: np.ndarray) -> np.ndarray:
        """The readout at some of the training rows, (len(rows), t)."""
        return self.readout(e)[rows]

    @abstractmethod
    def evaluate_at(self, X, coef: np.ndarray) -> np.ndarray:
        """The readout at new points: this is ``predict``."""

    def extension(
        self, answers: np.ndarray, known: np.ndarray
    ) -> tuple[Callable, np.ndarray] | None:
        """X ↦ the readout at new points, learned from the answers at the known rows, (p, t).

        And its values at the other rows, which a graph without labels there cannot tell. None
        where :meth:`evaluate_at` says it: in every space whose functions live everywhere.
        """
        return None

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

    def penalized(self, coef: np.ndarray) -> np.ndarray:
        """P c: the coefficients without the part that ‖f‖² does not count."""
        return coef

    def unpenalized(self, coef: np.ndarray) -> np.ndarray | None:
        """The rows of c that nothing penalizes (offsets), (g, t); None where there are none."""
        return None

    def element(self, coef: np.ndarray, base: np.ndarray | None = None) -> Element:
        """The function with these coefficients, and its base where that is known."""
        return Element(self, coef, base)

    def zero(self, n_columns: int) -> Element:
        base = np.zeros((self.n_points, n_columns))
        return self.element(np.zeros((self.n_coef, n_columns)), base)

    def norm(self, a: Element) -> np.ndarray:
        """√⟨a, a⟩ of each column; rounding below zero counts as zero."""
        return np.sqrt(np.maximum(self.inner(a, a), 0.0))

    @property
    def n_rows(self) -> int:
        """Rows of the readout: the values', unless the loss sees a combination of them."""
        return self.n_points

    # What a factor can do for the equation.

    def deformed(self, operator: Operator, gamma_A: float, lam: float) -> Deformation:
        """K̃ = R (γ_A P + λΦ*MΦ)⁺ R*; by conjugate gradients where there is no system."""
        form = QuadraticForm(operator, lam)
        system = self.system(gamma_A, form) or KrylovSystem(self, gamma_A, form)
        return PlainDeformation(self, operator, gamma_A, lam, system)

    def deformations(self, operator: Operator, shifts: list[tuple[float, float]]) -> list:
        """K̃ for several pairs (γ_A, λ)."""
        return [self.deformed(operator, gamma_A, lam) for gamma_A, lam in shifts]

    def system(self, gamma_A: float, form: QuadraticForm) -> System | None:
        """γ_A P + Φ*GΦ in closed form, G = diag(w) − UUᵀ + λM; None where there is none."""
        if not form.lam and form.w is None:
            return ScaledIdentity(self, gamma_A)
        pencil = self.pencil(form, 1)
        return None if pencil is None else PencilSystem(self, pencil, gamma_A)

    def nearby(self, gamma_A: float, form: QuadraticForm) -> System | None:
        """The system of the nearest problem that has one: a preconditioner; else None."""
        return self.system(gamma_A, form)

    def user_coef(self, coef: np.ndarray) -> np.ndarray:
        """The coefficients as users know them: without offsets and mixing, (m, t)."""
        return coef

    def pencil(self, form: QuadraticForm, n_shifts: int) -> Pencil | None:
        """γ I + σ Φ*GΦ for ``n_shifts`` pairs (γ, σ) in closed form; None where there is none."""
        if self.n_coef > min(FEW_COEFFICIENTS, self.n_points):
            return None
        return DensePencil(partial(self._normal_matrix, form))

    def _normal_matrix(self, form: QuadraticForm) -> np.ndarray:
        """Φ*GΦ, (m, m)."""
        return self.represent(form.apply(self.evaluate(np.eye(self.n_coef))), 0.0)

    @property
    def gram(self) -> np.ndarray | None:
        """ΦΦ*, (n, n), where it is held; else None."""
        return None

    @property
    def free(self) -> np.ndarray | None:
        """The readouts of functions that ‖f‖² does not count, (n, g); None where it counts all."""
        return None

    @property
    def mixing(self) -> np.ndarray | None:
        """Λ of related outputs, (q, r); None where each output is a column of its own."""
        return None

    @property
    def scalar(self) -> Space:
        """The space of one output alone."""
        return self

    # The space's own kernel at new points.

    def prior(self, X, Z=None) -> np.ndarray:
        """k(x, z), the kernel of the readout, between the rows of X and of Z (or X)."""
        raise TypeError(f"{type(self).__name__} has no kernel between new points.")

    def prior_diagonal(self, X) -> np.ndarray:
        """k(x, x) at each row of X, (n,)."""
        return np.diagonal(self.prior(X)).copy()

    def sections(self, X) -> np.ndarray:
        """Φ k_x, (n, len(X)): at the training points, the functions that read out at X."""
        raise TypeError(f"{type(self).__name__} has no kernel between new points.")

    def represent_at(self, X) -> np.ndarray | None:
        """φ with ⟨φ_x, h⟩ = h(x), the coefficients of k_x, (m, len(X)), where k_x is in the space.

        None where the span of the training points does not hold it.
        """
        return None

    def diagonal_at(self, X, coef: np.ndarray) -> np.ndarray:
        """f_x(x) of one function for each row x of X, (len(X),)."""
        return np.diagonal(self.evaluate_at(X, coef)).copy()

    def resolved(self, X) -> np.ndarray | None:
        """Which share of the kernel's k(x, x) a space of chosen functions holds; None is all."""
        return None

    def kept(self, operator: Operator, gamma_A: float, lam: float, rows, precise):
        """K̃ whose factor and sections are kept (:mod:`.kept`); None where there is no such way."""
        return None

    def dual(self, coef: np.ndarray) -> np.ndarray | None:
        """d with f(x) = ⟨sections(x), d⟩ for functions spanned by the training points' sections.

        None where the coefficients are of another kind.
        """
        return None


class Element:
    """A function, column by column: its coefficients, and what was computed of it once.

    A product with K is the expensive part of every iteration. Elements remember theirs, and sums
    of elements inherit them, so that a solver pays for one product per step. What is remembered is
    the space's ``base``: the values before outputs are mixed.
    """

    __slots__ = ("_at", "_base", "_source", "_values", "coef", "space")

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
        self._base = base
        # an element whose base holds this one's, at some of its rows, and then keeps it
        self._source, self._at = source, at
        self._values: np.ndarray | None = None

    @property
    def base(self) -> np.ndarray:
        """The values before outputs are mixed, (n, t)."""
        if self._base is None:
            source = self._source
            self._base = self.space.base(self.coef) if source is None else source.base[self._at]
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
