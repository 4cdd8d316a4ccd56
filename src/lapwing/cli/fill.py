"""``lapwing fill``: answer the unlabeled rows of a table."""

import argparse
from typing import Any

import numpy as np

from ..tables.answers import Answers, answers_of_training, joined
from ..tables.columns import PREFIX
from ..tables.errors import Errors, unseen_errors
from ..tables.labels import Labels
from ..tables.models import save_model
from .given import described_roles, fitted_given, quoted_file, table_given
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Fit, answer, and write the table with columns added."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    check_free(arguments.model, arguments.force)
    problem = table_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    several, added, words, summary = len(model.pipelines) > 1, [], [], {}
    for name, pipeline in model.pipelines.items():
        labels = problem.targets[name]
        found = answers_of_training(pipeline, model.encoded)
        suffix = f"_{name}" if several else ""
        columns = found.columns(
            suffix, proba=arguments.proba, abstain=arguments.abstain,
            separator=problem.given.separator or ";",
        )  # fmt: skip
        added.append(with_labels(columns, labels, suffix, problem.given.separator or ";"))
        errors = unseen_errors(pipeline[-1], labels)
        words += said(name, labels, found, errors, arguments.abstain)
        summary[name] = {"answered": int((~labels.labeled).sum()), "errors": errors.as_dict()}
    if arguments.model:
        save_model(model, arguments.model)
        words.append(f"wrote {arguments.model}")
    table = joined(problem.reading.as_written(), *added)
    data = {"file": problem.reading.name, "targets": summary}
    if not arguments.output:
        data["rows"] = joined(table[[]], *added).to_dict("records")
    follow = f"lapwing report {quoted_file(arguments)} {described_roles(arguments)} -o report.html"
    emit(Result(data, table, words, follow, problem.reading.dialect), arguments, voice)


def with_labels(
    columns: dict[str, Any], labels: Labels, suffix: str, separator: str
) -> dict[str, Any]:
    """The columns with the labels that were given, and a column that says which these are."""
    given = labels.labeled
    out = {}
    for name, values in columns.items():
        if name == f"{PREFIX}prediction{suffix}":
            held = np.array(list(values), dtype=float if labels.task == "real" else object)
            held[given] = [
                separator.join(v) if isinstance(v, tuple) else v for v in labels.y[given]
            ]
        else:
            held = np.array(list(values), dtype=float)
            held[given] = np.nan
        out[name] = held
    out[f"{PREFIX}source{suffix}"] = np.where(given, "label", "model")
    return out


def said(
    name: str, labels: Labels, found: Answers, errors: Errors, abstain: float | None
) -> list[str]:
    """What a person should know of the answers."""
    open_rows = ~labels.labeled
    out = [f"{name}: {int(open_rows.sum()):,} rows answered; {errors}, by {errors.how}"]
    if found.confidence is not None and open_rows.any():
        sure = found.confidence[open_rows]
        text = f"{name}: confidence {np.mean(sure):.2f} on average"
        if abstain is not None:
            text += f"; {int((sure < abstain).sum()):,} rows below {abstain:g} are left empty"
        out.append(text)
    return out
