"""The choice of a solver: the parameter ``solver=`` into a :class:`Solver`."""

from functools import partial
from typing import Any

import numpy as np

from ..linalg.quadratic_form import QuadraticForm
from ..losses import Loss
from ..problem import Problem, Progress, check_loss, no_progress, reduce
from ..spaces.exact import DIRECT_LIMIT
from ..spaces.point_systems import CLOSED_ENTRIES, CLOSED_LABELS, FEW_LABELS
from .agd import AGD
from .base import Solver
from .cg import CG
from .cutting_planes import CuttingPlanes, WorkingSet
from .direct import Direct, row_weights
from .dual import Dual
from .early_stopping import EarlyStopping
from .labeled import OnLabeled
from .newton import Newton, nearest_system, newton_direction

PAIR_LIMIT = 1000
"""The most observed entries of related outputs for which a Cholesky factor beats iterations."""

SOLVERS: dict[str, type[Solver]] = {
    "direct": Direct,
    "cg": CG,
    "newton": Newton,
    "dual": Dual,
    "agd": AGD,
    "early_stopping": EarlyStopping,
    "n-slack": CuttingPlanes,
    "1-slack": CuttingPlanes,
}

SMOOTH_TOL, KINK_TOL = 1e-8, 1e-6
"""Default certificates. With a kink, engines in float32 close the duality gap no further."""


def tolerance(tol: float | None, loss: Loss, resolved: float = 0.0) -> float:
    """``tol``, or by default 1e-8, for losses with a kink 1e-6, and at least ``resolved``."""
    return max(SMOOTH_TOL if loss.smooth else KINK_TOL, resolved) if tol is None else tol


def resolved(objective: Problem) -> float:
    """The certificate at which values on many points may stop.

    The gradient ∇(0) is zero outside the labeled rows. The penalty carries about λ of it to other
    rows, and a gradient below this share of ‖∇(0)‖ may leave those rows at zero. The certificate is
    therefore smaller where λ is small beside the weights of the labels.
    """
    heaviest, own = float(objective.w.max(initial=0.0)), objective.space.tolerance
    if own and len(objective.value(objective.start)) < objective.n_columns:
        return min(own, 1e-7)  # related outputs: at 3e-6 J was ten times its minimum
    return own * min(1.0, objective.lam / heaviest if objective.lam and heaviest else 1.0)


def choose_solver(
    solver: str | Solver,
    objective: Problem,
    tol: float | None = None,
    max_iter: int | None = None,
    progress: Progress = no_progress,
    start: WorkingSet | None = None,
) -> Solver:
    """The solver for an objective, by name or automatically.

    The table says what ``"auto"`` chooses; the first line that applies decides. A space tells
    whether it has a system in closed form, and whether its deformed kernel K̃ is factored. Exact
    spaces up to 25,000 points and spaces of at most 4,000 coefficients have both. Related outputs
    over them have both where M decouples along the output kernel. Views of Exact spaces have a
    factored K̃.

    ======================  =========================  =========================================
    loss                    the space has              ``"auto"``
    ======================  =========================  =========================================
    sums of hinges          anything                   ``dual`` on the labeled points
    structured hinge        anything                   ``n-slack`` cutting planes on the labeled
                                                       points; ``1-slack`` from 1,500 of them
    quadratic or smooth     values on > 2,000 points,  on the labeled points, from one section
                            ≤ 400 labels               of K̃ per label; where sections take
                                                       iterations ≤ 128 labels, not quadratic
    quadratic, the same     a system                   ``direct``: one factor for all columns;
                                                       on the labeled points where γ_I = 0
    rows in every column    a factored K̃, ≤ 25,000     ``direct`` on the labeled points
                            labeled entries
    quadratic, and γ_A      a system                   ``direct``, also with missing entries
    leaves functions free
    quadratic or smooth     a factored K̃; related      ``newton`` on the labeled points
                            outputs: ≤ 1,000 entries
    quadratic               otherwise                  ``cg``, preconditioned by the nearest
                                                       system where there is one
    smooth                  otherwise                  ``newton`` with conjugate gradients,
                                                       likewise preconditioned
    ======================  =========================  =========================================

    By name, ``direct``, ``cg`` and ``newton`` have no preconditioner, with one exception: values on
    the points (space="graph"), whose own metric does not contain the graph. ``early_stopping`` is
    for quadratic and smooth losses over a kernel. It computes no factor, and stops before the
    minimum, when the answers at the points no longer change.

    Parameters
    ----------
    solver : str or Solver
        "auto", a name of the table, "agd", "early_stopping", or a solver, which is returned.
    objective : Problem
    tol : float, optional
        Bound on the certificate; None is :func:`tolerance`.
    max_iter : int, optional
        None is the default of the solver.
    progress : callable, optional
    start : WorkingSet, optional
        Outputs that cutting planes begin with.
    """
    check_solver_name(solver)
    if isinstance(solver, Solver):
        return solver
    tol = tolerance(tol, objective.loss, resolved(objective))
    limit = {"max_iter": max_iter} if max_iter else {}
    common: dict[str, Any] = {"tol": tol, "progress": progress, **limit}
    if solver == "auto":
        return _automatic(objective, common, start)
    if solver.endswith("slack"):
        return CuttingPlanes(solver, start=start, **common)
    if objective.space.tolerance and solver in ("cg", "newton"):
        return _preconditioned(objective, solver, common)
    chosen = SOLVERS[solver](**common)
    reducible = {"direct": _system_less, "newton": _on_labeled}.get(solver)
    return OnLabeled(chosen) if reducible and reducible(objective) else chosen


def on_kept(
    objective: Problem,
    tol: float | None = None,
    max_iter: int | None = None,
    progress: Progress = no_progress,
) -> OnLabeled:
    """The solver for an objective whose K̃ keeps its sections: over the labeled points."""
    tol = tolerance(tol, objective.loss, resolved(objective))
    # the reduced problem has another metric, and is therefore solved to a smaller certificate
    inner = min(0.03 * tol, SMOOTH_TOL) if objective.loss.smooth else tol
    small = reduce(objective).problem
    return OnLabeled(choose_solver("auto", small, inner, max_iter, progress), tol)


def check_solver_name(solver) -> None:
    """Raise ValueError where ``solver`` is neither a Solver nor one of the names."""
    names = ("auto", *SOLVERS)
    if isinstance(solver, str) and solver == "settled":
        raise ValueError("solver='settled' is now solver='early_stopping'.")
    if not isinstance(solver, Solver) and not (isinstance(solver, str) and solver in names):
        raise ValueError(f"solver={solver!r} is unknown: give one of {names} or a Solver.")


def check_solver_loss(solver: str | Solver, loss: Loss) -> None:
    """Raise TypeError where ``solver`` does not take the loss."""
    chosen = SOLVERS.get(solver) if isinstance(solver, str) else solver
    if chosen:
        check_loss(loss, chosen)


def _automatic(objective: Problem, common: dict[str, Any], start) -> Solver:
    loss = objective.loss
    if Dual.takes(loss):
        return Dual(**common)
    if CuttingPlanes.takes(loss):
        return CuttingPlanes("auto", start=start, **common)
    if not loss.smooth:
        raise TypeError(
            f"No solver takes the loss {type(loss).__name__}: derive it from SmoothLoss "
            "(with a curvature) or DualLoss (with a conjugate)."
        )
    if _few_sections(objective):
        return on_kept(objective, **common)
    if loss.quadratic and (_same_rows(objective) or _leaves_free(objective)):
        # a system in float32 reaches the tolerance of its space and no less
        enough = common["tol"] >= objective.space.tolerance and not _sections_only(objective)
        if enough and _has_system(objective):
            return Direct(**common)
        few = len(objective.rows) <= DIRECT_LIMIT and _on_labeled(objective, DIRECT_LIMIT)
        if few and not _leaves_free(objective):
            return OnLabeled(Direct(**common))
    if _on_labeled(objective) and not _leaves_free(objective):
        return OnLabeled(Newton(**common))
    return _preconditioned(objective, "cg" if loss.quadratic else "newton", common)


def _preconditioned(objective: Problem, solver: str, common: dict[str, Any]) -> Solver:
    """CG or Newton, preconditioned by the nearest system where there is one."""
    nearby = nearest_system(objective)
    by_newton = partial(newton_direction, nearby=nearby)
    return CG(nearby=nearby, **common) if solver == "cg" else Newton(direction=by_newton, **common)


def _same_rows(objective: Problem) -> bool:
    return objective.w.shape[1] == 1


def _leaves_free(objective: Problem) -> bool:
    """Whether the ambient penalty of some functions is zero (MT at γ_M μ_j = 0)."""
    space = objective.space
    every = np.broadcast_to(space.penalty, (space.n_coef, objective.n_columns))
    counted = every[: space.n_coef - space.free.shape[1]]
    return objective.gamma_A == 0 or bool((counted == 0).all(axis=0).any())


def _has_system(objective: Problem) -> bool:
    form = QuadraticForm(objective.operator, objective.lam, row_weights(objective).max(axis=1))
    return objective.space.system(objective.gamma_A, form).direct


def _sections_only(objective: Problem) -> bool:
    """Whether there is no M, and fewer labeled rows than coefficients: their sections suffice."""
    few = len(objective.rows) < objective.space.n_coef - objective.space.free.shape[1]
    own = not (objective.lam or objective.is_reduced or _leaves_free(objective))
    return few and own and objective.deformation.factored


def _system_less(objective: Problem) -> bool:
    """Whether there is a closed form over the labeled points and none over all points."""
    return not _has_system(objective) and objective.deformation.factored and _same_rows(objective)


def _on_labeled(objective: Problem, most: int = 0) -> bool:
    """Whether K̃ is factored, and the labeled pairs of coupled outputs are few enough."""
    if not objective.deformation.factored:
        return False
    coupled = len(objective.value(objective.start)) < objective.n_columns
    observed = int(np.count_nonzero(np.broadcast_to(objective.w, objective.y.shape)))
    few = not coupled or observed <= (most or PAIR_LIMIT)
    return few or objective.deformation.gram(objective.rows).shared is not None


def _few_sections(objective: Problem) -> bool:
    """Whether one section of K̃ per label is used: values on many points, few of them labeled.

    Newton's steps on the points stop at a gradient of 1e-3. This may be far from the minimum of a
    loss that is nearly flat. With sections the minimizer takes no more time. Quadratic losses use
    them only where sections take no iterations.
    """
    loss, coarse = objective.loss, objective.space.tolerance > SMOOTH_TOL
    labels = len(objective.rows)
    most = max(FEW_LABELS, min(CLOSED_LABELS, CLOSED_ENTRIES // objective.n_rows))
    if not coarse or loss.couples or not objective.lam or labels > most:
        return False
    kept = objective.deformation.kept
    if kept and kept.in_closed_form:
        return True
    return bool(kept and labels <= FEW_LABELS and not loss.quadratic)
