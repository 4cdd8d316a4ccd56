"""A labeling session: rows, labels, a model, suggestions, and undo without end.

It knows no HTTP. The page is one way to use it, a notebook another.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from threading import RLock

import numpy as np

from . import audit as auditing
from .answers import Answers
from .beginning import file_record, first_changes
from .history import Change, Event
from .intervals import exact_interval
from .layout import layout
from .learner import Renewed, ready
from .reading import nearest, numbers
from .rows import Rows
from .state import UNSURE, State
from .store import Store
from .suggest import doubtful_points, typical_points

FIRST = 10
"""Typical rows that are asked for before the model's own suggestions, or one per known class.
On digits 10 typical rows and 3 suggested ones gave 97.7 % right."""

QUEUE = 6
"""Rows suggested at a time."""


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
        self, rows, store: Store | None = None, *, classes: Sequence[str] = (), annotator=None
    ):
        if not isinstance(rows, Rows):
            rows = Rows("rows", np.asarray(rows) if isinstance(rows, list) else rows, {})
        self.rows, self.store = rows, store or Store(None)
        self.annotator = annotator or _user()
        self.lock = RLock()
        self.state = State(self.store.history, rows)
        self.model = Answers(rows.X)
        self.version = 0
        self.on_change: list[Callable[[], None]] = []
        self._coordinates: dict[str, np.ndarray] = {}
        self._note(file_record(rows), by="file")
        self._note(*first_changes(self.state, classes), by="file")
        self._typical = [
            int(p) for p in typical_points(rows.X, max(FIRST, len(self.state.classes)))
        ]

    # Labels

    def label(self, points, name, *, via: str = "python") -> int:
        """Give one point, or several as one batch, a class; returns how many answers moved.

        Parameters
        ----------
        points : int or sequence of int
        name : str, int or None
            A class name (a new one makes a new class), a class number, or None: no label.
        via : str
            How the person came to the rows; kept with the event.
        """
        points = self._checked(points)
        with self.lock:
            changes: list[Change] = []
            number = None
            if isinstance(name, str):
                number, changes = self._number(name)
            elif name is not None:
                number = self.state.known(name)
            changes += self.state.label_changes(points, number, self._settings(via, points))
            return self._do(changes)

    def accept(self, points, *, via: str = "python") -> int:
        """Label points with what the model says of them."""
        points = self._checked(points)
        with self.lock:
            said = self.model.codes[points]
            if (said < 0).any():
                raise ValueError("The model has no answer for this row yet.")
            settings, changes = self._settings(via, points), []
            for point, number in zip(points, said, strict=True):
                changes += self.state.label_changes([point], int(number), settings)
            return self._do(changes)

    def unsure(self, points, *, via: str = "python") -> int:
        """Say that a person cannot tell: no label, and not suggested again."""
        points = self._checked(points)
        with self.lock:
            settings = self._settings(via, points)
            return self._do(self.state.label_changes(points, UNSURE, settings))

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
            self.state.known(number)
            name = " ".join(str(name).split())
            for other, known in self.state.classes.items():
                if known == name and other != number:
                    return self.merge_classes(number, other)
            self._do([Change("class", str(number), {"name": self.state.checked_name(name)})])

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
            if self.audit is not None:
                return self.audit.pending(self.state.codes, self.state.unsure)
            renewed = self.model.renewed
            points = self._open([*self._first_rows(), *(renewed.suggested if renewed else [])])
            if len(points) < QUEUE // 2:
                skip = self.state.codes >= 0
                skip[list(self.state.unsure)] = True
                points += doubtful_points(self.rows.X, self.model.confidence(), skip, QUEUE)
            return list(dict.fromkeys(points))[: max(QUEUE, FIRST)]

    def suspicious(self) -> list[int]:
        """Labeled points whose label the others contradict, the worst first."""
        with self.lock:
            return self.model.suspicious(self.state.codes)

    def nearest_labeled(self, point: int, n: int = 4) -> list[int]:
        """The labeled points nearest to a point: why the model says what it says."""
        labeled = np.flatnonzero(self.state.codes >= 0)
        return nearest(self.rows.X, point, labeled[labeled != point], n)

    def coordinates(self, kind: str = "neighbors", columns: tuple[str, str] | None = None):
        """Where the points stand on the map, (n_points, 2); computed once for each kind."""
        key = f"{kind} {columns}"
        if key not in self._coordinates:
            values = None if columns is None else numbers(self.rows, columns)
            self._coordinates[key] = layout(self.rows.X, kind, values)
        return self._coordinates[key]

    def curve(self) -> list[dict]:
        """Leave-one-out errors against the number of labels, as they were measured."""
        found = []
        for labels, event in self.state.history.current("measured").items():
            wrong, n = event.new["wrong"], event.new["of"]
            low, high = exact_interval(wrong, n)
            found.append({"labels": int(labels), "wrong": wrong, "of": n, "low": low, "high": high})
        return sorted(found, key=lambda entry: entry["labels"])

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
            if renewed.judged:
                value = {"wrong": renewed.wrong, "of": renewed.judged}
                self._note(Change("measured", str(renewed.n_labels), value), by="model")
            self.announce()
            if self._open(self._first_rows()):
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
    def audit(self) -> auditing.Audit | None:
        """The audit that is going on."""
        found = self.state.audits()
        going = found and found[-1].pending(self.state.codes, self.state.unsure)
        return found[-1] if going else None

    def start_audit(self, k: int, seed: int | None = None) -> auditing.Audit:
        """Draw k random rows without a label, and keep what the model says of them."""
        with self.lock:
            if self.model.renewed is None:
                raise ValueError("An audit tests the model: label rows of two classes first.")
            if k < 1:
                raise ValueError(f"An audit needs at least one row; {k} were asked for.")
            taken = self.state.codes >= 0
            taken[list(self.state.unsure)] = True
            points = auditing.draw(self.rows.point_of, taken, k, np.random.default_rng(seed))
            drawn = [[self.rows.keys[p], int(self.model.codes[p])] for p in points]
            n = int((~taken[self.rows.point_of]).sum())
            number = str(len(self.state.audits()) + 1)
            self._note(Change("audit", number, {"drawn": drawn, "rows": n}))
            return self.state.audits()[-1]

    def stop_audit(self) -> None:
        """End the audit with the rows that were labeled."""
        with self.lock:
            if (audit := self.audit) is not None:
                value = self.state.history.value("audit", audit.id)
                self._note(Change("audit", audit.id, {**value, "stopped": True}))

    def audit_results(self) -> list[dict]:
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
        moved = self.model.follow(self.state.codes) if self.state.take(events) else 0
        if events:
            self.announce()
        return moved

    def _first_rows(self) -> list[int]:
        """Typical rows, until there are as many labels."""
        return [] if self.n_labels >= len(self._typical) else self._typical

    def _open(self, points: Sequence[int]) -> list[int]:
        """Those without a label, each once."""
        codes, unsure = self.state.codes, self.state.unsure
        return list(dict.fromkeys(p for p in points if codes[p] < 0 and p not in unsure))

    def _names(self, codes: np.ndarray) -> list[str | None]:
        names = self.state.classes
        return [names.get(int(c)) for c in codes[self.rows.point_of]]

    def _number(self, name: str) -> tuple[int, list[Change]]:
        for number, known in self.state.classes.items():
            if known == name:
                return number, []
        number, change = self.state.new_class(name)
        return number, [change]

    def _checked(self, points) -> np.ndarray:
        points = np.unique(np.atleast_1d(np.asarray(points)))
        if points.dtype.kind not in "iu" or not len(points):
            raise ValueError(f"Points are whole numbers; got {points.tolist()!r}.")
        if points[0] < 0 or points[-1] >= self.rows.n_points:
            raise ValueError(f"Points go from 0 to {self.rows.n_points - 1}; got {points[-1]}.")
        return points

    def _settings(self, via: str, points: np.ndarray) -> dict:
        """How a label came about: the queue, and what the model said of a single row."""
        out: dict = {"via": via}
        answer = int(self.model.codes[points[0]])
        if len(points) == 1 and answer >= 0:
            out["answer"] = answer
            out["confidence"] = round(float(self.model.confidence()[points[0]]), 3)
        if (renewed := self.model.renewed) is not None:
            out["model"] = {"labels": renewed.n_labels, **renewed.settings}
        return out


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody"
