"""From n points to the labelled ones: any convex loss is plain regularisation over K̃."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..kernels import Precomputed
from ..linalg.memory import require_bytes
from ..losses import Loss
from ..objective import Objective
from ..operators import ZeroOperator
from ..spaces import Element, Exact, Space, WithOffsets
from .base import Solution, Solver, Status, status_of

TIGHTENINGS = 3
"""How often a reduced problem is solved on where the whole problem's certificate is missed."""


@dataclass(frozen=True)
class Reduced:
    """The same problem where the labels are, and the way back.

    Attributes
    ----------
    objective : Objective
        Over the Gram matrix of K̃ at the l labelled rows, or at the observed pairs (row, output) as
        one column; its γ_A is 1 and its M zero.
    lift : callable
        Coefficients of the small problem ↦ those of the whole one.
    source : integer array
        Which labelled row each row of the small problem is of.
    """

    objective: Objective
    lift: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    source: np.ndarray = field(repr=False)

    @property
    def gram(self) -> np.ndarray:
        """K̃, (l, l) or (P, P)."""
        gram = self.objective.space.gram
        assert gram is not None
        return gram

    def begin(self, whole: Objective, e: Element) -> Element:
        """Where to start from a function e of the whole problem: β = −½ w V′(y, f), and its b.

        That is exact at a minimiser, and moves little with the γ's, unlike e's coefficients.
        """
        small, weights = self.objective, np.broadcast_to(whole.w, whole.y.shape)
        beta = -0.5 * weights * whole.loss.gradient(whole.y, e.readout[whole.rows])
        pairs = small.y.shape != whole.y.shape
        if pairs:
            beta = beta[np.nonzero(weights)][:, None]
        g = (small.space.n_coef - len(beta)) // (whole.n_columns if pairs else 1)
        b = e.coef[len(e.coef) - g :]
        return small.space.element(np.vstack([beta, b.reshape(-1, beta.shape[1])]))


def reduce(objective: Objective) -> Reduced:
    """The minimiser is Σ β_i K̃(·, x_i) over what is labelled, whatever the loss (MR §4.4, eq. 10).

    One factorisation of order n (or one batch of conjugate gradients) gives K̃; everything else
    then costs l² and l³. Where K̃ couples the outputs, what is labelled are pairs (row, output).
    """
    kernel = objective.deformation.gram(objective.rows)
    gram, l = kernel.shared, len(objective.rows)
    if gram is not None:
        require_finite(gram)
        small = _small(objective.loss, objective.y, objective.w, gram, kernel.free)
        return Reduced(small, lambda coef: kernel.lift(coef[:l], coef[l:]), np.arange(l))
    weights = np.broadcast_to(objective.w, objective.y.shape)
    i, output = np.nonzero(weights)
    P, q = len(i), objective.n_columns
    require_bytes(
        4 * 8 * P**2,
        f"The {P} observed (row, output) pairs of this problem",
        "Use a smooth loss with solver='newton', which works on the points instead.",
    )
    free = kernel.free_pairs(i, output, q)
    targets, w = objective.y[i, output][:, None], weights[i, output][:, None]

    def lift(coef: np.ndarray) -> np.ndarray:
        G = np.zeros((l, q))
        G[i, output] = coef[:P, 0]
        return kernel.lift(G, coef[P:].reshape(-1, q))

    pairs = require_finite(kernel.pairs(i, output))
    return Reduced(_small(objective.loss.at(output), targets, w, pairs, free), lift, i)


def require_finite(gram: np.ndarray) -> np.ndarray:
    """K̃ itself; one clear error where rounding has left no number of it."""
    if not np.isfinite(gram).all():
        raise ValueError(
            "The deformed kernel is not finite: gamma_I outweighs gamma_A by more than float "
            "arithmetic can hold. Raise gamma_A or lower gamma_I."
        )
    return gram


def _small(loss: Loss, y, w, gram: np.ndarray, free: np.ndarray | None) -> Objective:
    space: Space = Exact(gram, Precomputed(), None)
    space = space if free is None else WithOffsets(space, free)
    return Objective(loss, y, w, space, ZeroOperator(len(gram)), 1.0, 0.0)


class OnLabelled(Solver):
    """Reduce to the labelled points, solve there, lift: any loss at the price of one factor.

    The certificate is that of the whole problem. Its metric is not the reduced problem's, so
    where it misses the tolerance the reduced problem is solved on, that much more tightly.

    Parameters
    ----------
    solver : Newton or Direct
        What solves the reduced problem; its ``tol`` is the bound on the certificate.
    """

    requires = Loss

    def __init__(self, solver: Solver):
        self.solver = solver

    def check(self, objective: Objective) -> None:
        self.solver.check(objective)

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        reduced = reduce(objective)
        solver, n_iter = copy.copy(self.solver), 0
        at = None if start is None else reduced.begin(objective, start)
        tol: float = solver.tol
        history: list[float] = []
        for _ in range(1 + TIGHTENINGS):
            found = solver.solve(reduced.objective, at)
            coef = reduced.lift(found.coef)
            optimality = objective.optimality(objective.space.element(coef))
            n_iter += found.n_iter
            history += [*found.history[len(history) > 0 : -1], optimality]
            if optimality <= tol or found.status is not Status.CONVERGED:
                break
            solver.tol *= 0.3 * tol / optimality
            at = reduced.objective.space.element(found.coef)
        status = status_of(optimality, tol, found.status is Status.MAX_ITER)
        return Solution(coef, status, n_iter, optimality, history)
