"""Events and what they add up to: the present state, and what can be undone and redone."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Change:
    """One assignment to make: the subject gets the value ``new`` (None: it has none any more)."""

    kind: str
    subject: str
    new: Any
    settings: Any = None


@dataclass(frozen=True)
class Event:
    """One assignment that was made, as it stands in the file.

    Parameters
    ----------
    id : int
        The place in the file.
    uid : str
        The same in every copy of the event, so that two files can be merged.
    time : str
        ISO 8601, UTC.
    annotator : str
        Who.
    kind, subject : str
        What: ``label`` of a row's key, ``class`` of a number, ``guidelines``, ``file``, ``audit``.
    old, new : JSON value
    batch : int
        Events with the same number were made, and are undone, together.
    action : {"do", "undo", "redo", "note"}
        A note cannot be undone.
    of : int or None
        The batch that is undone or redone.
    settings : JSON value
        How it came about: which queue, what the model said.
    """

    id: int
    uid: str
    time: str
    annotator: str
    kind: str
    subject: str
    old: Any
    new: Any
    batch: int
    action: str
    of: int | None
    settings: Any


@dataclass
class History:
    """The sum of all events so far.

    Examples
    --------
    >>> history = History()
    >>> history.add([Event(1, "a", "2026-01-01", "me", "label", "r", None, 3, 1, "do", None, None)])
    >>> history.value("label", "r"), history.undoable
    (3, [1])
    """

    state: dict[str, dict[str, Event]] = field(default_factory=dict)
    batches: dict[int, list[Event]] = field(default_factory=dict)
    undoable: list[int] = field(default_factory=list)
    redoable: list[int] = field(default_factory=list)
    last: int = 0

    def add(self, events: Iterable[Event]) -> None:
        """Count further events, in the order of the file."""
        for event in events:
            self._assign(event)
            first = event.batch not in self.batches
            self.batches.setdefault(event.batch, []).append(event)
            if first:
                self._stack(event)
            self.last = event.id

    def value(self, kind: str, subject: str) -> Any:
        """The present value, or None."""
        event = self.state.get(kind, {}).get(subject)
        return None if event is None else event.new

    def current(self, kind: str) -> dict[str, Event]:
        """The last event of each subject that has a value now."""
        return self.state.get(kind, {})

    def reverse(self, batch: int) -> list[Change]:
        """What takes a batch back: its assignments in reverse, each to the old value."""
        return [Change(e.kind, e.subject, e.old, e.settings) for e in reversed(self.batches[batch])]

    def again(self, batch: int) -> list[Change]:
        """What makes a batch once more."""
        return [Change(e.kind, e.subject, e.new, e.settings) for e in self.batches[batch]]

    def _assign(self, event: Event) -> None:
        subjects = self.state.setdefault(event.kind, {})
        if event.new is None:
            subjects.pop(event.subject, None)
        else:
            subjects[event.subject] = event

    def _stack(self, event: Event) -> None:
        if event.action == "do":
            self.undoable.append(event.batch)
            self.redoable.clear()
        elif event.action == "undo":
            self.redoable.append(self.undoable.pop())
        elif event.action == "redo":
            self.undoable.append(self.redoable.pop())
