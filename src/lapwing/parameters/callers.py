"""Who called: the user's own line, and the cross-validation that a fit is a part of."""

from __future__ import annotations

import sys
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


def current_fold() -> Fold | None:
    """The fold that is being fitted; None outside of a cross-validation."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (_name(frame), frame.f_code.co_name) != FOLD:
        frame = frame.f_back
    if frame is None:
        return None
    given = frame.f_locals
    asked = {"estimator", "scorer", "y", "test"}
    if not asked <= given.keys() or given["y"] is None:
        return None
    return Fold(_owner(frame), given["scorer"], given["y"], given["test"])


def _owner(frame: FrameType) -> Any:
    """The search whose method runs the folds, or the estimator as it was given."""
    owner, outer = frame.f_locals["estimator"], frame.f_back
    while outer is not None and _name(outer).partition(".")[0] in INSIDE:
        if _name(outer).startswith("sklearn.model_selection."):
            owner = outer.f_locals.get("self", outer.f_locals.get("estimator", owner))
        outer = outer.f_back
    return owner


def users_frame() -> tuple[int, FrameType]:
    """The innermost frame of somebody else's code, and its stacklevel as seen from the caller."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _name(frame).partition(".")[0] in INSIDE:
        level, frame = level + 1, frame.f_back
    return level, frame


def _name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
