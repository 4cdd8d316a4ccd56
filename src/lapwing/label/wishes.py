"""What a person does to labels and classes, checked, as changes for the store."""

from __future__ import annotations

from typing import Any

import numpy as np

from .answers import Answers
from .history import Change
from .rows import Rows
from .state import State


def checked_points(rows: Rows, points: Any) -> np.ndarray:
    """Points as an array, each once; a ValueError names what is not a point of these rows."""
    points = np.unique(np.atleast_1d(np.asarray(points)))
    if points.dtype.kind not in "iu" or not len(points):
        raise ValueError(f"Points are whole numbers; got {points.tolist()!r}.")
    if points[0] < 0 or points[-1] >= rows.n_points:
        wrong = points[0] if points[0] < 0 else points[-1]
        raise ValueError(f"Points go from 0 to {rows.n_points - 1}; got {wrong}.")
    return points


def labeled(
    state: State, points: Any, name: str | int | None, settings: dict[str, Any]
) -> list[Change]:
    """Points get a class by its name (a new one is made), by its number, or None: no label."""
    if name is None:
        return state.label_changes(points, None, settings)
    if not isinstance(name, str):
        return state.label_changes(points, state.known(name), settings)
    number = state.number_of(name)
    if number is not None:
        return state.label_changes(points, number, settings)
    number, change = state.new_class(name)
    return [change, *state.label_changes(points, number, settings)]


def accepted(state: State, model: Answers, points: Any, settings: dict[str, Any]) -> list[Change]:
    """Points get what the model says of them."""
    said = model.codes[points]
    if (said < 0).any():
        raise ValueError("The model has no answer for this row yet.")
    return [
        change
        for point, number in zip(points, said, strict=True)
        for change in state.label_changes([point], int(number), settings)
    ]


def renamed(state: State, number: int, name: str) -> list[Change]:
    """A class gets another name; the name of another class merges the two."""
    number, name = state.known(number), " ".join(str(name).split())
    other = state.number_of(name)
    if other is not None and other != number:
        return state.merge_changes(number, other)
    if other == number:
        return []
    return [Change("class", str(number), {"name": state.checked_name(name)})]


def origin(model: Answers, points: np.ndarray, via: str) -> dict[str, Any]:
    """How a label came about: the queue, the model, and what it said of a single row."""
    out: dict[str, Any] = {"via": via}
    answer = int(model.codes[points[0]])
    if len(points) == 1 and answer >= 0:
        out["answer"] = answer
        out["confidence"] = round(float(model.confidence()[points[0]]), 3)
    if model.renewed is not None:
        out["model"] = {"labels": model.renewed.n_labels, **model.renewed.settings}
    return out
