"""The rows with their labels and answers, as CSV, JSON lines or Parquet; and the log."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from ..estimators import LapRLSClassifier
from ..io import save, written_beside
from ..tables import pipeline
from ..tables.extras import need
from .history import Event
from .rows import shown
from .session import Session
from .store import Store

FORMATS = ("csv", "jsonl", "parquet")
ADDED = ("label", "prediction", "confidence", "source", "time", "annotator")
"""What is added to the columns of the file, each with ``lapwing_`` before it."""

_FIELDS = {field.name for field in fields(Event)} - {"id"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_columns(session: Session) -> dict[str, list]:
    """The file's columns and ``lapwing_label``, ``lapwing_prediction`` and so on, by file row.

    ``lapwing_source`` is ``person`` (a label given on the page), ``file`` (a label the file had),
    ``unsure``, ``model`` (no label, but a prediction) or ``none``.
    """
    with session.lock:
        rows, state = session.rows, session.state
        points = rows.point_of
        confidence = session.model.confidence()
        events = [state.event(p) for p in range(rows.n_points)]
        columns = dict(rows.columns)
        if rows.given is not None and rows.source.get("target"):
            columns[rows.source["target"]] = list(rows.given)  # as the file had it
        found: dict[str, list] = {
            "label": session.labels,
            "prediction": session.predictions,
            "confidence": [round(float(confidence[p]), 4) if session.model.codes[p] >= 0 else None
                           for p in points],
            "source": [_source(session, p) for p in points],
            "time": [None if events[p] is None else events[p].time for p in points],
            "annotator": [None if events[p] is None else events[p].annotator for p in points],
        }  # fmt: skip
        return columns | {f"lapwing_{name}": found[name] for name in ADDED}


def _source(session: Session, point: int) -> str:
    event = session.state.event(point)
    if event is None:
        return "model" if session.model.codes[point] >= 0 else "none"
    if point in session.state.unsure:
        return "unsure"
    return "file" if event.annotator == "file" else "person"


def exported(session: Session, format: str, *, guard_formulas: bool = False) -> bytes:
    """The file that is written or downloaded.

    Parameters
    ----------
    session : Session
    format : {"csv", "jsonl", "parquet"}
    guard_formulas : bool
        Put an apostrophe before cells that a spreadsheet would run as a formula; CSV only.
    """
    columns = export_columns(session)
    if format == "csv":
        return _csv(columns, guard_formulas).encode()
    if format == "jsonl":
        return "".join(_lines(columns)).encode()
    if format == "parquet":
        return _parquet(columns)
    raise ValueError(f"The format is {format!r}; expected one of {', '.join(FORMATS)}.")


def write(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write a file whole or not at all; an existing one only with ``force``."""
    if path.exists() and not force:
        raise FileExistsError(f"{path} exists already; --force writes over it.")
    with written_beside(path) as beside:
        Path(beside).write_bytes(content)


def save_model(session: Session, path: Path) -> None:
    """Save a model of the session's labels, with its settings; :func:`lapwing.io.load` reads it.

    Where the rows came from raw columns, the model takes such columns.
    """
    rows, settings = session.rows, session.model.learner.settings
    if settings is None:
        raise ValueError("There is no model yet: label rows of two classes first.")
    y = np.array(session.labels, dtype=object)
    model: Any = LapRLSClassifier(**settings)
    groups = None if rows.groups is None else rows.groups[rows.point_of]
    if rows.raw is None:
        model.fit(rows.matrix, y, groups=groups)
    else:
        text = [rows.text] if rows.text else []
        unseen = [*rows.source.get("drop", ()), *([rows.group] if rows.group else [])]
        model = pipeline(model, text=text, drop=unseen).fit(rows.raw, y, model__groups=groups)
    save(model, path, about={"rows": rows.name, "labels": session.n_labels})


def log(store: Store) -> bytes:
    """All events as JSON lines, in order: :func:`replay` makes the same session of them."""
    return "".join(
        json.dumps(asdict(e), ensure_ascii=False) + "\n" for e in store.events()
    ).encode()


def replay(lines: Iterable[str], store: Store) -> int:
    """Put the events of a log into an empty session file, as they were; returns how many."""
    return store.restore(logged(lines))


def logged(lines: Iterable[str], name: str = "The log") -> list[dict[str, Any]]:
    """The events of a log; a ValueError names the first line that is none."""
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict) or not event.keys() >= _FIELDS:
            raise ValueError(
                f"{name} is no log of events: line {number} is not one. lapwing export writes such "
                "a log as OUT.log.jsonl."
            )
        found.append(event)
    return found


def _csv(columns: dict[str, list], guard: bool) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for cells in zip(*columns.values(), strict=True):
        texts = [shown(c) for c in cells]
        writer.writerow([f"'{t}" if guard and t.startswith(_FORMULA) else t for t in texts])
    return out.getvalue()


def _lines(columns: dict[str, list]) -> Iterable[str]:
    for cells in zip(*columns.values(), strict=True):
        record = dict(zip(columns, map(_plain, cells), strict=True))
        yield json.dumps(record, ensure_ascii=False, default=str) + "\n"


def _plain(cell):
    return cell.tolist() if isinstance(cell, np.generic | np.ndarray) else cell


def _parquet(columns: dict[str, list]) -> bytes:
    arrow, parquet = need("pyarrow", "Parquet"), need("pyarrow.parquet", "Parquet")
    arrays = {}
    for name, cells in columns.items():
        try:
            arrays[name] = arrow.array(cells)
        except (arrow.ArrowInvalid, arrow.ArrowTypeError):
            arrays[name] = arrow.array([None if c is None else str(c) for c in cells])
    out = io.BytesIO()
    parquet.write_table(arrow.table(arrays), out)
    return out.getvalue()
