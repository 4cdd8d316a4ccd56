"""Open a session for a file, and write what came of it."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..tables import TableError
from .export import FORMATS, exported, log, logged, save_model, write
from .rows import Rows
from .session import Session
from .sources import SESSION, Source, demo_rows, read_rows, recorded_source, session_path
from .store import Store


def open_session(
    data: str | None = None,
    *,
    demo: bool = False,
    target: str | None = None,
    text: str | None = None,
    image: str | None = None,
    vector: str | None = None,
    drop: tuple[str, ...] = (),
    group: str | None = None,
    classes: tuple[str, ...] = (),
    session: Path | None = None,
    log: Path | None = None,
    annotator: str | None = None,
) -> tuple[Session, list[str]]:
    """A session for a file, new or continued, and what a person should know.

    Parameters
    ----------
    data : str, optional
        The data file, a folder of images, or a ``.lapwing`` session.
    demo : bool
        Digits instead of a file; the labels are kept in memory unless ``session`` is given.
    target, text, image, vector, drop, group : optional
        Roles of columns, as in :class:`lapwing.label.sources.Source`.
    classes : tuple of str
        Classes to begin with.
    session : Path, optional
        The session file; None is beside the data file.
    log : Path, optional
        Events to begin a new session with.
    annotator : str, optional

    Returns
    -------
    Session
    list of str
    """
    if demo and data is not None:
        raise ValueError(f"Either {data} or --demo: the demo labels digits of its own.")
    events = [] if log is None else _log(log)
    if demo:
        rows, names = demo_rows()
        store = Store(session)
        if log is not None:
            store.restore(events)
        said = ["digits: 1,797 images of 8 × 8 pixels"]
        said += [] if session else ["the demo's labels are kept in memory (--session FILE saves)"]
        return Session(rows, store, classes=[*names, *classes], annotator=annotator), said
    if data is None:
        raise ValueError("Which file? lapwing label FILE, or lapwing label --demo.")
    path = Path(data)
    if not path.exists():
        raise TableError(f"There is no file {path}.")
    if path.suffix == SESSION:
        return _continued(path, classes, annotator)
    source = Source(str(path), target, text, image, vector, drop, group)
    place = session or session_path(path)
    if not place.exists():
        read_rows(source)  # a file that cannot be read leaves no session behind
    store = Store(place)
    try:
        if log is not None:
            store.restore(events)
        return _over(store, source.with_roles_of(store), classes, annotator)
    except BaseException:
        store.close()
        raise


def _log(path: Path) -> list[dict[str, Any]]:
    """The events of a log file, read before a session is made."""
    if not path.is_file():
        raise TableError(f"There is no log {path}.")
    with path.open(encoding="utf-8", errors="replace") as lines:
        return logged(lines, str(path))


def _continued(path: Path, classes, annotator) -> tuple[Session, list[str]]:
    store = Store(path)
    try:
        return _over(store, recorded_source(store, path.resolve().parent), classes, annotator)
    except BaseException:
        store.close()
        raise


def _over(store: Store, source: Source, classes, annotator) -> tuple[Session, list[str]]:
    before = store.history.current("file").get("")
    rows, said = read_rows(source, store)
    if before is not None and before.new["sha256"] != rows.fingerprint:
        said.append("the file has changed since the last time; its rows were matched again")
    made = Session(rows, store, classes=classes, annotator=annotator)
    said.append(f"{made.n_labels:,} labels in {store.path}")
    if made.state.strangers:
        said.append(
            f"labels of rows that are not in the file now: {made.state.strangers:,}; they are "
            "kept, and come back with the rows"
        )
    return made, said


def export_session(
    session: Path,
    out: Path,
    *,
    data: str | None = None,
    model: bool = True,
    guard_formulas: bool = False,
    force: bool = False,
) -> list[Path]:
    """Write a session's rows, model and log; returns the files.

    Parameters
    ----------
    session : Path
        A ``.lapwing`` file.
    out : Path
        The table; its ending says the format.
    data : str, optional
        The data file, where it is not where it was.
    model : bool
        Fit a model, add its predictions, and save it beside.
    guard_formulas, force : bool
    """
    if not session.exists():
        raise TableError(f"There is no session {session}.")
    format = out.suffix.lower().lstrip(".")
    if format not in FORMATS:
        raise TableError(f"{out} ends in none of {', '.join('.' + f for f in FORMATS)}.")
    files = [out, out.with_name(out.name + ".log.jsonl"), out.with_name(out.name + ".model")]
    for path in files:
        if path.exists() and not force:
            raise FileExistsError(f"{path} exists already; --force writes over it.")
    rows, events = _rows_and_events(session, data)
    store = Store(None)
    store.restore(events)
    made = Session(rows, store)
    fitted = made.renew(choose=True) if model else None
    written = files[:2]
    write(out, exported(made, format, guard_formulas=guard_formulas), force=force)
    write(files[1], log(store), force=force)
    if fitted is not None:
        save_model(made, files[2])
        written = files
    return written


def _rows_and_events(session: Path, data: str | None) -> tuple[Rows, list[dict[str, Any]]]:
    store = Store(session, read_only=True)
    try:
        source = recorded_source(store, session.resolve().parent)
        source = source if data is None else replace(source, path=data)
        return read_rows(source, store)[0], [asdict(event) for event in store.events()]
    finally:
        store.close()
