"""``lapwing next``: which rows to label next."""

import argparse
from shlex import quote

from ..tables.extras import need
from ..tables.labeled_table import LabeledTable
from ..tables.rows import rows_to_label
from .given import described_roles, fitted_given, quoted_file, table_given
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Fit, and list the rows whose labels would help most."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    problem = table_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    voice.doing("ranking the unlabeled rows")
    parts = [rows_to_label(problem, p, name, arguments.n) for name, p in model.pipelines.items()]
    table = need("pandas", "A table").concat(parts, ignore_index=True)
    if len(parts) == 1:
        table = table.drop(columns="target")
    targets = ", ".join(model.pipelines)
    words = [f"row counts from 1 after the header; label these rows in column {targets}"]
    data = {"file": problem.reading.name, "rows": table.to_dict("records")}
    follow = f"lapwing fill {quoted_file(arguments)} {described_roles(arguments)} -o filled.csv"
    if [labels.task for labels in problem.targets.values()] == ["class"]:
        follow = label_command(problem, arguments)
    emit(Result(data, table, words, follow), arguments, voice)


def label_command(problem: LabeledTable, arguments: argparse.Namespace) -> str:
    """The page for the same target, without the columns that the problem leaves out."""
    roles = problem.given.roles
    seen = [*problem.X.columns, *roles.target]
    unseen = [name for name in problem.reading.frame.columns if name not in seen]
    words = ["lapwing label", quoted_file(arguments), "--target", quote(*roles.target)]
    words += ["--text", quote(roles.text[0])] if roles.text else []
    words += ["--drop", quote(",".join(unseen))] if unseen else []
    return " ".join(words)
