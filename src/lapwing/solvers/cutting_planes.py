"""Cutting planes: the structured model on the labeled points, with its duality gap."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..losses import DualLoss, StructuredHinge
from ..parameters.checks import check_option
from ..problem import (
    Problem,
    Progress,
    Solution,
    Status,
    check_loss,
    no_progress,
    relative_gap,
    status_of,
)
from ..spaces import Element, LabeledKernel
from .base import Solver
from .cuts import Cuts, ExampleCuts, JointCuts, WorkingSet
from .dual import Dual

PATIENCE = 50
"""Rounds after which the gap must have fallen by a thousandth. Where rounding allows no more, it
stays the same to all digits."""


@dataclass(frozen=True)
class CutSolution(Solution):
    """A solution with the parts that a similar problem can start from.

    Attributes
    ----------
    working_set : WorkingSet or None
        The active outputs (n-slack).
    slack : array of shape (l,)
        ξ_i of the labeled rows. Their weighted mean bounds the empirical risk.
    primal, dual : float
        P and D of the duality gap.
    """

    working_set: WorkingSet | None = field(default=None, repr=False)
    slack: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)
    primal: float = 0.0
    dual: float = 0.0


@dataclass
class _Best:
    """The best primal point and dual bound so far."""

    G: np.ndarray
    primal: float
    dual: float = 0.0

    def gap(self, origin: float) -> float:
        return relative_gap(self.primal, self.dual, origin)


@dataclass(eq=False)
class CuttingPlanes(Solver):
    """min Σ w_i ξ_i + γ_A‖f‖² over the deformed space, with one constraint per violated output.

    Each round has two parts. The dual SO (9), restricted to the outputs found so far, is a small
    quadratic program; it is solved to a certified gap. The oracle of the output structure then
    finds the most violating output of every labeled row. The rounds end when the relative duality
    gap |P − D|/max(P, P(0)) of the *full* problem is below ``tol``. The oracle gives P. The
    restricted dual gives D, because its solution is feasible for the full dual. With one slack for
    all, each round adds a second cut, halfway to the best point so far. The rounds also end where
    the gap stays the same, or rounding makes it negative.

    Parameters
    ----------
    slack : {"auto", "n-slack", "1-slack"}, default="auto"
        One slack per example, or one for all. "auto" takes one for all from 1,500 labeled rows on.
    tol : float, default=1e-6
        Bound on the relative duality gap.
    max_iter : int, default=1000
        The most rounds.
    progress : callable, optional
        Called with (round, gap).
    start : WorkingSet, optional
        Outputs to start from (n-slack), such as those of a solve with other γ.

    References
    ----------
    SO (6)–(10); Tsochantaridis, Joachims, Hofmann, Altun 2005; Joachims, Finley, Yu 2009; Franc,
    Sonnenburg 2009 for cuts near the best point.
    """

    requires = StructuredHinge

    slack: str = "auto"
    tol: float = 1e-6
    max_iter: int = 1000
    progress: Progress = no_progress
    start: WorkingSet | None = None

    def without(self, gone: np.ndarray, found: Solution) -> "CuttingPlanes":
        """The solver that starts from the outputs found for the other rows."""
        assert isinstance(found, CutSolution)
        start = found.working_set and found.working_set.without(gone)
        return CuttingPlanes(self.slack, self.tol, self.max_iter, self.progress, start)

    def solve(self, objective: Problem, start: Element | None = None) -> CutSolution:
        check_loss(objective.loss, self)
        loss: Any = objective.loss
        flips = loss.separated() if self.slack == "auto" else None
        if flips:
            return self._label_by_label(objective, flips)
        kernel = objective.deformation.gram(objective.rows)
        cuts = self._cuts(objective, kernel)
        origin = float(objective.w[:, 0] @ loss.outputs.worst_loss(objective.y))
        best = _Best(np.zeros_like(objective.y), origin)
        status, history = Status.MAX_ITER, list[float]()
        accuracy, finest, loosest = 0.1 * self.tol, 1e-3 * self.tol, 0.002
        G = best.G if cuts.m == 0 else self._restricted(cuts, best, accuracy)
        for n_iter in range(1, self.max_iter + 1):
            F, worst, xi = self._separate(objective, kernel, G, best)
            history.append(best.gap(origin))
            self.progress(n_iter, history[-1])
            if history[-1] <= self.tol:
                status = Status.CONVERGED
                break
            # if rounding has crossed them, one can only grow, and the other only fall
            idle = len(history) > PATIENCE and history[-1] > 0.999 * history[-PATIENCE]
            if idle or best.dual > best.primal:
                status = Status.STALLED
                break
            new = cuts.add(worst, xi, F)
            if cuts.joint:  # one more cut, halfway to the best point: fewer rounds
                F, worst, xi = self._separate(objective, kernel, 0.5 * (best.G + G), best)
                new += cuts.add(worst, xi, F)
            if new:
                # The program needs no more accuracy than its cuts are complete. But without
                # progress the accuracy must rise, or the same cuts would return every round.
                if len(history) > 1 and history[-1] > 0.9 * history[-2]:
                    loosest = max(finest, 0.3 * loosest)
                accuracy = min(loosest, max(0.1 * self.tol, 0.02 * history[-1]))
            elif accuracy > finest:
                accuracy = max(finest, 0.01 * accuracy)
            else:
                status = Status.STALLED
                break
            G = self._restricted(cuts, best, accuracy)
            cuts.prune()
        return self._solution(objective, kernel, cuts, best, origin, status, history)

    def _label_by_label(self, objective: Problem, loss: DualLoss) -> CutSolution:
        """A loss that is a sum over the columns needs no cuts: each column has its own dual."""
        apart = replace(objective, loss=loss).with_deformation(objective.deformation)
        found = Dual(tol=self.tol, progress=self.progress).solve(apart)
        element = objective.space.element(found.coef)
        primal = float(objective.value(element).sum())
        gap = found.optimality * max(primal, float(objective.value(objective.start).sum()))
        return CutSolution(
            coef=found.coef, status=found.status, n_iter=found.n_iter,
            optimality=found.optimality, history=found.history,
            slack=objective.loss.value(objective.y, element.readout[objective.rows])[:, 0],
            primal=primal, dual=primal - gap,
        )  # fmt: skip

    def _cuts(self, objective: Problem, kernel: LabeledKernel, many: int = 1_500) -> Cuts:
        check_option("slack", self.slack, ("auto", "n-slack", "1-slack"))
        y, w = objective.y, objective.w[:, 0]
        joint = self.slack == "1-slack" or (self.slack == "auto" and len(y) >= many)
        if joint:
            return JointCuts(kernel, objective.loss, y, w)
        cuts = ExampleCuts(kernel, objective.loss, y, w)
        if self.start and len(self.start.row):
            cuts.extend(self.start.row, self.start.output)
        return cuts

    def _restricted(self, cuts: Cuts, best: _Best, accuracy: float) -> np.ndarray:
        result = cuts.solve(accuracy)
        best.dual = max(best.dual, result.value)
        return cuts.combine(result.x)

    def _separate(self, objective, kernel, G, best: _Best):
        """F = K̃G/2 at the labeled rows, the most violating outputs, and their slacks: gives P."""
        F = 0.5 * kernel.apply(G)
        worst, xi = objective.loss.outputs.separate(F, objective.y, objective.loss.rescaling)
        primal = float(objective.w[:, 0] @ xi + 0.5 * np.vdot(G, F))
        if primal < best.primal:
            best.G, best.primal = G, primal
        return F, worst, xi

    def _solution(self, objective, kernel, cuts, best, origin, status, history) -> CutSolution:
        coef = kernel.lift(0.5 * best.G)
        element = objective.space.element(coef)
        # The certificate takes P over all n points, with the coefficients that predict uses.
        best.primal = float(objective.value(element).sum())
        optimality = best.gap(origin)
        if status is Status.CONVERGED:
            status = status_of(optimality, 2.0 * self.tol)
        return CutSolution(
            coef=coef, status=status, n_iter=len(history), optimality=optimality,
            history=[*history, optimality], working_set=cuts.working_set(),
            slack=objective.loss.value(objective.y, element.readout[objective.rows])[:, 0],
            primal=best.primal, dual=best.dual,
        )  # fmt: skip
