"""What the events say about the rows of a file: labels, classes, guidelines, audits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .audit import Audit
from .history import Change, Event, History
from .rows import Rows

UNSURE = "unsure"
MOST_CLASSES = 250
LONGEST_NAME = 80


@dataclass
class State:
    """The events of a history, read for the points of some rows.

    Parameters
    ----------
    history : History
    rows : Rows

    Attributes
    ----------
    codes : integer array of shape (n_points,)
        The class of each labeled point; −1 elsewhere.
    unsure : set of int
        Points that a person could not tell.
    strangers : int
        Labels of rows that are not in the file (any more).
    """

    history: History
    rows: Rows

    def __post_init__(self) -> None:
        self.codes = np.full(self.rows.n_points, -1)
        self.unsure: set[int] = set()
        self.strangers = 0
        self.take(self.history.current("label").values())

    def take(self, events: Iterable[Event]) -> list[int]:
        """Read label events; returns the points they are about."""
        points = []
        for event in events:
            if event.kind != "label":
                continue
            point = self.rows.point_of_key.get(event.subject)
            if point is None:
                self.strangers += 1 if event.new is not None else -1
                continue
            points.append(point)
            self.unsure.discard(point)
            self.codes[point] = -1
            if event.new == UNSURE:
                self.unsure.add(point)
            elif event.new is not None:
                self.codes[point] = event.new
        return points

    @property
    def classes(self) -> dict[int, str]:
        """Class numbers and names, in the order of their making."""
        found = {int(k): e.new["name"] for k, e in self.history.current("class").items()}
        return dict(sorted(found.items()))

    def number_of(self, name: str) -> int | None:
        """The number of the class with this name."""
        return next((k for k, known in self.classes.items() if known == name), None)

    def taken(self) -> np.ndarray:
        """Points that a person has decided about, (n_points,): labeled or unsure."""
        out = self.codes >= 0
        out[list(self.unsure)] = True
        return out

    @property
    def guidelines(self) -> str:
        return self.history.value("guidelines", "") or ""

    def event(self, point: int) -> Event | None:
        """The event that gave the point its label."""
        return self.history.current("label").get(self.rows.keys[point])

    def label_changes(
        self, points: Any, value: Any, settings: dict[str, Any] | None = None
    ) -> list[Change]:
        """Give points a class number, "unsure" or None."""
        return [Change("label", self.rows.keys[int(p)], value, settings) for p in points]

    def new_class(self, name: str, more: int = 0) -> tuple[int, Change]:
        """The number of a further class and the change that makes it."""
        name = self.checked_name(name)
        used = [int(s) for b in self.history.batches.values() for e in b
                if e.kind == "class" for s in [e.subject]]  # fmt: skip
        number = max(used, default=-1) + 1 + more
        if number >= MOST_CLASSES:
            raise ValueError(f"There are {number} classes already; {MOST_CLASSES} is the limit.")
        return number, Change("class", str(number), {"name": name})

    def checked_name(self, name: Any) -> str:
        """A name that a class may have; a ValueError says what is wrong with it."""
        name = " ".join(str(name).split())
        if not name:
            raise ValueError("A class needs a name.")
        if len(name) > LONGEST_NAME:
            raise ValueError(f"A class name has at most {LONGEST_NAME} characters.")
        if name in self.classes.values():
            raise ValueError(f"There is a class {name!r} already.")
        return name

    def known(self, number: Any) -> int:
        """The class number, if there is such a class."""
        if number not in self.classes:
            raise ValueError(f"There is no class {number!r}.")
        return int(number)

    def merge_changes(self, old: int, into: int) -> list[Change]:
        """All labels of one class become labels of the other; the first is gone."""
        if self.known(old) == self.known(into):
            raise ValueError("A class cannot be merged with itself.")
        labels = self.history.current("label")
        moved = [
            Change("label", key, into, e.settings) for key, e in labels.items() if e.new == old
        ]
        return [*moved, Change("class", str(old), None)]

    @property
    def audit(self) -> Audit | None:
        """The audit that is going on."""
        found = self.audits()
        return found[-1] if found and found[-1].pending(self.codes, self.unsure) else None

    def audits(self) -> list[Audit]:
        """All audits, oldest first; points that left the file are left out."""
        found = []
        for name, event in self.history.current("audit").items():
            pairs = [(self.rows.point_of_key[k], a) for k, a in event.new["drawn"]
                     if k in self.rows.point_of_key]  # fmt: skip
            points = tuple(p for p, _ in pairs)
            answers = tuple(a for _, a in pairs)
            found.append(
                Audit(name, points, answers, event.new["rows"], event.new.get("stopped", False))
            )
        return sorted(found, key=lambda audit: int(audit.id))
