"""The equation, which only this file knows: the objective, its gradient, its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..losses import Loss
from ..operators import Operator
from ..spaces import Deformation, Element, Space
from ..spaces.sections import Sections
from .kept_products import known_values
from .terms import Term, ambient_weight, manifold_terms, on_values


@dataclass(frozen=True, eq=False)
class Problem:
    """J(c) = Σ_i w_i V(y_i, (Rf)(x_i)) + Σ_k weight_k ⟨f, M_k f⟩, for each column.

    V is the loss. Rf is the readout, f + b with an intercept. An estimator turns its parameters and
    data into a Problem. fit, path, compare, the search, Dask and the labeling session all use it.
    Values, gradients and certificates have one number or function per column. The columns are
    independent problems unless the loss or the metric couples them.

    Attributes
    ----------
    loss : Loss
        The loss V.
    y : array of shape (l, t)
        The targets of the labeled rows.
    w : array of shape (l, 1) or (l, t)
        The weights w ≥ 0: 1/l on labeled rows (or w_i/Σw). (l, t) has one weight per entry.
    rows : integer array of shape (l,)
        The indices of the labeled rows.
    n_rows : int
        The number n of all rows.
    space : Space
        The set of functions f.
    terms : tuple of Term
        The penalties (weight, operator, name): (γ_A, NORM), (γ_I/n², M), (γ_C/n², disagreement), ….
    is_reduced : bool
        Whether it stands for a larger problem on its labeled rows. It is then not reduced again.

    References
    ----------
    MR eqs. 4 and 8; VV eq. 11; MV eq. 4; MT eq. 2.
    """

    loss: Loss
    y: np.ndarray = field(repr=False)
    w: np.ndarray = field(repr=False)
    rows: np.ndarray = field(repr=False)
    n_rows: int
    space: Space
    terms: tuple[Term, ...]
    is_reduced: bool = False

    @classmethod
    def of(
        cls, loss: Loss, Y: np.ndarray, weights: np.ndarray, space: Space, terms: Sequence[Term]
    ) -> Problem:
        """A problem from Y, (n, t), and weights, (n, 1) or (n, t), of all rows.

        Rows of weight 0 are not read.
        """
        rows = np.flatnonzero(weights.any(axis=1))
        return cls(loss, Y[rows], weights[rows], rows, len(Y), space, tuple(terms))

    @property
    def n_columns(self) -> int:
        return self.y.shape[1]

    @property
    def gamma_A(self) -> float:
        """The weight of ‖f‖²."""
        return ambient_weight(self.terms)

    @cached_property
    def _on_values(self) -> tuple[float, Operator]:
        return on_values(self.terms, self.space.n_points)

    @property
    def lam(self) -> float:
        """The weight λ of all terms on the values, λ⟨f, M f⟩; 0 without such terms."""
        return self._on_values[0]

    @property
    def operator(self) -> Operator:
        """The operator M of all terms on the values."""
        return self._on_values[1]

    @property
    def gammas(self) -> dict[str, float]:
        """The γ of each term by its name, as the user gives it."""
        return {term.name: term.gamma(self.n_rows) for term in self.terms}

    def value(self, e: Element) -> np.ndarray:
        """J of each column, (t,)."""
        ambient = self.ambient(e)
        smooth = self.lam * self.operator.value(e.values) if self.lam else np.zeros_like(ambient)
        return added(self.empirical(e), ambient, smooth)

    def empirical(self, e: Element) -> np.ndarray:
        """Σ w V(y, f) of each column, (t,): J without its penalties."""
        return (self.w * self.loss.value(self.y, e.readout[self.rows])).sum(axis=0)

    def ambient(self, e: Element) -> np.ndarray:
        """γ_A⟨c, P c⟩ = γ_A‖f‖² of each column.

        γ_A c is computed first. c is of the order of y/γ_A, and ⟨c, c⟩ alone may underflow.
        """
        return self.space.inner(e, e.penalized(self.gamma_A))

    def gradient(self, e: Element) -> Element:
        """∇J(c) in the space's metric."""
        slope = self.w * self.loss.gradient(self.y, e.readout[self.rows])
        return self._adjoint(e, e.coef, slope)

    def curvature(self, e: Element, v: Element) -> Element:
        """The derivative of ∇J at ``e`` along ``v``. It needs a smooth loss."""
        return self._adjoint(v, v.coef, self.bend(e) * v.readout[self.rows])

    def bend(self, e: Element) -> np.ndarray:
        """w V″ at ``e``, (l, t): the curvature of the loss term, for a smooth loss."""
        return self.w * self.loss.curvature(self.y, e.readout[self.rows])

    def _adjoint(self, v: Element, coef: np.ndarray, on_rows: np.ndarray) -> Element:
        r_M: np.ndarray | float = 0.0
        if self.lam and v is not self.start:
            r_M = 2.0 * self.lam * self.operator.apply(v.values)
        r_loss = np.zeros((self.n_rows, self.n_columns))
        r_loss[self.rows] = on_rows
        pulled = self.space.represent(r_M, r_loss)
        return self.space.element(pulled + 2.0 * self.gamma_A * self.space.penalty * coef)

    @cached_property
    def deformation(self) -> Deformation:
        """K̃ of all penalties. It does not depend on the labels, and its factors are kept."""
        return self.space.deformed(self.operator, self.gamma_A, self.lam)

    def __getstate__(self) -> dict:
        """The state without parts that can be made again: the factors and the scale of the
        certificate.
        """
        made = ("deformation", "start", "scale", "_free_scale", "_on_values")
        return {name: part for name, part in vars(self).items() if name not in made}

    def relabeled(self, Y: np.ndarray, weights: np.ndarray) -> Problem:
        """The same penalties and factors with other labels and weights."""
        other = Problem.of(self.loss, Y, weights, self.space, self.terms)
        return other.with_deformation(self.deformation)

    def with_deformation(self, deformation: Deformation) -> Problem:
        """The same problem with the factors of K̃ from another problem."""
        other = replace(self)
        other.__dict__["deformation"] = deformation
        return other

    def sharing(self, other: Problem | None) -> Problem:
        """The same problem, with the factors of another problem if its penalties are the same."""
        same = other and other.space is self.space and other.terms == self.terms
        made = vars(other).get("deformation") if same else None
        return self.with_deformation(made) if made else self

    @cached_property
    def start(self) -> Element:
        """The zero function. Certificates are relative to it."""
        return Element.zero(self.space, self.n_columns)

    @cached_property
    def scale(self) -> np.ndarray:
        """‖∇(0)‖ of each column, the scale of certificates."""
        return self.gradient(self.start).norm

    @cached_property
    def _free_scale(self) -> np.ndarray:
        """``Σ_i w_i |V′(y_i, 0)|`` over the rows of each offset, (g, t): its largest slope."""
        slopes = np.zeros((self.n_rows, self.n_columns))
        slopes[self.rows] = np.abs(self._slopes_at_zero())
        return self.space.free.T @ slopes

    def _slopes_at_zero(self) -> np.ndarray:
        return self.w * self.loss.gradient(self.y, np.zeros((len(self.rows), self.n_columns)))

    @property
    def size(self) -> float:
        """``(‖∇(0)‖/Σ|w V′(y, 0)|)²``: a lower bound of the kernel's order at the labels."""
        slopes = float(np.abs(self._slopes_at_zero()).sum())
        root = float(np.linalg.norm(self.scale)) / slopes if slopes else 0.0
        return root * root  # a power of a float that overflows would raise

    def relative(self, g: Element) -> np.ndarray:
        """‖g‖ / ‖∇(0)‖ of each column. A column that zero already solves uses the largest scale of
        all.

        Offsets are also judged on a scale of their own. ‖∇(0)‖ has the scale of the kernel. One far
        row can raise it so much that any slope along a constant looks small.
        """
        scale = self.scale
        fallback = scale.max() or 1.0
        found = g.norm / np.where(scale > 1e-14 * fallback, scale, fallback)
        own = self._free_scale
        if not len(own):
            return found
        free = g.coef[-len(own) :]
        steep = np.divide(np.abs(free), own, out=np.zeros_like(free), where=own > 0).max(axis=0)
        return np.maximum(found, steep if len(steep) == len(found) else steep.max())

    def optimality(self, e: Element, kept: Sections | None = None) -> float:
        """The certificate for smooth losses: :meth:`relative` of ∇(c) in the worst column.

        ``kept`` are the sections whose combination e is.
        """
        g = self.gradient(e)
        if kept:
            g = self.space.element(g.coef, known_values(kept, self.space.gram, g.coef))
        return float(self.relative(g).max())


def manifold_problem(
    loss: Loss,
    Y: np.ndarray,
    weights: np.ndarray,
    space: Space,
    operator: Operator,
    gamma_A: float,
    gamma_I: float,
) -> Problem:
    """The problem of MR eq. 4, with the penalties γ_A ‖f‖² and (γ_I/n²) ⟨f, M f⟩."""
    terms = manifold_terms(gamma_A, gamma_I, operator, len(Y))
    return Problem.of(loss, Y, weights, space, terms)


def added(*terms: np.ndarray) -> np.ndarray:
    """The sum of terms per column. If one term couples the columns, the sum does too."""
    if len({len(term) for term in terms}) > 1:
        terms = tuple(term.sum(keepdims=True) for term in terms)
    return sum(terms[1:], start=terms[0])
