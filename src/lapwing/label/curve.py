"""Leave-one-out errors against the number of labels, kept as events."""

from __future__ import annotations

from typing import Any

from .history import Change, History
from .intervals import exact_interval
from .learner import Renewed


def measured(renewed: Renewed) -> list[Change]:
    """What a renewal adds to the curve: nothing where no label could be judged."""
    if not renewed.judged:
        return []
    value = {"wrong": renewed.wrong, "of": renewed.judged}
    return [Change("measured", str(renewed.n_labels), value)]


def error_curve(history: History) -> list[dict[str, Any]]:
    """Numbers of labels with errors and their exact 95 % intervals, the fewest labels first."""
    found = []
    for labels, event in history.current("measured").items():
        wrong, n = event.new["wrong"], event.new["of"]
        low, high = exact_interval(wrong, n)
        found.append({"labels": int(labels), "wrong": wrong, "of": n, "low": low, "high": high})
    return sorted(found, key=lambda entry: entry["labels"])
