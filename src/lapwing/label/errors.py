"""What can go wrong with a session's file, each in one sentence."""

import sqlite3
from pathlib import Path


class SessionFileError(OSError):
    """The session file cannot be opened or written; the message says why and what to do."""


def explain(error: sqlite3.Error, path: Path | str) -> SessionFileError:
    """The sentence for an error of SQLite.

    Parameters
    ----------
    error : sqlite3.Error
    path : Path or str
        The session file.

    Examples
    --------
    >>> str(explain(sqlite3.DatabaseError("file is not a database"), "a.lapwing"))
    'a.lapwing is damaged or is not a session of lapwing; it was left as it is.'
    """
    text = str(error)
    for part, sentence in _SENTENCES:
        if part in text:
            return SessionFileError(sentence.format(path=path))
    return SessionFileError(f"{path} could not be used ({text}); nothing was saved.")


_DAMAGED = "{path} is damaged or is not a session of lapwing; it was left as it is."
_FULL = "The disk is full: nothing was saved to {path}. Free some space and try again."
_READ_ONLY = (
    "{path} cannot be written, so no label could be saved. Change its permissions, or give another "
    "place with --session FILE."
)
_SENTENCES = (
    ("not a database", _DAMAGED),
    ("malformed", _DAMAGED),
    ("disk is full", _FULL),
    ("disk I/O error", "The disk failed while writing {path}: nothing was saved."),
    ("locked", "{path} is locked by another program: nothing was saved. Close it and try again."),
    ("readonly", _READ_ONLY),
    ("unable to open", _READ_ONLY),
)
