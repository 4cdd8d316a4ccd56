"""Minimising the objective: each solver once, written against a space, with its certificate."""

from .agd import AGD
from .base import Solution, Solver, Status
from .cg import CG
from .choose import check_solver_loss, check_solver_name, choose_solver, tolerance
from .cutting_planes import CutSolution, CuttingPlanes, WorkingSet
from .direct import Direct
from .dual import Dual
from .labelled import OnLabelled, Reduced, reduce
from .newton import Newton
from .spectral import SpectralSolution, smoothest_functions

__all__ = [
    "AGD",
    "CG",
    "CutSolution",
    "CuttingPlanes",
    "Direct",
    "Dual",
    "Newton",
    "OnLabelled",
    "Reduced",
    "Solution",
    "Solver",
    "SpectralSolution",
    "Status",
    "WorkingSet",
    "check_solver_loss",
    "check_solver_name",
    "choose_solver",
    "reduce",
    "smoothest_functions",
    "tolerance",
]
