"""``lapwing report``: one page on a table, to hand on."""

import argparse
import json
from typing import Any

from ..tables.facts import facts_of
from ..tables.labeled_table import LabeledTable
from ..tables.models import TableModel
from ..tables.page import page_of
from .given import described_roles, fitted_given, quoted_file, table_given
from .output import Result, Voice, check_free, emit, plain, write_bytes


def run(arguments: argparse.Namespace) -> None:
    """Fit, ask everything, and write the report."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    problem = table_given(arguments, voice)
    model = fitted_given(problem, arguments, voice)
    facts = write_report(
        problem, model, arguments.output, arguments.seed, voice, compare=not arguments.no_compare
    )
    words = [f"wrote {arguments.output}"]
    for name, target in facts["targets"].items():
        if target["compare"]:
            words.append(f"{name}: {target['compare']['verdict']}")
    follow = f"lapwing next {quoted_file(arguments)} {described_roles(arguments)} -n 20"
    emit(Result(facts, None, words, follow), arguments, voice)


def write_report(
    problem: LabeledTable, model: TableModel, path: str, seed: int, voice: Voice, *, compare: bool
) -> dict[str, Any]:
    """Write a report as HTML, or as JSON where the file's ending says so; what it tells."""
    facts = plain(facts_of(problem, model, seed=seed, compare=compare, say=voice.doing))
    if path.lower().endswith(".json"):
        text = json.dumps(facts, indent=2, ensure_ascii=False)
    else:
        text = page_of(facts)
    write_bytes(text.encode(), path)
    return facts
