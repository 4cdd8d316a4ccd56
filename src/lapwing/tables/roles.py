"""Which column is what: targets, columns to leave out, texts, vectors, identifiers, groups."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..types import Frame, MatrixLike
from .checks import check_names
from .extras import TableError, need

VECTOR = "vector"
"""The column that a file of vectors becomes."""


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are for.

    Attributes
    ----------
    target : tuple of str
        Columns to learn; several are learned one by one.
    drop, only, text, keep : tuple of str
        Columns to leave out, to use alone, to read as texts, to use although they look like keys.
    vector : tuple of str
        Columns of vectors (lists, or JSON in text), or ``.npy`` files with a row for each row.
    id : tuple of str
        Columns that name a row: shown, and not learned from.
    group : str or None
        Rows with the same value stay together in folds.

    Examples
    --------
    >>> Roles(target=("y",), id=("ticket",)).aside
    ('y', 'ticket')
    """

    target: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    vector: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    group: str | None = None

    @property
    def aside(self) -> tuple[str, ...]:
        """Columns that are not learned from."""
        return (*self.target, *self.id, *((self.group,) if self.group else ()))

    def check(self, frame: Frame) -> None:
        """Every column that is spoken of exists, and none has two roles that exclude each other."""
        for role in ("target", "drop", "only", "text", "keep", "id"):
            check_names(role, getattr(self, role), frame)
        check_names("vector", [v for v in self.vector if not is_file(v)], frame)
        check_names("group", [self.group] if self.group else [], frame)
        twice = set(self.target) & {*self.drop, *self.only, *self.text, *self.vector, *self.id}
        if twice:
            raise TableError(f"Column {', '.join(sorted(twice))} is the target and something else.")

    def features(self, frame: Frame) -> MatrixLike:
        """The columns to learn from, vectors as one column each."""
        left_out = {*self.aside, *self.drop}
        names = [name for name in self.only or frame.columns if name not in left_out]
        out = frame[names].copy()
        for name in self.vector:
            values = read_vectors(name, len(frame)) if is_file(name) else as_vectors(frame[name])
            out[VECTOR if is_file(name) else name] = values
        if not out.shape[1]:
            raise TableError("No column is left to learn from besides the target.")
        return out


@dataclass(frozen=True)
class Given:
    """Roles and how the target is to be read.

    Attributes
    ----------
    roles : Roles
    unlabeled : tuple of str
        What else marks an unlabeled row.
    task : {"auto", "class", "real"}
    separator : str or None
        What stands between several labels in one cell.
    """

    roles: Roles = field(default_factory=Roles)
    unlabeled: tuple[str, ...] = ()
    task: str = "auto"
    separator: str | None = None


def is_file(name: str) -> bool:
    """Whether a vector is a file of its own."""
    return name.endswith(".npy")


def read_vectors(path: str, n_rows: int) -> list[np.ndarray]:
    """The rows of an array in a ``.npy`` file, one for each row of the table."""
    if not Path(path).is_file():
        raise TableError(f"There is no file {path}.")
    try:
        found = np.load(path, allow_pickle=False)
    except ValueError as error:
        raise TableError(f"{path} is no array of numbers: {error}") from error
    if found.ndim != 2 or len(found) != n_rows or found.dtype.kind not in "iuf":
        raise TableError(
            f"{path} holds an array of {found.dtype} of shape {found.shape}; it must have one row "
            f"of numbers for each of the {n_rows} rows of the table."
        )
    return list(found.astype(float))


def as_vectors(column: Frame) -> Any:
    """A column of lists, or of lists written as JSON, as lists of numbers."""
    pandas = need("pandas", "A table")

    def parsed(value: Any):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError as error:
                raise TableError(
                    f"Column {column.name!r} holds {value[:30]!r}, which is no vector such as "
                    "[0.1, 0.2]."
                ) from error
        return value if isinstance(value, list | tuple | np.ndarray) else None

    return pandas.Series([parsed(v) for v in column], index=column.index, dtype=object)
