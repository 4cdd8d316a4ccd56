"""``lapwing next``: which rows to label next."""

import argparse

import numpy as np

from ..tables.answers import answers_at
from ..tables.extras import need
from .given import fitted_given, problem_given
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Fit, and list the rows whose labels would help most."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    problem = problem_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    parts = []
    for name, pipeline in model.pipelines.items():
        labels = problem.targets[name]
        most = int((~labels.labeled).sum())
        voice.doing(f"{name}: ranking {most:,} rows")
        rows = np.asarray(pipeline.next_to_label(min(arguments.n, most)))
        parts.append(ranked(problem, pipeline, name, rows))
    table = need("pandas", "A table").concat(parts, ignore_index=True)
    if len(parts) == 1:
        table = table.drop(columns="target")
    words = [f"row counts from 1 after the header; label these in column {', '.join(model.pipelines)}"]
    data = {"file": problem.reading.name, "rows": table.to_dict("records")}
    follow = f"lapwing label {arguments.file} --target {arguments.target[0]}"
    emit(Result(data, table, words, follow), arguments, voice)


def ranked(problem, pipeline, name: str, rows: np.ndarray):
    """The rows with their numbers, identifiers, present answers, and columns."""
    pandas = need("pandas", "A table")
    found = answers_at(pipeline, problem.X.iloc[rows])
    first = pandas.DataFrame({"row": rows + 1, "target": name})
    roles = problem.given.roles
    for column in roles.id:
        first[column] = problem.reading.frame[column].iloc[rows].to_numpy()
    for column, values in found.columns().items():
        first[column] = values
    for column in problem.X.columns:
        if column not in roles.vector and column != "vector":
            first[column] = problem.X[column].iloc[rows].to_numpy()
    return first
