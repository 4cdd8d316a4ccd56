"""What the page may ask to be done; each commits before it returns how many answers moved."""

from __future__ import annotations

from typing import Any

from ..session import Session
from ..worker import Worker

LONGEST_TEXT = 20_000
MOST_AUDITED = 10_000


def label(session: Session, worker: Worker | None, given: dict[str, Any]) -> int:
    """``points``, ``class`` (a number, a name, or null), ``via``."""
    name = given["class"]
    if isinstance(name, bool) or not isinstance(name, int | str | None):
        raise ValueError("A class is a number or a name.")
    return session.label(_points(given), name, via=_via(given))


def accept(session: Session, worker: Worker | None, given: dict[str, Any]) -> int:
    """``points``: they get the model's answers as labels."""
    if session.audit is not None:
        raise ValueError("In an audit the model's answer is hidden: choose a class.")
    return session.accept(_points(given), via=_via(given))


def unsure(session: Session, worker: Worker | None, given: dict[str, Any]) -> int:
    """``points``."""
    return session.unsure(_points(given), via=_via(given))


def undo(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """Take the last batch back."""
    session.undo()


def redo(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """Make the last undone batch again."""
    session.redo()


def add_class(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """``name``."""
    session.add_class(_text(given["name"]))


def rename_class(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """``class``, ``name``; the name of another class merges the two."""
    session.rename_class(int(given["class"]), _text(given["name"]))


def merge_classes(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """``class``, ``into``."""
    session.merge_classes(int(given["class"]), int(given["into"]))


def guidelines(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """``text``."""
    session.write_guidelines(_text(given["text"]))


def start_audit(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """``k``: how many rows."""
    k = int(given["k"])
    if k > MOST_AUDITED:
        raise ValueError(f"An audit has at most {MOST_AUDITED} rows.")
    session.start_audit(k)


def stop_audit(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """End the audit with the rows labeled so far."""
    session.stop_audit()


def choose(session: Session, worker: Worker | None, given: dict[str, Any]) -> None:
    """Choose the settings again in the background."""
    if worker is not None:
        worker.choose()


ACTIONS = {
    "label": label,
    "accept": accept,
    "unsure": unsure,
    "undo": undo,
    "redo": redo,
    "add-class": add_class,
    "rename-class": rename_class,
    "merge-classes": merge_classes,
    "guidelines": guidelines,
    "start-audit": start_audit,
    "stop-audit": stop_audit,
    "choose": choose,
}


def _points(given: dict[str, Any]) -> list[int]:
    points = given["points"]
    if not isinstance(points, list) or not all(type(p) is int for p in points):
        raise ValueError("Points are a list of whole numbers.")
    return points


def _via(given: dict[str, Any]) -> str:
    return _text(given.get("via", "page"))[:40]


def _text(value) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ValueError(f"Expected a text of at most {LONGEST_TEXT} characters.")
    return value
