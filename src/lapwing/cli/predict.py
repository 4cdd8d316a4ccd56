"""``lapwing predict``: answer new rows with a kept model."""

import argparse
from typing import Any

from ..tables.answers import answers_at, joined
from ..tables.models import TableModel, load_model
from ..types import Frame
from .given import read_given, table_for
from .output import Result, Voice, check_free, emit


def run(arguments: argparse.Namespace) -> None:
    """Read the model and the rows, answer, and write the table with columns added."""
    voice = Voice(arguments.quiet)
    check_free(arguments.output, arguments.force)
    voice.doing(f"reading {arguments.model}")
    model = load_model(arguments.model)
    reading = read_given(arguments, voice)
    frame = table_for(model, reading, arguments.vector)
    several, added = len(model.pipelines) > 1, []
    voice.doing(f"answering {len(frame):,} rows")
    for name, pipeline in model.pipelines.items():
        found = answers_at(pipeline, frame)
        added.append(
            found.columns(
                f"_{name}" if several else "",
                proba=arguments.proba,
                abstain=arguments.abstain,
                separator=model.about.get("separator") or ";",
            )
        )
    words = [f"{len(frame):,} rows answered"]
    new = new_columns(model, frame)
    if new:
        words.append(f"columns that the model does not know and does not use: {', '.join(new)}")
    table = joined(reading.as_written(), *added)
    data: dict[str, Any] = {"file": reading.name, "model": arguments.model, "answered": len(frame)}
    if not arguments.output:
        data["rows"] = joined(table[[]], *added).to_dict("records")
    targets = ",".join(model.pipelines)
    follow = f"lapwing evaluate {arguments.model} TEST.csv --target {targets}"
    emit(Result(data, table, words, follow, reading.dialect), arguments, voice)


def new_columns(model: TableModel, frame: Frame) -> list[str]:
    """Columns that neither the fit nor its roles have heard of."""
    roles = model.about.get("roles", {})
    aside = {*model.pipelines, *roles.get("id", ()), *roles.get("drop", ()), roles.get("group")}
    known = {
        column.name for pipeline in model.pipelines.values() for column in pipeline[0].columns_
    }
    return [name for name in frame.columns if name not in known | aside]
