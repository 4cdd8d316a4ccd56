"""Find the calling line of the user, and the cross-validation around a fit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import takewhile
from types import FrameType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

INSIDE = {"lapwing", "lapwing_papers", "sklearn", "joblib", "skrub", "contextlib"}
"""Packages that are skipped in the search for the line of the user."""

FOLD = "sklearn.model_selection._validation", "_fit_and_score"
"""The functions of scikit-learn that fit and score a fold. Other names are not found."""

_heard: WeakKeyDictionary[Any, set[tuple]] = WeakKeyDictionary()


class Fold(NamedTuple):
    """One fit in a cross-validation of scikit-learn.

    Attributes
    ----------
    owner : object
        The search, or the validated estimator.
    scorer : object
    y : array
        The targets of all folds.
    test : integer array
        The scored rows.
    """

    owner: Any
    scorer: Any
    y: Any
    test: Any

    def first(self, *words: Any) -> bool:
        """Whether this message is new in this cross-validation."""
        try:
            heard = _heard.setdefault(self.owner, set())
        except TypeError:  # the owner has no weak reference or hash
            return True
        known = words in heard
        heard.add(words)
        return not known


def current_fold() -> list[Fold]:
    """A list with the current fold. It is empty outside of a cross-validation."""
    frames = list(_frames())
    for at, frame in enumerate(frames):
        if (_name(frame), frame.f_code.co_name) == FOLD:
            given = frame.f_locals
            owner = _owner(frames[at:], given.get("estimator"))
            return [Fold(owner, given.get("scorer"), given.get("y"), given.get("test"))]
    return []


def _owner(frames: list[FrameType], estimator: Any) -> Any:
    """The search that runs the folds, or the given estimator."""
    found = estimator
    for frame in takewhile(_inside, frames):
        if _name(frame).startswith("sklearn.model_selection."):
            found = frame.f_locals.get("self", frame.f_locals.get("estimator", found))
    return found


def users_frame() -> tuple[int, FrameType]:
    """The innermost stack frame outside of Lapwing and its libraries, and its stacklevel."""
    frames = list(_frames())
    level = min(sum(1 for _ in takewhile(_inside, frames)), len(frames) - 1)
    return level + 1, frames[level]


def _frames() -> Iterator[FrameType]:
    """The stack frames of the callers of this module, innermost first."""
    frame: Any = sys._getframe(2)
    while frame:
        yield frame
        frame = frame.f_back


def _inside(frame: FrameType) -> bool:
    return _name(frame).partition(".")[0] in INSIDE


def _name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
