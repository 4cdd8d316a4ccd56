"""The session file: an append-only list of events in SQLite.

A call returns only after COMMIT, so what was answered is on the disk. Several processes may use
one file: each reads what the others wrote before it writes.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from . import schema
from .errors import SessionFileError, explain
from .history import Change, Event, History

_COLUMNS = "uid, time, annotator, kind, subject, old, new, batch, action, of, settings"
_INSERT = f"INSERT INTO event ({_COLUMNS}) VALUES ({', '.join('?' * 11)})"


class Store:
    """Events in a file, and their sum.

    Parameters
    ----------
    path : Path or None
        The session file; it is created where there is none. None keeps the events in memory.
    read_only : bool
        Open an existing file without writing to it.
    wait : float
        Seconds to wait for another program that holds the file.

    Attributes
    ----------
    history : History
        The sum of the events that were read so far.

    Raises
    ------
    SessionFileError
        One sentence: damaged, locked, read-only, newer than this version, not a session.

    Examples
    --------
    >>> store = Store(None)
    >>> events = store.append([Change("label", "row-1", 2)], annotator="me")
    >>> store.history.value("label", "row-1")
    2
    >>> events = store.undo(annotator="me")
    >>> store.history.value("label", "row-1") is None
    True
    """

    def __init__(self, path: Path | None, *, read_only: bool = False, wait: float = 5.0):
        self.path = path
        self.history = History()
        self._lock = RLock()
        self._unread: list[Event] = []
        with self._explained():
            self._connection = self._connect(read_only, wait)
            try:
                self._prepare(read_only)
                self.refresh()
            except BaseException:
                self._connection.close()
                raise

    def append(
        self, changes: Sequence[Change], *, annotator: str, action: str = "do"
    ) -> list[Event]:
        """Make the changes as one batch; returns the events once they are on the disk.

        Changes to the value that a subject already has are left out.
        """
        return self._write(lambda: (self._news(changes), action, None), annotator)

    def undo(self, *, annotator: str) -> list[Event]:
        """Take the last batch back; an empty list where there is none."""

        def plan():
            of = self.history.undoable[-1] if self.history.undoable else None
            return (self.history.reverse(of) if of else []), "undo", of

        return self._write(plan, annotator)

    def redo(self, *, annotator: str) -> list[Event]:
        """Make the batch again that was undone last; an empty list where there is none."""

        def plan():
            of = self.history.redoable[-1] if self.history.redoable else None
            return (self.history.again(of) if of else []), "redo", of

        return self._write(plan, annotator)

    def refresh(self) -> list[Event]:
        """Read what other processes wrote since the last look."""
        with self._lock, self._explained():
            return [*self.unread(), *self._look()]

    def unread(self) -> list[Event]:
        """What other processes wrote and a write of ours came upon, each event once."""
        with self._lock:
            found, self._unread = self._unread, []
            return found

    def events(self) -> Iterator[Event]:
        """All events, in order."""
        with self._lock, self._explained():
            yield from self._read(0)

    def restore(self, events: Sequence[dict[str, Any]]) -> int:
        """Put the events of another session's log into this empty one; returns how many."""
        if self.history.last:
            raise SessionFileError(f"{self.path} holds events already: a log needs a new session.")
        with self._lock, self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(_INSERT, map(_fields, events))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            return len(self.refresh())

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()

    def _connect(self, read_only: bool, wait: float) -> sqlite3.Connection:
        if self.path is None:
            name, uri = ":memory:", False
        else:
            mode = "ro" if read_only else "rwc"
            name, uri = f"{self.path.resolve().as_uri()}?mode={mode}", True
        return sqlite3.connect(
            name, uri=uri, timeout=wait, isolation_level=None, check_same_thread=False
        )

    def _prepare(self, read_only: bool) -> None:
        connection = self._connection
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not empty or read_only:
            self._check(version)
        if read_only:
            return
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if empty:
            self._create()
        elif version < schema.FORMAT:
            self._keep_copy(version)
            schema.migrate(connection, version)

    def _create(self) -> None:
        """Two processes may meet at an empty file: the second finds the tables made."""
        try:
            schema.create(self._connection)
        except sqlite3.OperationalError as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if "already exists" not in str(error):
                raise

    def _check(self, version: int) -> None:
        mark = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if mark != schema.APPLICATION:
            raise sqlite3.DatabaseError("file is not a database of lapwing")
        if version > schema.FORMAT:
            raise SessionFileError(
                f"{self.path} was written by a newer lapwing (format {version}; this version reads "
                f"formats up to {schema.FORMAT}). Upgrade with: pip install -U lapwing-learn[label]"
            )
        if self._connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("database disk image is malformed")

    def _keep_copy(self, version: int) -> None:
        assert self.path is not None
        copy = self.path.with_name(f"{self.path.name}.format{version}")
        if not copy.exists():
            self._connection.execute("VACUUM INTO ?", (str(copy),))

    def _news(self, changes: Sequence[Change]) -> list[Change]:
        return [c for c in changes if self.history.value(c.kind, c.subject) != c.new]

    def _write(self, plan: Callable, annotator: str) -> list[Event]:
        """BEGIN, read what others wrote, plan, insert, COMMIT; all or nothing."""
        with self._lock, self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._unread += self._look()
                changes, action, of = plan()
                self._connection.executemany(_INSERT, self._rows(changes, annotator, action, of))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            return self._look()

    def _look(self) -> list[Event]:
        events = list(self._read(self.history.last))
        self.history.add(events)
        return events

    def _rows(self, changes: Sequence[Change], annotator: str, action: str, of) -> Iterator[tuple]:
        batch, now = max(self.history.batches, default=0) + 1, _now()
        old: dict[tuple[str, str], object] = {}
        for change in changes:
            subject = (change.kind, change.subject)
            before = old.get(subject, self.history.value(*subject))
            old[subject] = change.new
            values = (_text(before), _text(change.new))
            uid = uuid.uuid4().hex
            yield (uid, now, annotator, *subject, *values, batch, action, of,
                   _text(change.settings))  # fmt: skip

    def _read(self, after: int) -> Iterator[Event]:
        query = f"SELECT id, {_COLUMNS} FROM event WHERE id > ? ORDER BY id"
        for row in self._connection.execute(query, (after,)):
            fields = list(row)
            for i in (6, 7, 11):
                fields[i] = None if fields[i] is None else json.loads(fields[i])
            yield Event(*fields)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path or "The session") from error


def _fields(event: dict[str, Any]) -> tuple:
    names = _COLUMNS.split(", ")
    return tuple(_text(event[n]) if n in ("old", "new", "settings") else event[n] for n in names)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _text(value) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
