"""Choosing kernel, regularizer and γ's from the labeled rows."""

from .axes import Axis, search_axes
from .criterion import row_losses
from .leave_one_out import held_out, log_evidence, refitted, squared_held_out, squared_held_out_grid
from .rules import (
    AMBIENT_RULE,
    INTRINSIC_RULE,
    ambient_rule,
    in_numbers,
    intrinsic_rule,
    multiple_of_rule,
)
from .search import select
from .selection import Selection, Trial

__all__ = [
    "AMBIENT_RULE",
    "INTRINSIC_RULE",
    "Axis",
    "Selection",
    "Trial",
    "ambient_rule",
    "held_out",
    "in_numbers",
    "intrinsic_rule",
    "log_evidence",
    "multiple_of_rule",
    "refitted",
    "row_losses",
    "search_axes",
    "select",
    "squared_held_out",
    "squared_held_out_grid",
]
