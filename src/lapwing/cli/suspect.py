"""``lapwing suspect``: labels that the other labels contradict."""

import argparse

from ..tables.extras import need
from ..tables.rows import suspect_rows
from .given import described_roles, fitted_given, quoted_file, table_given
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Fit, and list the labels that look wrong, the worst first."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    problem = table_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    parts = [suspect_rows(problem, pipeline, name) for name, pipeline in model.pipelines.items()]
    table = need("pandas", "A table").concat(parts, ignore_index=True)
    if len(parts) == 1:
        table = table.drop(columns="target")
    labeled = sum(labels.n_labeled for labels in problem.targets.values())
    words = [f"{len(table)} of {labeled} labels are contradicted by the others"]
    if len(table):
        words[0] += "; a contradicted label is not always wrong: look at the row"
    data = {"file": problem.reading.name, "rows": table.to_dict("records")}
    follow = f"lapwing next {quoted_file(arguments)} {described_roles(arguments)} -n 20"
    emit(Result(data, table, words, follow), arguments, voice)
