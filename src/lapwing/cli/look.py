"""``lapwing look``: what is in a table, and what would be done with each column."""

import argparse
from shlex import quote

from ..tables.columns import Column, described, plan
from ..tables.labeled_table import labeled_table
from ..tables.roles import Given
from .given import described_roles, quoted_file, read_given, roles_of
from .output import Result, Voice, emit

DONE = {
    "number": "standardized; gaps become the median",
    "yes/no": "0 and 1; gaps lie between",
    "category": "one column for each value; a change counts as in a standardized column",
    "date": "time passed; season, weekday and hour where the dates cover them twice",
    "text": "30 columns from its letters",
    "vector": "as it is, scaled as a whole",
}
LIKELY = ("label", "class", "target", "y", "category", "topic")
"""Names that a target often has."""


def run(arguments: argparse.Namespace) -> None:
    """List the columns, the labels and what is doubtful."""
    voice = Voice(arguments.quiet)
    reading = read_given(arguments, voice)
    roles = roles_of(arguments, reading.frame)
    words, labels = [], {}
    if roles.target:
        given = Given(roles, tuple(arguments.unlabeled), arguments.task, arguments.separator)
        problem = labeled_table(reading, given)
        labels, columns = problem.targets, problem.columns
        words = [f"{name}: {found}" for name, found in labels.items()] + problem.warnings
        follow = f"lapwing fill {quoted_file(arguments)} {described_roles(arguments)} -o filled.csv"
    else:
        roles.check(reading.frame)
        frame = roles.features(reading.frame)
        columns = [plan(frame[name], text=roles.text, keep=roles.keep) for name in frame.columns]
        follow = f"lapwing look {quoted_file(arguments)} --target {quote(_likely(columns))}"
    table = described(columns).drop(columns="features")
    table["what is done"] = [DONE.get(c.kind, "left out") for c in columns]
    data = {
        "file": reading.name,
        "rows": len(reading.frame),
        "said": reading.said,
        "columns": table.to_dict("records"),
        "labels": {
            name: {
                "task": found.task,
                "labeled": found.n_labeled,
                "unlabeled": found.skipped,
                "classes": found.counts,
            }
            for name, found in labels.items()
        },
        "warnings": words,
    }
    emit(Result(data, table, words, follow), arguments, voice)


def _likely(columns: list[Column]) -> str:
    """The column that looks most like a target: by its name, or few values and most gaps."""
    for column in columns:
        if column.name.lower() in LIKELY:
            return column.name
    few = [c for c in columns if c.missing and c.kind in ("category", "yes/no")]
    return max(few, key=lambda c: c.missing).name if few else "COLUMN"
