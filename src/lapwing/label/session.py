"""A labeling session: rows, labels, a model, suggestions, and undo without end.

It knows no HTTP. The page is one way to use it, a notebook another.
"""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable, Sequence
from threading import RLock

import numpy as np

from . import audit as auditing
from . import reading
from .history import Change, Event
from .intervals import exact_interval
from .layout import layout
from .learner import Learner, Renewed, ready
from .rows import Rows
from .state import UNSURE, State
from .store import Store
from .suggest import doubtful_points, typical_points

FIRST = 10
"""Typical rows that are asked for before the model's own suggestions, or one per known class.
On digits 10 typical rows and 3 suggested ones gave 97.7 % right."""

PATIENCE = 2.0
"""Seconds a label may take to move the map; where a fit takes longer, the worker does it."""

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
    answers : integer array of shape (n_points,)
        The model's class of each point with all labels so far; −1: none.
    renewed : Renewed or None
        The last result of :meth:`renew`: probabilities, suggestions, suspicious labels.
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
        self.learner = Learner(rows.X)
        self.answers = np.full(rows.n_points, -1)
        self.renewed: Renewed | None = None
        self.version = 0
        self.quick_seconds: float | None = None
        self.quick_labels = 0
        self.on_change: list[Callable[[], None]] = []
        self._coordinates: dict[str, np.ndarray] = {}
        self._begin(classes)
        self._typical = typical_points(rows.X, max(FIRST, len(self.state.classes)))

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
            if isinstance(name, str):
                number, changes = self._number(name)
            else:
                number, changes = (None if name is None else self.state.known(name)), []
            changes += self.state.label_changes(points, number, self._settings(via, points))
            return self._commit(lambda: self.store.append(changes, annotator=self.annotator))

    def accept(self, points, *, via: str = "python") -> int:
        """Label points with what the model says of them."""
        points = self._checked(points)
        with self.lock:
            if (self.answers[points] < 0).any():
                raise ValueError("The model has no answer for this row yet.")
            settings = self._settings(via, points)
            changes = [c for p in points
                       for c in self.state.label_changes([p], int(self.answers[p]), settings)]  # fmt: skip
            return self._commit(lambda: self.store.append(changes, annotator=self.annotator))

    def unsure(self, points, *, via: str = "python") -> int:
        """Say that a person cannot tell: no label, and not suggested again."""
        points = self._checked(points)
        with self.lock:
            changes = self.state.label_changes(points, UNSURE, self._settings(via, points))
            return self._commit(lambda: self.store.append(changes, annotator=self.annotator))

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
            self._commit(lambda: self.store.append([change], annotator=self.annotator))
            return number

    def rename_class(self, number: int, name: str) -> None:
        """Give a class another name; the name of another class merges the two."""
        with self.lock:
            name = " ".join(str(name).split())
            others = {n: k for k, n in self.state.classes.items() if k != number}
            if name in others:
                return self.merge_classes(number, others[name])
            self.state.known(number)
            change = Change("class", str(number), {"name": self.state.checked_name(name)})
            self._commit(lambda: self.store.append([change], annotator=self.annotator))

    def merge_classes(self, number: int, into: int) -> None:
        """Make all labels of one class labels of the other, as one batch."""
        with self.lock:
            changes = self.state.merge_changes(number, into)
            self._commit(lambda: self.store.append(changes, annotator=self.annotator))

    def write_guidelines(self, text: str) -> None:
        """Keep a text that the person wants in view while labeling."""
        with self.lock:
            change = Change("guidelines", "", str(text))
            self._commit(lambda: self.store.append([change], annotator=self.annotator))

    # What to look at

    @property
    def n_labels(self) -> int:
        return int((self.state.codes >= 0).sum())

    @property
    def labels(self) -> list[str | None]:
        """The label of each file row, None where there is none."""
        names = self.state.classes
        return [names.get(int(c)) for c in self.state.codes[self.rows.point_of]]

    @property
    def predictions(self) -> list[str | None]:
        """The model's class for each file row."""
        names = self.state.classes
        return [names.get(int(c)) for c in self.answers[self.rows.point_of]]

    def suggestions(self) -> list[int]:
        """Points to label next, best first, no two alike; in an audit, the rest of its draw."""
        with self.lock:
            if self.audit is not None:
                return self.audit.pending(self.state.codes, self.state.unsure)
            found = [] if self.renewed is None else self.renewed.suggested
            points = self._open([*self._first_rows(), *found])
            if not points:
                skip = self.state.codes >= 0
                skip[list(self.state.unsure)] = True
                points = doubtful_points(self.rows.X, self.confidence(), skip, QUEUE)
            return points[: max(QUEUE, FIRST)]

    def suspicious(self) -> list[int]:
        """Labeled points whose label the others contradict, the worst first."""
        with self.lock:
            found = [] if self.renewed is None else self.renewed.suspicious
            return [p for p in found if self.state.codes[p] >= 0
                    and self.state.codes[p] == self.renewed.codes[p]]  # fmt: skip

    def confidence(self) -> np.ndarray:
        """The probability of each point's answer, (n_points,), as of the last renewal."""
        with self.lock:
            out = np.where(self.answers >= 0, 0.5, 0.0)
            if self.renewed is not None:
                for column, number in enumerate(self.renewed.classes):
                    mine = self.answers == number
                    out[mine] = self.renewed.probability[mine, column]
            return out

    def gray(self) -> np.ndarray:
        """Points that no label reaches or that the model abstains from, (n_points,)."""
        return self.answers < 0 if self.renewed is None else self.renewed.gray | (self.answers < 0)

    def nearest_labeled(self, point: int, n: int = 4) -> list[int]:
        """The labeled points nearest to a point: why the model says what it says."""
        labeled = np.flatnonzero(self.state.codes >= 0)
        return reading.nearest(self.rows.X, point, labeled[labeled != point], n)

    def coordinates(self, kind: str = "neighbors", columns: tuple[str, str] | None = None):
        """Where the points stand on the map, (n_points, 2); computed once for each kind."""
        key = f"{kind} {columns}"
        if key not in self._coordinates:
            values = None if columns is None else reading.numbers(self.rows, columns)
            self._coordinates[key] = layout(self.rows.X, kind, values)
        return self._coordinates[key]

    # The model

    def renew(self, *, choose: bool = False) -> Renewed | None:
        """Fit in full and install the result; None while fewer than two classes have a label.

        It may run in another thread while labels come in: the answers are then brought up to date
        with them at the end.
        """
        with self.lock:
            codes = self.state.codes.copy()
        if not ready(codes):
            with self.lock:
                if not ready(self.state.codes):
                    self.renewed = None
            return None
        renewed = self.learner.renew(codes, choose)
        with self.lock:
            if self.renewed is not None:
                renewed.suggested, renewed.gain = self.renewed.suggested, self.renewed.gain
            self._install(renewed)
            typical = bool(self._open(self._first_rows()))
        if not typical:
            self.learner.ask(renewed, QUEUE)
            with self.lock:
                self._changed()
        return renewed

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
            if self.renewed is None:
                raise ValueError("An audit tests the model: label rows of two classes first.")
            if k < 1:
                raise ValueError(f"An audit needs at least one row; {k} were asked for.")
            taken = self.state.codes >= 0
            taken[list(self.state.unsure)] = True
            points = auditing.draw(self.rows.point_of, taken, k, np.random.default_rng(seed))
            drawn = [[self.rows.keys[p], int(self.answers[p])] for p in points]
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

    # Numbers

    def curve(self) -> list[dict]:
        """Leave-one-out errors against the number of labels, as they were measured."""
        found = []
        for labels, event in self.state.history.current("measured").items():
            wrong, n = event.new["wrong"], event.new["of"]
            low, high = exact_interval(wrong, n)
            found.append({"labels": int(labels), "wrong": wrong, "of": n, "low": low, "high": high})
        return sorted(found, key=lambda entry: entry["labels"])

    def sync(self) -> None:
        """Take in what other processes wrote to the session's file."""
        with self.lock:
            if events := self.store.refresh():
                self._take(events)

    def close(self) -> None:
        """Release the session's file."""
        self.store.close()

    # Inside

    def _begin(self, classes: Sequence[str]) -> None:
        """Record the file, the classes to begin with, and the labels the file brings."""
        self._record_file()
        known = dict.fromkeys(self.state.classes.values())
        given = self.rows.given_labels()
        names = [n for n in dict.fromkeys([*map(str, classes), *_sorted(given.values())])
                 if n not in known]  # fmt: skip
        changes = [self.state.new_class(name, i)[1] for i, name in enumerate(names)]
        numbers = {name: k for k, name in self.state.classes.items()}
        numbers |= {c.new["name"]: int(c.subject) for c in changes}
        ever = {e.subject for b in self.state.history.batches.values() for e in b}
        changes += [Change("label", self.rows.keys[p], numbers[name], {"via": "file"})
                    for p, name in given.items() if self.rows.keys[p] not in ever]  # fmt: skip
        self._take(self.store.append(changes, annotator="file", action="note"))

    def _record_file(self) -> None:
        now = {"name": self.rows.name, "sha256": self.rows.fingerprint, "rows": self.rows.n}
        keyed = self.rows.columns if self.rows.keyed is None else self.rows.keyed
        now |= {"columns": list(keyed), "source": dict(self.rows.source)}
        self.store.append([Change("file", "", now)], annotator="file", action="note")

    def _first_rows(self) -> list[int]:
        """Typical rows, until there are three times as many labels."""
        return [] if self.n_labels >= 3 * len(self._typical) else [int(p) for p in self._typical]

    def _open(self, points: Sequence[int]) -> list[int]:
        """Those without a label, each once."""
        codes, unsure = self.state.codes, self.state.unsure
        return list(dict.fromkeys(p for p in points if codes[p] < 0 and p not in unsure))

    def _commit(self, write: Callable[[], list[Event]]) -> int:
        """Write, then answer: the events are on the disk before anything moves."""
        return self._take(write())

    def _step(self, write) -> int:
        with self.lock:
            events = write(annotator=self.annotator)
            self._take(events)
            return len(events)

    def _note(self, change: Change) -> None:
        self._take(self.store.append([change], annotator=self.annotator, action="note"))

    def _take(self, events: list[Event]) -> int:
        """Bring everything up to date with new events; returns how many answers moved."""
        moved = 0
        if self.state.take(events):
            moved = self._answer()
        if events:
            self._changed()
        return moved

    def _answer(self) -> int:
        """Answers for the labels of this moment, where that does not take too long."""
        before = self.answers
        if not ready(self.state.codes):
            self.answers = np.full_like(before, -1)
        elif self.quick_seconds is None or self.quick_seconds <= PATIENCE:
            start = time.perf_counter()
            found = self.learner.quick(self.state.codes)
            if found is not None:
                self.quick_seconds = time.perf_counter() - start
                self.answers, self.quick_labels = found, self.n_labels
        return int((self.answers != before).sum())

    def _install(self, renewed: Renewed) -> None:
        self.renewed = renewed
        if not ready(self.state.codes):
            self.renewed = None
        elif np.array_equal(renewed.codes, self.state.codes):
            self.answers, self.quick_labels = renewed.answers, renewed.n_labels
        else:
            self.quick_seconds = None
            self.answers = renewed.answers
            self._answer()
        if renewed.judged:
            value = {"wrong": len(renewed.suspicious), "of": renewed.judged}
            change = Change("measured", str(renewed.n_labels), value)
            self.store.append([change], annotator="model", action="note")
        self._changed()

    def announce(self) -> None:
        """Tell listeners that there is something new to show."""
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        for listener in self.on_change:
            listener()

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
        if len(points) == 1 and self.answers[points[0]] >= 0:
            out["answer"] = int(self.answers[points[0]])
            out["confidence"] = round(float(self.confidence()[points[0]]), 3)
        if self.renewed is not None:
            out["model"] = {"labels": self.renewed.n_labels, **self.renewed.settings}
        return out


def _sorted(names) -> list[str]:
    """Numbers in their order, then words in theirs."""
    return sorted(set(names), key=lambda n: (not n.isdigit(), int(n) if n.isdigit() else 0, n))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody"
