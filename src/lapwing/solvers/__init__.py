"""Minimising the objective: each solver once, written against a space, with its certificate."""

from .base import Solution, Solver, Status
from .cg import CG
from .choose import OnLabelled, choose_solver
from .cutting_planes import CutSolution, CuttingPlanes, WorkingSet
from .direct import Direct
from .dual import Dual
from .newton import Newton
from .reduce import Reduced, reduce
from .spectral import SpectralSolution, smoothest_functions

__all__ = [
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
    "choose_solver",
    "reduce",
    "smoothest_functions",
]
