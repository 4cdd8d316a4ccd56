"""Which solver a problem gets, and the whole table of reasons."""

from __future__ import annotations

import copy
from typing import Any

import scipy.sparse as sp

from ..losses import DualLoss, Loss, QuadraticLoss, SmoothLoss
from ..objective import Objective
from ..spaces import Element, Exact, Features, Views, WithIntrinsic, core_of
from .base import Progress, Solution, Solver, Status, no_progress
from .cg import CG
from .direct import Direct
from .dual import Dual
from .newton import Newton
from .reduce import reduce

DIRECT_LIMIT = 12_000
"""Points up to which one LU factor beats conjugate gradients at the default γ's."""

FEATURE_LIMIT = 4_000
"""Dense features up to which their normal equations are formed."""

TIGHTENINGS = 3
"""How often a reduced problem is solved on where the whole problem's certificate is missed."""

NAMES: tuple[str, ...] = ("auto", "direct", "cg", "newton", "dual")


class OnLabelled(Solver):
    """Reduce to the labelled points, solve there, lift: any smooth loss at the price of one LU.

    The certificate is that of the whole problem. Its metric is not the reduced problem's, so
    where it misses the tolerance the reduced problem is solved on, that much more tightly.

    Parameters
    ----------
    solver : Newton or Direct
        What solves the reduced problem; its ``tol`` is the bound on the certificate.
    """

    requires = SmoothLoss

    def __init__(self, solver: Newton | Direct):
        self.solver = solver

    def solve(self, objective: Objective, start: Element | None = None) -> Solution:
        self.check(objective)
        reduced = reduce(objective)
        solver, n_iter, at = copy.copy(self.solver), 0, None
        history: list[float] = []
        for _ in range(1 + TIGHTENINGS):
            found = solver.solve(reduced.objective, at)
            coef = reduced.lift(found.coef)
            optimality = objective.optimality(objective.space.element(coef))
            n_iter += found.n_iter
            history += [*found.history[len(history) > 0 : -1], optimality]
            if optimality <= self.solver.tol or found.status is not Status.CONVERGED:
                break
            solver.tol *= 0.3 * self.solver.tol / optimality
            at = reduced.objective.space.element(found.coef)
        return Solution(coef, self._status(found, optimality), n_iter, optimality, history)

    def _status(self, found: Solution, optimality: float) -> Status:
        if optimality <= self.solver.tol:
            return Status.CONVERGED
        return Status.STALLED if found.status is Status.CONVERGED else found.status


def choose_solver(
    solver: str | Solver,
    objective: Objective,
    tol: float = 1e-8,
    max_iter: int | None = None,
    progress: Progress = no_progress,
) -> Solver:
    """The solver for an objective, by name or automatically.

    ========================  =======================  =====================================
    loss                      space                    ``"auto"``
    ========================  =======================  =====================================
    quadratic, same rows      Exact, n ≤ 12,000        ``direct``: one LU factor (float32,
    observed in all columns                            refined) for all columns
    quadratic, entries        Exact, n ≤ 12,000        ``newton`` on the labelled points: one
    missing one by one                                 LU factor, one Cholesky per column
    quadratic, same rows      dense features, at       ``direct``: one Cholesky factor of the
    observed in all columns   most 4,000               features' order
    quadratic                 any other                ``cg`` in the space's metric
    smooth                    Exact, n ≤ 12,000        ``newton`` on the labelled points
    smooth                    any other                ``newton`` with conjugate gradients
    any                       Views of Exact spaces    as for Exact, on the labelled points
    hinge, ε-insensitive      any                      ``dual``: libsvm on the labelled points
    ========================  =======================  =====================================
    """
    check_solver_name(solver)
    if isinstance(solver, Solver):
        return solver
    name = _automatic(objective) if solver == "auto" else solver
    limit: dict[str, Any] = {} if max_iter is None else {"max_iter": max_iter}
    if name == "direct":
        direct = Direct(tol, progress)
        return OnLabelled(direct) if _has_views(objective) else direct
    if name == "cg":
        return CG(tol, progress=progress, **limit)
    if name == "dual":
        return Dual(max(tol, 1e-6), progress=progress, **limit)
    newton = Newton(tol, progress=progress, **limit)
    return OnLabelled(newton) if _factorable(objective) else newton


def check_solver_name(solver, names: tuple[str, ...] = NAMES) -> None:
    """An error where a solver is neither a Solver nor among the names."""
    if not isinstance(solver, Solver) and not (isinstance(solver, str) and solver in names):
        raise ValueError(f"solver={solver!r} is unknown: give one of {names} or a Solver.")


def check_solver_loss(solver: str | Solver, loss: Loss) -> None:
    """An error where a solver, given or named, does not take the loss."""
    kinds: dict = {"direct": Direct, "cg": CG, "newton": Newton, "dual": Dual}
    chosen = kinds.get(solver) if isinstance(solver, str) else solver
    if chosen is not None:
        chosen.check_loss(loss)


def _automatic(objective: Objective) -> str:
    loss = objective.loss
    if isinstance(loss, DualLoss):
        return "dual"
    if isinstance(loss, QuadraticLoss):
        uniform = objective.w.shape[1] == 1
        if _factorable(objective):
            return "direct" if uniform else "newton"
        return "direct" if uniform and _few_features(objective) else "cg"
    if isinstance(loss, SmoothLoss):
        return "newton"
    raise TypeError(
        f"No solver takes the loss {type(loss).__name__}: derive it from SmoothLoss (with a "
        "curvature) or DualLoss (with a conjugate)."
    )


def _factorable(objective: Objective) -> bool:
    """Exact, and few enough points for one LU factor of that order."""
    core = core_of(objective.space)[0]
    core = core.views if isinstance(core, WithIntrinsic) else core
    parts = core.spaces if isinstance(core, Views) else [core]
    return all(isinstance(part, Exact) and part.n_points <= DIRECT_LIMIT for part in parts)


def _has_views(objective: Objective) -> bool:
    return isinstance(core_of(objective.space)[0], Views | WithIntrinsic)


def _few_features(objective: Objective) -> bool:
    core = core_of(objective.space)[0]
    return isinstance(core, Features) and not sp.issparse(core.Z) and core.n_coef <= FEATURE_LIMIT
