"""The equation: the only class that knows how loss, space and regularizer add up."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .losses import Loss
from .operators import Operator
from .spaces import Deformation, Element, Space


class Objective:
    """J(c) = Σ_i w_i V(y_i, (Rf)(x_i)) + γ_A ⟨c, P c⟩ + (γ_I/n²) ⟨f, M f⟩, column by column.

    Values, gradients and certificates are one number or function per column; the columns are
    independent problems unless the loss or the metric couples them.

    Parameters
    ----------
    loss : Loss
    Y : array of shape (n, t)
        Targets; rows of weight 0 are not read.
    weights : array of shape (n, 1) or (n, t)
        w ≥ 0: 1/l on labelled rows (or w_i/Σw), 0 on unlabelled ones; entry by entry if (n, t).
    space : Space
    operator : Operator
        M, over ``space.evaluate(c)``.
    gamma_A, gamma_I : float

    References
    ----------
    MR eqs. 4 and 8; VV eq. 11.
    """

    def __init__(
        self,
        loss: Loss,
        Y: np.ndarray,
        weights: np.ndarray,
        space: Space,
        operator: Operator,
        gamma_A: float,
        gamma_I: float,
    ):
        self.loss = loss
        self.space = space
        self.operator = operator
        self.gamma_A = gamma_A
        self.lam = gamma_I / Y.shape[0] ** 2
        self.n_rows, self.n_columns = Y.shape
        self.rows = np.flatnonzero(weights.any(axis=1))
        self.y = Y[self.rows]
        self.w = weights[self.rows]

    def value(self, e: Element) -> np.ndarray:
        """J of each column, (t,)."""
        fit = (self.w * self.loss.value(self.y, e.readout[self.rows])).sum(axis=0)
        ambient = self.gamma_A * self.ambient(e)
        smooth = self.lam * self.operator.value(e.values) if self.lam else np.zeros_like(ambient)
        return added(fit, ambient, smooth)

    def ambient(self, e: Element) -> np.ndarray:
        """⟨c, P c⟩ of each column, ‖f‖²."""
        return self.space.inner(e, self.space.element(self.space.penalized(e.coef)))

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
        r_M = 2.0 * self.lam * self.operator.apply(v.values) if self.lam else 0.0
        r_loss = np.zeros((self.n_rows, self.n_columns))
        r_loss[self.rows] = on_rows
        pulled = self.space.represent(r_M, r_loss)
        return self.space.element(pulled + 2.0 * self.gamma_A * self.space.penalized(coef))

    @cached_property
    def deformation(self) -> Deformation:
        """K̃ of both penalties: it does not depend on the labels, and its factors are kept."""
        return self.space.deformed(self.operator, self.gamma_A, self.lam)

    def __getstate__(self) -> dict:
        """Without what can be made again: the factors, and the scale of the certificate."""
        made = ("deformation", "start", "_scale", "_free_scale")
        return {name: part for name, part in vars(self).items() if name not in made}

    def relabelled(self, Y: np.ndarray, weights: np.ndarray) -> Objective:
        """The same penalties, and the same factors, with other labels and weights."""
        gamma_I = self.lam * self.n_rows**2
        other = Objective(self.loss, Y, weights, self.space, self.operator, self.gamma_A, gamma_I)
        other.deformation = self.deformation
        return other

    @cached_property
    def start(self) -> Element:
        """The zero function, where certificates are measured from."""
        return self.space.zero(self.n_columns)

    @cached_property
    def _scale(self) -> np.ndarray:
        """‖∇(0)‖ of each column."""
        return self.space.norm(self.gradient(self.start))

    @cached_property
    def _free_scale(self) -> np.ndarray | None:
        """Σ_i w_i |V′(y_i, 0)| over the rows of each offset, (g, t): what its slope can be."""
        if self.space.free is None:
            return None
        slopes = np.zeros((self.n_rows, self.n_columns))
        at_zero = self.loss.gradient(self.y, np.zeros((len(self.rows), self.n_columns)))
        slopes[self.rows] = np.abs(self.w * at_zero)
        return self.space.unpenalized(self.space.represent(0.0, slopes))

    def relative(self, g: Element) -> np.ndarray:
        """‖g‖ / ‖∇(0)‖ of each column; a column that zero already solves counts against all.

        Offsets are also judged on a scale of their own: that of ‖∇(0)‖ is the kernel's, which one
        far point can raise so high that any slope along a constant looks small beside it.
        """
        scale = self._scale
        fallback = scale.max() or 1.0
        found = self.space.norm(g) / np.where(scale > 1e-14 * fallback, scale, fallback)
        free, own = self.space.unpenalized(g.coef), self._free_scale
        if free is None or own is None:
            return found
        steep = np.divide(np.abs(free), own, out=np.zeros_like(free), where=own > 0).max(axis=0)
        return np.maximum(found, steep if len(steep) == len(found) else steep.max())

    def optimality(self, e: Element) -> float:
        """The certificate for smooth losses: :meth:`relative` of ∇(c), the worst column."""
        return float(self.relative(self.gradient(e)).max())


def added(*terms: np.ndarray) -> np.ndarray:
    """Sum of per-column terms; where one of them couples the columns, so does the sum."""
    if len({len(term) for term in terms}) > 1:
        terms = tuple(term.sum(keepdims=True) for term in terms)
    return sum(terms[1:], start=terms[0])
