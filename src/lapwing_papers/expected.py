"""The papers' numbers are data: ``<paper>/expected.csv`` with table, row, column, value, spread."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Printed:
    """A number as printed.

    Attributes
    ----------
    value : float
    spread : float or None
        The printed standard deviation, where there is one.
    text : str
        As it stands in the paper.
    """

    value: float
    spread: float | None
    text: str


@cache
def read_expected(path: Path, table: str) -> dict[tuple[str, str], Printed]:
    """(row, column) ↦ number, of one table; empty where the paper prints none."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["table"] == table]
    return {(r["row"], r["column"]): _printed(r["value"], r["spread"]) for r in rows}


def _printed(value: str, spread: str) -> Printed:
    return Printed(float(value), float(spread) if spread else None, value)
