"""The tables of a session file, and how older files become newer ones.

There is one table of events, and two triggers forbid to change or delete one. Everything else is
a view: the state of a subject (a row's label, a class, the guidelines) is the ``new`` of its last
event.
"""

import sqlite3
from collections.abc import Callable

FORMAT = 1
"""The version of the tables, kept in ``PRAGMA user_version``."""

APPLICATION = 0x4C617057
"""``LapW``, kept in ``PRAGMA application_id``: this SQLite file is a session of lapwing."""

MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""From each older format, what leads to the next one."""

TABLES = """
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    time TEXT NOT NULL,
    annotator TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    old TEXT,
    new TEXT,
    batch INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('do', 'undo', 'redo', 'note')),
    of INTEGER,
    settings TEXT
);
CREATE INDEX event_subject ON event (kind, subject, id);
CREATE TRIGGER event_never_changes BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_never_goes BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE VIEW state AS
    SELECT kind, subject, new, time, annotator, settings FROM event
    WHERE id IN (SELECT max(id) FROM event GROUP BY kind, subject) AND new IS NOT NULL;
CREATE VIEW class AS
    SELECT CAST(subject AS INTEGER) AS id, json_extract(new, '$.name') AS name FROM state
    WHERE kind = 'class';
CREATE VIEW label AS
    SELECT state.subject AS row, class.name AS class, state.time, state.annotator FROM state
    LEFT JOIN class ON class.id = CAST(state.new AS INTEGER) WHERE state.kind = 'label';
"""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file, all of them or none."""
    marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"
    connection.executescript(f"BEGIN IMMEDIATE; {TABLES} {marks} COMMIT;")


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Lead the file from its format to :data:`FORMAT`, all the way or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in range(version, FORMAT):
            MIGRATIONS[step](connection)
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
