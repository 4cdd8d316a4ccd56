"""The nearest problem that has a closed form, as a preconditioner for those that have none."""

from __future__ import annotations

import numpy as np

from ..linalg.pencil import ReducedPencil
from ..losses import SmoothLoss
from ..objective import Objective
from ..regularizers import TensorOperator
from ..spaces import Element, Exact, Separable, core_of
from .krylov import conjugate_gradient
from .newton import damped
from .sylvester import SylvesterSystem, output_directions

LEAST_CURVATURE = 0.1


class RowPreconditioner:
    """r ↦ P⁻¹ r, P the second derivative with each row's weights replaced by their mean.

    Where entries are missing one by one, or the loss curves differently at each, the outputs do
    not separate. With w̄_i = mean_j w_ij V″_ij/2 they do: P is the Sylvester equation with
    G = diag(w̄) − w̄w̄ᵀ/Σw̄ + λM, factored once. M_out is replaced by its mean eigenvalue.

    Parameters
    ----------
    objective : Objective
        A smooth loss over one separable kernel with its Gram matrix.
    """

    def __init__(self, objective: Objective):
        core, self._intercept = core_of(objective.space)
        assert isinstance(core, Separable) and isinstance(core.space, Exact)
        self._space = objective.space
        self._gamma_A = objective.gamma_A
        M, lam = objective.operator, objective.lam
        if isinstance(objective.operator, TensorOperator):
            M = objective.operator.rows
            lam *= float(np.mean(np.diagonal(objective.operator.outputs)))
        w = row_weights(objective)
        none = np.zeros((len(w), 1))
        self._system = SylvesterSystem(core.space, M, lam, w, none, self._intercept)
        self._pencil = ReducedPencil(core.space.gram, self._system.form)
        self._sigma, self._V = output_directions(core.Q)

    def __call__(self, r: Element) -> Element:
        R = 0.5 * (r.coef[:-1] if self._intercept else r.coef)
        w, total = self._system.w, self._system.w.sum()
        if self._intercept:
            R = R - np.outer(w, 0.5 * r.coef[-1] / total)
        gamma = np.full(len(self._sigma), self._gamma_A)
        a, f = self._pencil.unrefined(gamma, self._sigma, R @ self._V)
        A = a @ self._V.T
        if not self._intercept:
            return Element(self._space, A)
        b = (0.5 * r.coef[-1] - w @ f @ self._V.T) / total
        return Element(self._space, np.vstack([A, b]))


def row_weights(objective: Objective) -> np.ndarray:
    """w̄_i = mean_j w_ij V″/2, (n,), with the loss's mean curvature at the start."""
    assert isinstance(objective.loss, SmoothLoss)
    at_zero = objective.loss.curvature(objective.y, np.zeros_like(objective.y))
    curvature = max(float(np.mean(at_zero)), LEAST_CURVATURE)
    w = np.zeros(objective.n_rows)
    w[objective.rows] = 0.5 * curvature * objective.w.mean(axis=1)
    return w


class PreconditionedDirection:
    """Newton's direction by preconditioned conjugate gradients; factored at the first step."""

    def __init__(self) -> None:
        self._preconditioner: RowPreconditioner | None = None

    def __call__(self, objective: Objective, e: Element, g: Element, forcing: float) -> Element:
        if self._preconditioner is None:
            self._preconditioner = RowPreconditioner(objective)
        return conjugate_gradient(
            objective.space,
            lambda v: damped(objective, e, v),
            Element(objective.space, -g.coef),
            tol=forcing * objective.space.norm(g),
            max_iter=max(1000, objective.n_rows),
            precondition=self._preconditioner,
        ).x
