"""Which solver a vector-valued problem gets, and the whole table of reasons."""

from __future__ import annotations

import numpy as np

from ..losses import DualLoss, QuadraticLoss, SmoothLoss
from ..objective import Objective
from ..regularizers import TensorOperator
from ..spaces import Exact, Separable, core_of
from .base import Progress, Solver, no_progress
from .cg import CG
from .choose import DIRECT_LIMIT
from .newton import Newton
from .pairs import OnPairs
from .sylvester import Sylvester

PAIR_LIMIT = 3000
"""Observed (row, output) pairs up to which their Cholesky factor beats conjugate gradients."""

NAMES = ("auto", "sylvester", "pairs", "cg", "newton")


def check_vector_solver_choice(solver: str | Solver) -> None:
    """The error of :func:`choose_vector_solver` for an unknown name."""
    if not isinstance(solver, Solver) and solver not in NAMES:
        raise ValueError(f"solver={solver!r} is unknown: give one of {NAMES} or a Solver.")


def choose_vector_solver(
    solver: str | Solver,
    objective: Objective,
    tol: float = 1e-8,
    max_iter: int | None = None,
    progress: Progress = no_progress,
) -> Solver:
    """The solver for an objective over a vector-valued space, by name or automatically.

    =========================  ========================  ====================================
    loss                       kernel and M              ``"auto"``
    =========================  ========================  ====================================
    quadratic, same rows       one k·Q over Exact,       ``sylvester``: one factorisation
    observed in every output   M on the rows only,
                               n ≤ 12,000
    smooth, at most 3,000      as above                  ``pairs``: Newton over the observed
    observed entries                                     entries
    quadratic                  any other                 ``cg`` in the space's metric
    smooth                     any other                 ``newton`` with conjugate gradients
    hinge, ε-insensitive       any                       ``pairs``: interior points over the
                                                         observed entries
    =========================  ========================  ====================================
    """
    check_vector_solver_choice(solver)
    if isinstance(solver, Solver):
        return solver
    name = _automatic(objective) if solver == "auto" else solver
    limit = {} if max_iter is None else {"max_iter": max_iter}
    if name == "sylvester":
        return Sylvester(tol, progress)
    if name == "pairs":
        return OnPairs(tol, progress=progress, **limit)
    if name == "cg":
        return CG(tol, progress=progress, **limit)
    return Newton(tol, progress=progress, **limit)


def _automatic(objective: Objective) -> str:
    loss = objective.loss
    if isinstance(loss, DualLoss):
        return "pairs"
    if not isinstance(loss, SmoothLoss):
        raise TypeError(
            f"No solver takes the loss {type(loss).__name__}: derive it from SmoothLoss (with a "
            "curvature) or DualLoss (with a conjugate)."
        )
    quadratic = isinstance(loss, QuadraticLoss)
    if reducible(objective):
        if quadratic and objective.w.shape[1] == 1:
            return "sylvester"
        pairs = np.count_nonzero(np.broadcast_to(objective.w, objective.y.shape))
        if pairs <= PAIR_LIMIT:
            return "pairs"
    return "cg" if quadratic else "newton"


def reducible(objective: Objective) -> bool:
    """One separable kernel over a Gram matrix that can be factored, and M on the rows only."""
    core = core_of(objective.space)[0]
    return (
        isinstance(core, Separable)
        and isinstance(core.space, Exact)
        and core.n_points <= DIRECT_LIMIT
        and not isinstance(objective.operator, TensorOperator)
    )
