"""The equation: the sum of a loss and weighted penalties over a space, and its solution.

:class:`Problem` is the only class that knows the equation. :class:`Reduced` is the same problem
over the labeled rows. Every solver returns a :class:`Solution` with its certificate.
"""

from .equation import Problem, added, manifold_problem
from .left_out import left_out
from .reduced import Reduced, reduce, require_finite
from .solution import (
    Progress,
    Solution,
    Status,
    above_rounding,
    check_loss,
    no_progress,
    relative_gap,
    status_of,
)
from .terms import NORM, Norm, Term, ambient_weight, manifold_terms, on_values

__all__ = [
    "NORM",
    "Norm",
    "Problem",
    "Progress",
    "Reduced",
    "Solution",
    "Status",
    "Term",
    "above_rounding",
    "added",
    "ambient_weight",
    "check_loss",
    "left_out",
    "manifold_problem",
    "manifold_terms",
    "no_progress",
    "on_values",
    "reduce",
    "relative_gap",
    "require_finite",
    "status_of",
]
