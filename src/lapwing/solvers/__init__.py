"""Minimising the objective: each solver once, written against a space, with its certificate."""

from .base import Solution, Solver, Status
from .cg import CG
from .choose import OnLabelled, choose_solver
from .direct import Direct
from .dual import Dual
from .newton import Newton
from .reduce import Reduced, reduce
from .spectral import SpectralSolution, smoothest_functions

__all__ = [
    "CG",
    "Direct",
    "Dual",
    "Newton",
    "OnLabelled",
    "Reduced",
    "Solution",
    "Solver",
    "SpectralSolution",
    "Status",
    "choose_solver",
    "reduce",
    "smoothest_functions",
]
