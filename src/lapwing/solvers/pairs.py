"""A vector-valued problem over its observed pairs (row, output): any loss, any missing entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..kernels import Precomputed
from ..linalg.memory import require_bytes
from ..losses import DualLoss, Loss
from ..objective import Objective
from ..regularizers import ZeroOperator
from ..spaces import Element, Exact, Space, core_of
from ..spaces.with_offsets import WithOffsets
from .base import Progress, Solution, Solver, Status, no_progress
from .box import BoxQP
from .deformation import Deformation, deformation_of
from .newton import DAMPING, Newton, shifted_solve


@dataclass(frozen=True)
class Pairs:
    """The same problem over the P observed pairs, and the way back.

    By the representer theorem of the deformed space the minimiser is Σ_p β_p K̃(·, x_p) e_p,
    p = (row, output): what is left is one column of P points without an intrinsic penalty.

    Attributes
    ----------
    objective : Objective
        Over the P × P Gram matrix; the outputs' constants are offsets.
    row, output : integer arrays of shape (P,)
    """

    objective: Objective
    row: np.ndarray
    output: np.ndarray
    deformation: Deformation
    shape: tuple[int, int]

    @classmethod
    def of(cls, whole: Objective) -> Pairs:
        weights = np.broadcast_to(whole.w, whole.y.shape)
        at, output = np.nonzero(weights)
        row = whole.rows[at]
        require_bytes(
            4 * 8 * len(row) ** 2,
            f"The {len(row)} observed (row, output) pairs of this problem",
            "Use a smooth loss with solver='newton', which works on the points instead.",
        )
        deformation = deformation_of(whole)
        space: Space = Exact(deformation.gram(row, output), Precomputed(), None)
        if core_of(whole.space)[1]:
            space = WithOffsets(space, output, whole.n_columns)
        small = Objective(
            whole.loss,
            whole.y[at, output][:, None],
            weights[at, output][:, None],
            space,
            ZeroOperator(len(row)),
            whole.gamma_A,
            0.0,
        )
        return cls(small, row, output, deformation, (whole.n_rows, whole.n_columns))

    def lift(self, coef: np.ndarray) -> np.ndarray:
        """Coefficients in the original space, (m, q), the intercepts as one more row."""
        n_pairs, R = len(self.row), np.zeros(self.shape)
        R[self.row, self.output] = coef[:n_pairs, 0]
        A = self.deformation.lift(R)
        return np.vstack([A, coef[n_pairs:].T]) if len(coef) > n_pairs else A


class OnPairs(Solver):
    """Reduce to the observed pairs, solve there, lift.

    Smooth losses by Newton's method with a Cholesky factor over the pairs; hinge and
    ε-insensitive by an interior-point method. The certificate is that of the whole problem.

    Parameters
    ----------
    tol : float, default=1e-8
    max_iter : int, default=100
    progress : callable, optional
    """

    requires = Loss

    def __init__(self, tol: float = 1e-8, max_iter: int = 100, progress: Progress = no_progress):
        self.tol = tol
        self.max_iter = max_iter
        self.progress = progress

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        pairs = Pairs.of(objective)
        if isinstance(objective.loss, DualLoss):
            return self._dual(objective, pairs)
        # a little closer than asked for: what lifting rounds must not spoil the certificate
        newton = Newton(0.1 * self.tol, self.max_iter, self.progress, pair_direction)
        found = newton.solve(pairs.objective)
        coef = pairs.lift(found.coef)
        optimality = objective.optimality(objective.space.element(coef))
        return self._solution(coef, found, optimality, self.tol)

    def _dual(self, objective: Objective, pairs: Pairs) -> Solution:
        tol = max(self.tol, 1e-7)
        qp = BoxQP(pairs.objective, 0.5 * tol, self.max_iter, self.progress)
        found = qp.solve()
        coef = pairs.lift(found.coef)
        primal = float(objective.value(objective.space.element(coef)).sum())
        origin = float(objective.value(objective.start).sum())
        optimality = max(0.0, primal - qp.dual_value(found.coef)) / (max(primal, origin) or 1.0)
        return self._solution(coef, found, optimality, tol)

    @staticmethod
    def _solution(coef, found: Solution, optimality: float, tol: float) -> Solution:
        """What was found, judged by the certificate of the whole problem."""
        status = Status.CONVERGED if optimality <= tol else found.status
        if optimality > tol and found.status is Status.CONVERGED:
            status = Status.STALLED
        return Solution(coef, status, found.n_iter, optimality, [*found.history, optimality])


def pair_direction(objective: Objective, e: Element, g: Element, forcing: float) -> Element:
    """2γ d + h∘(K̃ d + E δ) = −g and Eᵀ(h∘(K̃ d + E δ)) = −g_b, with h = w V″ over the pairs."""
    space, two_gamma = objective.space, 2.0 * objective.gamma_A
    offsets = isinstance(space, WithOffsets)
    K = space.space.gram if offsets else space.gram  # type: ignore[attr-defined]
    n = len(K)
    h = (objective.w * objective.loss.curvature(objective.y, e.readout))[:, 0]  # type: ignore[attr-defined]
    r = -g.coef[:n]
    if not offsets:
        return space.element(shifted_solve(K, h, two_gamma, r))
    E = space.membership  # type: ignore[attr-defined]
    x = shifted_solve(K, h, two_gamma, np.hstack([r, h[:, None] * E]))
    # hK̃x(v) = v − 2γx(v) turns the offsets' equations into ones without cancellation
    freedom = two_gamma * E.T @ x[:, 1:] + DAMPING * np.eye(E.shape[1])
    slack = -g.coef[n:] - E.T @ r + two_gamma * E.T @ x[:, :1]
    delta = scipy.linalg.lstsq(freedom, slack, cond=1e-14)[0]
    return space.element(np.vstack([x[:, :1] - x[:, 1:] @ delta, delta]))
