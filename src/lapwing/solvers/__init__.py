"""Solvers: each minimizes the objective in any space, and returns a certificate with its answer."""

from ..problem import Reduced, Solution, Status, reduce
from .agd import AGD
from .base import Solver
from .cg import CG
from .choose import check_solver_loss, check_solver_name, choose_solver, on_kept, tolerance
from .cutting_planes import CutSolution, CuttingPlanes, WorkingSet
from .direct import Direct
from .dual import Dual
from .early_stopping import EarlyStopping
from .labeled import OnLabeled
from .newton import Newton
from .spectral import SpectralSolution, smoothest_functions

__all__ = [
    "AGD",
    "CG",
    "CutSolution",
    "CuttingPlanes",
    "Direct",
    "Dual",
    "EarlyStopping",
    "Newton",
    "OnLabeled",
    "Reduced",
    "Solution",
    "Solver",
    "SpectralSolution",
    "Status",
    "WorkingSet",
    "check_solver_loss",
    "check_solver_name",
    "choose_solver",
    "on_kept",
    "reduce",
    "smoothest_functions",
    "tolerance",
]
