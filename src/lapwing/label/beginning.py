"""What a session records when it is opened: the file, its labels, the classes to begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .history import Change
from .rows import Rows
from .state import State


def file_record(rows: Rows) -> Change:
    """The file as it is now: a change of it is a further event."""
    keyed = rows.columns if rows.keyed is None else rows.keyed
    value = {"name": rows.name, "sha256": rows.fingerprint, "rows": rows.n,
             "columns": list(keyed), "source": dict(rows.source)}  # fmt: skip
    return Change("file", "", value)


def first_changes(state: State, classes: Sequence[str]) -> list[Change]:
    """Classes that are not known yet, and the file's labels of rows that never had an event."""
    rows, given = state.rows, state.rows.given_labels()
    names = dict.fromkeys([*map(str, classes), *in_order(given.values())])
    changes: list[Change] = []
    for name in names:
        if name not in state.classes.values():
            changes.append(state.new_class(name, len(changes))[1])
    numbers = {name: k for k, name in state.classes.items()}
    numbers |= {c.new["name"]: int(c.subject) for c in changes}
    seen = {e.subject for batch in state.history.batches.values() for e in batch}
    for point, name in given.items():
        if rows.keys[point] not in seen:
            changes.append(Change("label", rows.keys[point], numbers[name], {"via": "file"}))
    return changes


def in_order(names: Iterable[str]) -> list[str]:
    """Numbers in their order, then words in theirs.

    Examples
    --------
    >>> in_order(["b", "10", "9", "a", "9"])
    ['9', '10', 'a', 'b']
    """
    return sorted(set(names), key=lambda n: (not n.isdigit(), int(n) if n.isdigit() else 0, n))
