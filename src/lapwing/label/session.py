"""A labeling session: rows, labels, a model, suggestions, and undo without end.

It knows no HTTP. The page is one way to use it, a notebook another.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import numpy as np

from . import auditing, wishes
from .answers import Answers
from .audit import Audit
from .beginning import file_record, first_changes
from .curve import error_curve, measured
from .history import Change, Event
from .layout import Maps
from .learner import Renewed, ready
from .queue import QUEUE, Queue
from .reading import nearest
from .rows import Rows
from .state import UNSURE, State
from .store import Store


class Session:
    """Label rows one by one; every label moves the answers of all rows.

    Parameters
    ----------
    rows : Rows or array or CSR matrix of shape (n, d)
    store : Store, optional
        Where the events are kept; None is in memory.
    classes : sequence of str
        Names of classes to begin with.
    annotator : str, optional
        Who labels; None is the user's login name.

    Attributes
    ----------
    state : State
        ``codes``, ``unsure``, ``classes``, ``guidelines``: what the events add up to.
    model : Answers
        ``codes``, ``confidence()``, ``renewed``: what the model says.
    version : int
        Grows with every change that a page should show.

    Examples
    --------
    >>> from lapwing.datasets import make_two_moons
    >>> X, _, truth = make_two_moons(60, random_state=0)
    >>> session = Session(X, classes=["upper", "lower"], annotator="me")
    >>> for _ in range(4):
    ...     point = session.suggestions()[0]
    ...     moved = session.label(point, ["upper", "lower"][truth[point]])
    >>> session.renew().n_labels
    4
    >>> session.undo()
    1
    >>> session.n_labels
    3
    """

    def __init__(
        self,
        rows: Any,
        store: Store | None = None,
        *,
        classes: Sequence[str] = (),
        annotator: str | None = None,
    ) -> None:
        if not isinstance(rows, Rows):
            rows = Rows("rows", np.asarray(rows) if isinstance(rows, list) else rows, {})
        self.rows, self.store = rows, store or Store(None)
        self.annotator = annotator or _user()
        self.lock = RLock()
        self.state = State(self.store.history, rows)
        self.model = Answers(rows.X, rows.groups)
        self.version = 0
        self.on_change: list[Callable[[], None]] = []
        self._maps = Maps(rows)
        self._note(file_record(rows), by="file")
        self._note(*first_changes(self.state, classes), by="file")
        self._queue = Queue(rows, self.state, self.model)

    # Labels

    def label(self, points: Any, name: str | int | None, *, via: str = "python") -> int:
        """Give one point, or several as one batch, a class; returns how many answers moved.

        Parameters
        ----------
        points : int or sequence of int
        name : str, int or None
            A class name (a new one makes a new class), a class number, or None: no label.
        via : str
            How the person came to the rows; kept with the event.
        """
        points = wishes.checked_points(self.rows, points)
        with self.lock:
            how = wishes.origin(self.model, points, via)
            return self._do(wishes.labeled(self.state, points, name, how))

    def accept(self, points: Any, *, via: str = "python") -> int:
        """Label points with what the model says of them."""
        points = wishes.checked_points(self.rows, points)
        with self.lock:
            how = wishes.origin(self.model, points, via)
            return self._do(wishes.accepted(self.state, self.model, points, how))

    def unsure(self, points: Any, *, via: str = "python") -> int:
        """Say that a person cannot tell: no label, and not suggested again."""
        points = wishes.checked_points(self.rows, points)
        with self.lock:
            how = wishes.origin(self.model, points, via)
            return self._do(self.state.label_changes(points, UNSURE, how))

    def undo(self) -> int:
        """Take the last batch back; returns how many events that took, 0 at the beginning."""
        return self._step(self.store.undo)

    def redo(self) -> int:
        """Make the last undone batch again; returns how many events that took."""
        return self._step(self.store.redo)

    # Classes and guidelines

    def add_class(self, name: str) -> int:
        """Make a class; returns its number."""
        with self.lock:
            number, change = self.state.new_class(name)
            self._do([change])
            return number

    def rename_class(self, number: int, name: str) -> None:
        """Give a class another name; the name of another class merges the two."""
        with self.lock:
            self._do(wishes.renamed(self.state, number, name))

    def merge_classes(self, number: int, into: int) -> None:
        """Make all labels of one class labels of the other, as one batch."""
        with self.lock:
            self._do(self.state.merge_changes(number, into))

    def write_guidelines(self, text: str) -> None:
        """Keep a text that the person wants in view while labeling."""
        with self.lock:
            self._do([Change("guidelines", "", str(text))])

    # What to look at

    @property
    def n_labels(self) -> int:
        """Points with a label."""
        return int((self.state.codes >= 0).sum())

    @property
    def labels(self) -> list[str | None]:
        """The label of each file row, None where there is none."""
        return self._names(self.state.codes)

    @property
    def predictions(self) -> list[str | None]:
        """The model's class for each file row."""
        return self._names(self.model.codes)

    def suggestions(self) -> list[int]:
        """Points to label next, best first, no two alike; in an audit, the rest of its draw."""
        with self.lock:
            return self._queue.points()

    def suspicious(self) -> list[int]:
        """Labeled points whose label the others contradict, the worst first."""
        with self.lock:
            return self.model.suspicious(self.state.codes)

    def nearest_labeled(self, point: int, n: int = 4) -> list[int]:
        """The labeled points nearest to a point: why the model says what it says."""
        labeled = np.flatnonzero(self.state.codes >= 0)
        return nearest(self.rows.X, point, labeled[labeled != point], n)

    def coordinates(
        self, kind: str = "neighbors", columns: tuple[str, str] | None = None
    ) -> np.ndarray:
        """Where the points stand on the map, (n_points, 2); computed once for each kind."""
        return self._maps.places(kind, columns)

    def curve(self) -> list[dict[str, Any]]:
        """Leave-one-out errors against the number of labels, as they were measured."""
        return error_curve(self.state.history)

    # The model

    def renew(self, *, choose: bool = False) -> Renewed | None:
        """Fit in full and install the result; None while fewer than two classes have a label.

        It may run in another thread while labels come in: the answers are then brought up to date
        with them at the end.
        """
        with self.lock:
            codes = self.state.codes.copy()
        if not ready(codes):
            return None
        renewed = self.model.learner.renew(codes, choose)
        with self.lock:
            self.model.install(renewed, self.state.codes)
            self._note(*measured(renewed), by="model")
            self.announce()
            if self._queue.typical():
                return renewed
        self.model.learner.ask(renewed, QUEUE)
        self.announce()
        return renewed

    def catch_up(self) -> None:
        """Bring the answers up to date with all labels, however long it takes."""
        with self.lock:
            behind = ready(self.state.codes) and self.model.n_labels != self.n_labels
            if behind and self.model.catch_up(self.state.codes):
                self.announce()

    # Audits

    @property
    def audit(self) -> Audit | None:
        """The audit that is going on."""
        return self.state.audit

    def start_audit(self, k: int, seed: int | None = None) -> Audit:
        """Draw k random rows without a label, and keep what the model says of them."""
        with self.lock:
            self._note(auditing.begun(self.state, self.model, k, seed))
            return self.state.audits()[-1]

    def stop_audit(self) -> None:
        """End the audit with the rows that were labeled."""
        with self.lock:
            self._note(*auditing.stopped(self.state))

    def audit_results(self) -> list[dict[str, Any]]:
        """Errors and exact intervals of all audits, oldest first."""
        return [a.result(self.state.codes, self.state.unsure) for a in self.state.audits()]

    # The file

    def sync(self) -> None:
        """Take in what other processes wrote to the session's file."""
        with self.lock:
            self._take(self.store.refresh())

    def close(self) -> None:
        """Release the session's file."""
        self.store.close()

    def announce(self) -> None:
        """Tell listeners that there is something new to show."""
        self.version += 1
        for listener in list(self.on_change):
            listener()

    # Inside

    def _do(self, changes: list[Change]) -> int:
        """Write, then answer: the events are on the disk before anything moves."""
        return self._take(self.store.append(changes, annotator=self.annotator))

    def _note(self, *changes: Change, by: str | None = None) -> None:
        """Write what cannot be undone."""
        who = by or self.annotator
        self._take(self.store.append(changes, annotator=who, action="note"))

    def _step(self, write) -> int:
        with self.lock:
            events = write(annotator=self.annotator)
            self._take(events)
            return len(events)

    def _take(self, events: list[Event]) -> int:
        """Bring everything up to date with new events; returns how many answers moved."""
        events = [*self.store.unread(), *events]
        moved = self.model.follow(self.state.codes) if self.state.take(events) else 0
        if events:
            self.announce()
        return moved

    def _names(self, codes: np.ndarray) -> list[str | None]:
        names = self.state.classes
        return [names.get(int(c)) for c in codes[self.rows.point_of]]


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody"
