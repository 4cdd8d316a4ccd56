"""The equation, the only place that knows it: what a fit minimizes, and how near it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..losses import Loss
from ..operators import Operator
from ..spaces import Deformation, Element, Space
from .terms import Term, ambient_weight, manifold_terms, on_values


@dataclass(frozen=True, eq=False)
class Problem:
    """J(c) = Σ_i w_i V(y_i, (Rf)(x_i)) + Σ_k weight_k ⟨f, M_k f⟩, column by column.

    An estimator compiles its parameters and data into one; fit, path, compare, the search, Dask
    and the labeling session pass it around. Values, gradients and certificates are one number or
    function per column; the columns are independent problems unless the loss or the metric
    couples them.

    Attributes
    ----------
    loss : Loss
    y : array of shape (l, t)
        Targets of the rows that count.
    w : array of shape (l, 1) or (l, t)
        w ≥ 0: 1/l on labeled rows (or w_i/Σw); entry by entry if (l, t).
    rows : integer array of shape (l,)
        Which rows count.
    n_rows : int
        n.
    space : Space
    terms : tuple of Term
        (weight, operator, name): (γ_A, NORM), (γ_I/n², M), (γ_C/n², disagreement), ….
    is_reduced : bool
        Whether it stands for a larger problem, where the labels are: it is not reduced again.

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
        """From Y, (n, t), and weights, (n, 1) or (n, t), of all rows: those of weight 0 are not
        read."""
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
        """λ of all terms on the values, λ⟨f, M f⟩; 0 where there is none."""
        return self._on_values[0]

    @property
    def operator(self) -> Operator:
        """M of all terms on the values."""
        return self._on_values[1]

    @property
    def gammas(self) -> dict[str, float]:
        """The γ of each term by its name, as people type them."""
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
        """γ_A⟨c, P c⟩ of each column: γ_A‖f‖².

        γ_A c first: c is of the order of y/γ_A, and ⟨c, c⟩ alone may vanish below all floats.
        """
        return self.space.inner(e, e.penalized(self.gamma_A))

    def gradient(self, e: Element) -> Element:
        """∇J(c) in the space's metric."""
        slope = self.w * self.loss.gradient(self.y, e.readout[self.rows])
        return self._adjoint(e, e.coef, slope)

    def curvature(self, e: Element, v: Element) -> Element:
        """The derivative of ∇J at ``e`` along ``v``; needs a smooth loss."""
        return self._adjoint(v, v.coef, self.bend(e) * v.readout[self.rows])

    def bend(self, e: Element) -> np.ndarray:
        """w V″ at ``e``, (l, t): the curvature of the empirical term, for a smooth loss."""
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
        """K̃ of all penalties: it does not depend on the labels, and its factors are kept."""
        return self.space.deformed(self.operator, self.gamma_A, self.lam)

    def __getstate__(self) -> dict:
        """Without what can be made again: the factors, and the scale of the certificate."""
        made = ("deformation", "start", "scale", "_free_scale", "_on_values")
        return {name: part for name, part in vars(self).items() if name not in made}

    def relabeled(self, Y: np.ndarray, weights: np.ndarray) -> Problem:
        """The same penalties, and the same factors, with other labels and weights."""
        other = Problem.of(self.loss, Y, weights, self.space, self.terms)
        return other.with_deformation(self.deformation)

    def with_deformation(self, deformation: Deformation) -> Problem:
        """The same problem with the factors of K̃ that another one has made."""
        other = replace(self)
        other.__dict__["deformation"] = deformation
        return other

    def sharing(self, other: Problem | None) -> Problem:
        """The same problem, with the factors of another one whose penalties are the same."""
        same = other and other.space is self.space and other.terms == self.terms
        made = vars(other).get("deformation") if same else None
        return self.with_deformation(made) if made else self

    @cached_property
    def start(self) -> Element:
        """The zero function, where certificates are measured from."""
        return Element.zero(self.space, self.n_columns)

    @cached_property
    def scale(self) -> np.ndarray:
        """‖∇(0)‖ of each column, what certificates are measured by."""
        return self.gradient(self.start).norm

    @cached_property
    def _free_scale(self) -> np.ndarray:
        """Σ_i w_i |V′(y_i, 0)| over the rows of each offset, (g, t): what its slope can be."""
        slopes = np.zeros((self.n_rows, self.n_columns))
        slopes[self.rows] = np.abs(self._slopes_at_zero())
        return self.space.free.T @ slopes

    def _slopes_at_zero(self) -> np.ndarray:
        return self.w * self.loss.gradient(self.y, np.zeros((len(self.rows), self.n_columns)))

    @property
    def size(self) -> float:
        """(‖∇(0)‖/Σ|w V′(y, 0)|)²: of the kernel's order at the labels, from below."""
        slopes = float(np.abs(self._slopes_at_zero()).sum())
        root = float(np.linalg.norm(self.scale)) / slopes if slopes else 0.0
        return root * root  # a power of a float that overflows would raise

    def relative(self, g: Element) -> np.ndarray:
        """‖g‖ / ‖∇(0)‖ of each column; a column that zero already solves counts against all.

        Offsets are also judged on a scale of their own: that of ‖∇(0)‖ is the kernel's, which one
        far point can raise so high that any slope along a constant looks small beside it.
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

    def optimality(self, e: Element) -> float:
        """The certificate for smooth losses: :meth:`relative` of ∇(c), the worst column."""
        return float(self.relative(self.gradient(e)).max())


def manifold_problem(
    loss: Loss,
    Y: np.ndarray,
    weights: np.ndarray,
    space: Space,
    operator: Operator,
    gamma_A: float,
    gamma_I: float,
) -> Problem:
    """MR eq. 4: γ_A ‖f‖² and (γ_I/n²) ⟨f, M f⟩."""
    terms = manifold_terms(gamma_A, gamma_I, operator, len(Y))
    return Problem.of(loss, Y, weights, space, terms)


def added(*terms: np.ndarray) -> np.ndarray:
    """Sum of per-column terms; where one of them couples the columns, so does the sum."""
    if len({len(term) for term in terms}) > 1:
        terms = tuple(term.sum(keepdims=True) for term in terms)
    return sum(terms[1:], start=terms[0])
