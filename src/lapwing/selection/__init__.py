"""Choose the kernel, the regularizer and the weights γ from the labeled rows."""

from .axes import search_axes
from .candidates import AXES, Axis
from .leave_one_out import held_out, held_out_grid, in_turn, log_evidence, pieces, refitted
from .losses import Judge, alike, class_judge, output_judge, real_judge, tell
from .rules import (
    AMBIENT_RULE,
    INTRINSIC_RULE,
    ambient_rule,
    in_numbers,
    intrinsic_rule,
    multiple_of_rule,
    vanishes,
)
from .sample import Sample, sampled_rows
from .search import select
from .selection import Selection, Trial

__all__ = [
    "AMBIENT_RULE",
    "AXES",
    "INTRINSIC_RULE",
    "Axis",
    "Judge",
    "Sample",
    "Selection",
    "Trial",
    "alike",
    "ambient_rule",
    "class_judge",
    "held_out",
    "held_out_grid",
    "in_numbers",
    "in_turn",
    "intrinsic_rule",
    "log_evidence",
    "multiple_of_rule",
    "output_judge",
    "pieces",
    "real_judge",
    "refitted",
    "sampled_rows",
    "search_axes",
    "select",
    "tell",
    "vanishes",
]
