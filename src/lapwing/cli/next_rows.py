"""``lapwing next``: which rows to label next."""

import argparse

from ..tables.extras import need
from ..tables.rows import rows_to_label
from .given import fitted_given, problem_given, quoted_file
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Fit, and list the rows whose labels would help most."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    problem = problem_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    voice.doing("ranking the unlabeled rows")
    parts = [rows_to_label(problem, p, name, arguments.n) for name, p in model.pipelines.items()]
    table = need("pandas", "A table").concat(parts, ignore_index=True)
    if len(parts) == 1:
        table = table.drop(columns="target")
    targets = ", ".join(model.pipelines)
    words = [f"row counts from 1 after the header; label these rows in column {targets}"]
    data = {"file": problem.reading.name, "rows": table.to_dict("records")}
    follow = f"lapwing label {quoted_file(arguments)} --target {arguments.target[0]}"
    emit(Result(data, table, words, follow), arguments, voice)
