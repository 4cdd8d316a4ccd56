"""Minimising the objective: each solver once, written against a space, with its certificate."""

from .agd import AGD
from .base import Solution, Solver, Status
from .cg import CG
from .choose import NAMES as SOLVER_NAMES
from .choose import OnLabelled, check_solver_loss, check_solver_name, choose_solver
from .cutting_planes import CutSolution, CuttingPlanes, WorkingSet
from .direct import Direct
from .dual import Dual
from .label_sylvester import LabelSylvester
from .newton import Newton
from .pairs import OnPairs
from .reduce import Reduced, reduce
from .spectral import SpectralSolution, smoothest_functions
from .sylvester import Sylvester
from .vector import NAMES as VECTOR_SOLVER_NAMES
from .vector import choose_vector_solver

__all__ = [
    "AGD",
    "CG",
    "SOLVER_NAMES",
    "VECTOR_SOLVER_NAMES",
    "CutSolution",
    "CuttingPlanes",
    "Direct",
    "Dual",
    "LabelSylvester",
    "Newton",
    "OnLabelled",
    "OnPairs",
    "Reduced",
    "Solution",
    "Solver",
    "SpectralSolution",
    "Status",
    "Sylvester",
    "WorkingSet",
    "check_solver_loss",
    "check_solver_name",
    "choose_solver",
    "choose_vector_solver",
    "reduce",
    "smoothest_functions",
]
