"""Finished work on disk: one line of JSON each, written at once."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

from .records import Record, Records

SIGNIFICANT = 7  # digits kept of a number


class Store:
    """The records of one run of one experiment, ``<folder>/<name>.jsonl``.

    The first line says which experiment, seed and revision the file belongs to. Each further line
    is one finished unit of work; a line that a killed run left unfinished is cut off and its work
    is done again.

    Parameters
    ----------
    path : path
    head : dict
        What must be the same for a run to be continued.
    present : str
        The hash of the present code, which new records are marked with.
    """

    def __init__(self, path: Path, head: dict, present: str):
        self.path, self.head, self.present = path, head, present
        self._units: dict[tuple[int, str], dict] = {}
        if path.exists():
            self._read()

    @property
    def done(self) -> set[tuple[int, str]]:
        """(repetition, part) of all finished work."""
        return set(self._units)

    def append(self, repetition: int, part: str, seconds: float, records: list[Record]) -> None:
        """Write a finished unit of work, and make sure that it is on the disk."""
        unit = {
            "repetition": repetition,
            "part": part,
            "seconds": round(seconds, 2),
            "code": self.present,
            "records": [_short(r) for r in records],
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not self.path.exists()
        with self.path.open("a", encoding="utf-8") as file:
            if fresh:
                file.write(json.dumps(self.head) + "\n")
            file.write(json.dumps(unit, separators=(",", ":"), ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._units[repetition, part] = unit

    def records(self, repetitions: int | None = None) -> Records:
        """All records, or those of the first so many repetitions."""
        return Records(
            {"repetition": u["repetition"], "part": u["part"], **record}
            for u in self._units.values()
            if repetitions is None or u["repetition"] < repetitions
            for record in u["records"]
        )

    def seconds(self) -> float:
        """The time of all finished work, over all processes."""
        return sum(u["seconds"] for u in self._units.values())

    def code(self) -> dict[str, int]:
        """How many units of work each code has done, by its hash; "" where none was kept."""
        return dict(Counter(str(u.get("code", "")) for u in self._units.values()))

    @property
    def is_present(self) -> bool:
        """Whether the present code has done all of it."""
        return set(self.code()) == {self.present}

    def _read(self) -> None:
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            self.path.write_bytes(whole)
        lines = whole.decode("utf-8").splitlines()
        if not lines:
            self.path.unlink()
            return
        head = json.loads(lines[0])
        if head != self.head:
            raise ValueError(
                f"{self.path} holds the run {head}, which the run {self.head} cannot continue. "
                "Choose another --out, or remove the file."
            )
        for line in lines[1:]:
            unit = json.loads(line)
            self._units[unit["repetition"], unit["part"]] = unit


def _short(record: Record) -> Record:
    """Numbers with as many digits as are worth keeping."""
    return {k: float(f"{v:.{SIGNIFICANT}g}") if _is_real(v) else v for k, v in record.items()}


def _is_real(value) -> bool:
    return isinstance(value, float) or type(value).__name__.startswith("float")
