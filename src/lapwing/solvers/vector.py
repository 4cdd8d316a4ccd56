"""Which solver a vector-valued problem gets, and the whole table of reasons."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..losses import DualLoss, QuadraticLoss, SmoothLoss
from ..objective import Objective
from ..regularizers import TensorOperator
from ..spaces import Exact, Features, Separable, core_of
from .base import Progress, Solver, no_progress
from .cg import CG
from .choose import DIRECT_LIMIT, FEATURE_LIMIT, check_solver_name
from .newton import Newton
from .pairs import OnPairs
from .preconditioner import PreconditionedDirection, RowPreconditioner
from .sylvester import Sylvester

PAIR_LIMIT = 1000
"""Observed entries up to which their Cholesky factor is as quick as conjugate gradients."""

NAMES: tuple[str, ...] = ("auto", "sylvester", "pairs", "cg", "newton")


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
    quadratic, same rows       one k·Q over Exact        ``sylvester``: one factorisation
    observed in every output   (n ≤ 12,000) or dense
                               features (≤ 4,000), M on
                               the rows only
    smooth, at most 1,000      one k·Q over Exact, M on  ``pairs``: Newton over the observed
    observed entries           the rows only             entries
    quadratic                  one k·Q over Exact,       ``cg``, preconditioned by the nearest
                               n ≤ 12,000                problem that ``sylvester`` solves
    smooth                     as above                  ``newton``, likewise preconditioned
    quadratic                  any other                 ``cg`` in the space's metric
    smooth                     any other                 ``newton`` with conjugate gradients
    hinge, ε-insensitive       any                       ``pairs``: interior points over the
                                                         observed entries
    =========================  ========================  ====================================
    """
    if isinstance(solver, Solver):
        return solver
    check_solver_name(solver, NAMES)
    name = _automatic(objective) if solver == "auto" else solver
    limit: dict[str, Any] = {} if max_iter is None else {"max_iter": max_iter}
    help_it = solver == "auto" and preconditionable(objective)
    if name == "sylvester":
        return Sylvester(tol, progress)
    if name == "pairs":
        return OnPairs(tol, progress=progress, **limit)
    if name == "cg":
        preconditioner = RowPreconditioner if help_it else None
        return CG(tol, progress=progress, preconditioner=preconditioner, **limit)
    direction = PreconditionedDirection() if help_it else None
    return Newton(tol, progress=progress, direction=direction, **limit)


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
    if quadratic and objective.w.shape[1] == 1 and (reducible(objective) or _few(objective)):
        return "sylvester"
    if reducible(objective):
        pairs = np.count_nonzero(np.broadcast_to(objective.w, objective.y.shape))
        if pairs <= PAIR_LIMIT:
            return "pairs"
    return "cg" if quadratic else "newton"


def _few(objective: Objective) -> bool:
    """One separable kernel over few dense features, and M on the rows only."""
    core = core_of(objective.space)[0]
    scalar = core.space if isinstance(core, Separable) else None
    if not isinstance(scalar, Features) or isinstance(objective.operator, TensorOperator):
        return False
    return not sp.issparse(scalar.Z) and scalar.n_coef <= FEATURE_LIMIT


def reducible(objective: Objective) -> bool:
    """One separable kernel over a Gram matrix that can be factored, and M on the rows only."""
    return preconditionable(objective) and not isinstance(objective.operator, TensorOperator)


def preconditionable(objective: Objective) -> bool:
    """One separable kernel over a Gram matrix that can be factored."""
    core = core_of(objective.space)[0]
    return (
        isinstance(core, Separable)
        and isinstance(core.space, Exact)
        and core.n_points <= DIRECT_LIMIT
    )
