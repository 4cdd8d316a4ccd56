"""The rows to label: their cells, their numbers, and which of them are the same."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..tables.labeled_table import group_codes

Picture = Callable[[int], tuple[bytes, str]]
"""File row ↦ bytes of an image and their media type."""


@dataclass(eq=False)
class Rows:
    """All rows of a file; rows with the same content are one point.

    Parameters
    ----------
    name : str
        What is shown as the title.
    matrix : array or CSR matrix of shape (n, d)
        What the model sees of each file row.
    columns : mapping of str to sequence of length n
        The cells, by column; what a person sees.
    keyed : sequence of str, optional
        The columns whose content tells two rows apart; None: all of ``columns``.
    contents : sequence of str, optional
        A content hash for each file row, where it is not that of the cells (an image's bytes).
    text : str, optional
        The column that is read as a text.
    picture : callable, optional
        File row ↦ (bytes, media type).
    given : sequence, optional
        Labels that the file brings, None where it has none.
    fingerprint : str
        SHA-256 of the file.
    source : dict
        How to read the rows again: the file's name and the roles of columns.
    raw : data frame, optional
        What an encoder made the matrix of; a saved model then takes such tables.
    group : str, optional
        The column whose equal values keep rows together.

    Examples
    --------
    >>> rows = Rows("pets", np.eye(3), {"sound": ["purr", "woof", "purr"]})
    >>> rows.n_points, rows.counts.tolist(), rows.point_of.tolist()
    (2, [2, 1], [0, 1, 0])
    """

    name: str
    matrix: Any
    columns: Mapping[str, Sequence[Any]]
    keyed: Sequence[str] | None = None
    contents: Sequence[str] | None = None
    text: str | None = None
    picture: Picture | None = None
    given: Sequence[Any] | None = None
    fingerprint: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)
    raw: Any = None
    group: str | None = None

    def __post_init__(self) -> None:
        n = self.matrix.shape[0]
        for name, cells in self.columns.items():
            if len(cells) != n:
                raise ValueError(f"Column {name!r} has {len(cells)} cells for {n} rows.")
        if n == 0:
            raise ValueError(f"{self.name} has no row to label.")

    @cached_property
    def _hashes(self) -> list[str]:
        if self.contents is not None:
            return list(self.contents)
        names = list(self.columns) if self.keyed is None else list(self.keyed)
        if not names:
            return [_hash(np.asarray(row).tobytes()) for row in _dense(self.matrix)]
        cells = zip(*(self.columns[name] for name in names), strict=True)
        return [_hash(json.dumps([shown(c) for c in row]).encode()) for row in cells]

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        """(first file row of each point, point of each file row)."""
        number: dict[str, int] = {}
        point_of = np.array([number.setdefault(h, len(number)) for h in self._hashes])
        first = np.full(len(number), len(point_of))
        np.minimum.at(first, point_of, np.arange(len(point_of)))
        return first, point_of

    @property
    def point_of(self) -> np.ndarray:
        """The point of each file row, (n,)."""
        return self._points[1]

    @property
    def first(self) -> np.ndarray:
        """The first file row of each point, (n_points,)."""
        return self._points[0]

    @cached_property
    def counts(self) -> np.ndarray:
        """How many file rows each point stands for, (n_points,)."""
        return np.bincount(self.point_of, minlength=self.n_points)

    @property
    def n(self) -> int:
        """File rows."""
        return self.matrix.shape[0]

    @property
    def n_points(self) -> int:
        """Different rows."""
        return len(self.first)

    @cached_property
    def groups(self) -> np.ndarray | None:
        """The group of each point as a number, (n_points,); None where there are none."""
        if self.group is None:
            return None
        cells = self.columns[self.group]
        return group_codes([shown(cells[row]) or None for row in self.first])

    @cached_property
    def keys(self) -> list[str]:
        """The content hash of each point."""
        return [self._hashes[i] for i in self.first]

    @cached_property
    def point_of_key(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.keys)}

    @cached_property
    def X(self) -> Any:
        """The matrix with one row per point."""
        return self.matrix if self.n_points == self.n else self.matrix[self.first]

    def cells(self, point: int) -> list[tuple[str, str]]:
        """Column names and what stands in them, as text."""
        row = self.first[point]
        return [(name, shown(cells[row])) for name, cells in self.columns.items()]

    def brief(self, point: int, length: int = 80) -> str:
        """One line that tells the point from others."""
        told = "" if self.text is None else shown(self.columns[self.text][self.first[point]])
        words = told.strip() or " · ".join(value for _, value in self.cells(point) if value)
        words = " ".join(words.split()) or f"row {self.first[point] + 1}"
        return words if len(words) <= length else words[: length - 1] + "…"

    def find(self, query: str) -> np.ndarray:
        """Points that hold the words; ``column:words`` looks at one column, ``#12`` is row 12."""
        query = query.strip().lower()
        if query.startswith("#") and query[1:].isdigit():
            row = int(query[1:]) - 1
            return self.point_of[row : row + 1] if 0 <= row < self.n else np.array([], int)
        column, _, words = query.partition(":")
        names = {name.lower(): name for name in self.columns}
        if words and column in names:
            cells, words = self.columns[names[column]], words.strip()
            hits = [i for i, row in enumerate(self.first) if words in shown(cells[row]).lower()]
        else:
            hits = [i for i, text in enumerate(self._searched) if query in text]
        return np.array(hits, dtype=int)

    @cached_property
    def _searched(self) -> list[str]:
        columns = list(self.columns.values())
        return ["\n".join(shown(c[row]) for c in columns).lower() for row in self.first]

    def given_labels(self) -> dict[int, str]:
        """Points and the labels the file brings; where duplicates disagree, the most frequent.

        A tie is no label.
        """
        votes: dict[int, Counter] = {}
        for row, label in enumerate(self.given if self.given is not None else ()):
            if label is not None:
                votes.setdefault(int(self.point_of[row]), Counter())[str(label)] += 1
        found = {}
        for point, counter in votes.items():
            (best, most), *others = counter.most_common(2)
            if not others or others[0][1] < most:
                found[point] = best
        return found


def shown(cell: Any) -> str:
    """A cell as text; nothing where it is missing."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix
