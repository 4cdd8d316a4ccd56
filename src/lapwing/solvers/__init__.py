"""Minimising the objective: each solver once, written against a space, with its certificate."""

from .agd import AGD
from .base import Solution, Solver, Status
from .cg import CG
from .choose import OnLabelled, check_solver_choice, choose_solver
from .direct import Direct
from .dual import Dual
from .label_sylvester import LabelSylvester
from .newton import Newton
from .pairs import OnPairs
from .reduce import Reduced, reduce
from .spectral import SpectralSolution, smoothest_functions
from .sylvester import Sylvester
from .vector import check_vector_solver_choice, choose_vector_solver

__all__ = [
    "AGD",
    "CG",
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
    "check_solver_choice",
    "check_vector_solver_choice",
    "choose_solver",
    "choose_vector_solver",
    "reduce",
    "smoothest_functions",
]
