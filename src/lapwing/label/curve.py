"""Leave-one-out errors against the number of labels, kept as events."""

from __future__ import annotations

import math
from typing import Any

from .history import Change, History
from .intervals import exact_interval
from .learner import Renewed


def measured(renewed: Renewed) -> list[Change]:
    """What a renewal adds to the curve: nothing where no label could be judged."""
    if not renewed.judged or math.isnan(renewed.error):
        return []
    low, high = renewed.interval
    value = {"wrong": renewed.wrong, "of": renewed.judged,
             "error": renewed.error, "low": low, "high": high}  # fmt: skip
    return [Change("measured", str(renewed.n_labels), value)]


def error_curve(history: History) -> list[dict[str, Any]]:
    """Numbers of labels with expected errors and 95 % intervals, the fewest labels first.

    Sessions of earlier versions kept counts alone: they are shown with their exact interval.
    """
    found = [
        {"labels": int(labels), **_counted(event.new), **event.new}
        for labels, event in history.current("measured").items()
    ]
    return sorted(found, key=lambda entry: entry["labels"])


def _counted(value: dict[str, Any]) -> dict[str, float]:
    low, high = exact_interval(value["wrong"], value["of"])
    return {"error": value["wrong"] / value["of"], "low": low, "high": high}
