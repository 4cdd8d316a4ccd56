"""Who called: the user's own line, and the cross-validation that a fit is a part of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import takewhile
from types import FrameType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

INSIDE = {"lapwing", "lapwing_papers", "sklearn", "joblib", "skrub", "contextlib"}
"""Packages whose lines tell a user nothing of their own call."""

FOLD = "sklearn.model_selection._validation", "_fit_and_score"
"""Where scikit-learn fits and scores a fold; where that is called otherwise, nothing is found."""

_heard: WeakKeyDictionary[Any, set[tuple]] = WeakKeyDictionary()


class Fold(NamedTuple):
    """One fit of a cross-validation of scikit-learn.

    Attributes
    ----------
    owner : object
        The search, or the estimator that is validated.
    scorer : object
    y : array
        Of all folds.
    test : integer array
        The rows that are scored.
    """

    owner: Any
    scorer: Any
    y: Any
    test: Any

    def first(self, *words: Any) -> bool:
        """Whether these words are said for the first time in this cross-validation."""
        try:
            heard = _heard.setdefault(self.owner, set())
        except TypeError:  # an owner that cannot be remembered
            return True
        known = words in heard
        heard.add(words)
        return not known


def current_fold() -> list[Fold]:
    """The fold that is being fitted; empty outside of a cross-validation."""
    frames = list(_frames())
    for at, frame in enumerate(frames):
        if (_name(frame), frame.f_code.co_name) == FOLD:
            given = frame.f_locals
            owner = _owner(frames[at:], given.get("estimator"))
            return [Fold(owner, given.get("scorer"), given.get("y"), given.get("test"))]
    return []


def _owner(frames: list[FrameType], estimator: Any) -> Any:
    """The search whose method runs the folds, or the estimator as it was given."""
    found = estimator
    for frame in takewhile(_inside, frames):
        if _name(frame).startswith("sklearn.model_selection."):
            found = frame.f_locals.get("self", frame.f_locals.get("estimator", found))
    return found


def users_frame() -> tuple[int, FrameType]:
    """The innermost frame of somebody else's code, and its stacklevel as seen from the caller."""
    frames = list(_frames())
    level = min(sum(1 for _ in takewhile(_inside, frames)), len(frames) - 1)
    return level + 1, frames[level]


def _frames() -> Iterator[FrameType]:
    """The stack of who called this module, the innermost first."""
    frame: Any = sys._getframe(2)
    while frame:
        yield frame
        frame = frame.f_back


def _inside(frame: FrameType) -> bool:
    return _name(frame).partition(".")[0] in INSIDE


def _name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
