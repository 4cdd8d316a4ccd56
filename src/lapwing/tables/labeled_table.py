"""A table, what its columns are for, and the labels in it: all that a fit needs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..targets.markers import is_missing
from .checks import filled_with, leaks
from .columns import Column, plan
from .extras import TableError
from .label_sets import read_label_sets
from .labels import Labels, read_labels
from .reading import Reading
from .roles import Given


@dataclass(frozen=True)
class LabeledTable:
    """What is learned from a table.

    Attributes
    ----------
    reading : Reading
    given : Given
        Roles and how the target is read.
    X : pandas.DataFrame
        The columns to learn from.
    targets : dict of str to Labels
    """

    reading: Reading
    given: Given
    X: Any = field(repr=False)
    targets: dict[str, Labels]

    @property
    def groups(self) -> np.ndarray | None:
        """The group of each row, (n,), a row without one being its own; None: no groups."""
        name = self.given.roles.group
        return None if name is None else group_codes(self.reading.frame[name])

    @property
    def warnings(self) -> list[str]:
        """What a person should look at before a fit: keys, constants, leaks, doubtful labels."""
        columns = self.columns
        out = [line for labels in self.targets.values() for line in labels.said]
        left_out = [f"{c.name} ({c.kind})" for c in columns if not c.used]
        if left_out:
            out.append(f"left out: {', '.join(left_out)}")
        seen = self.X[[c.name for c in columns if c.used]]
        for target, labels in self.targets.items():
            out += [
                f"column {name!r} is empty wherever {target!r} is; --drop {name} if people fill in "
                "both together"
                for name in filled_with(seen, labels.labeled)
            ]
            if labels.task != "labels":
                out += [
                    f"column {name!r} tells {target!r} of every labeled row; --drop {name} if it "
                    "is not known for new rows"
                    for name in leaks(seen, labels.y)
                ]
        return out

    @property
    def columns(self) -> list[Column]:
        """What each column to learn from looks like."""
        roles = self.given.roles
        return [plan(self.X[name], text=roles.text, keep=roles.keep) for name in self.X.columns]


def labeled_table(reading: Reading, given: Given) -> LabeledTable:
    """What is learned from a table that was read.

    Raises
    ------
    TableError
        If a column does not exist, or no row is labeled, or only one class is.
    """
    given.roles.check(reading.frame)
    if not given.roles.target:
        raise TableError("Say which column is the target.")
    targets = {name: _labels(reading, name, given) for name in given.roles.target}
    for name, labels in targets.items():
        _check_labels(name, labels)
    found = LabeledTable(reading, given, given.roles.features(reading.frame), targets)
    groups = found.groups
    for name, labels in targets.items():
        if groups is not None and len(np.unique(groups[labels.labeled])) < 2:
            raise TableError(
                f"All labeled rows of column {name!r} are in one group: nothing can be measured by "
                f"leaving out groups. Label rows of another, or leave out --group."
            )
    return found


def group_codes(column: Any) -> np.ndarray:
    """Numbers of groups, (n,): equal cells are one group, and each empty cell is its own.

    Examples
    --------
    >>> group_codes(["a", None, "b", "a", None]).tolist()
    [0, 2, 1, 0, 3]
    """
    cells = [None if is_missing(cell) else str(cell) for cell in column]
    names = {cell: i for i, cell in enumerate(sorted({c for c in cells if c is not None}))}
    empty = iter(range(len(names), len(names) + len(cells)))
    return np.array([next(empty) if cell is None else names[cell] for cell in cells], dtype=int)


def _labels(reading: Reading, name: str, given: Given) -> Labels:
    column, marks = reading.frame[name], list(given.unlabeled) or None
    sign = given.separator
    if sign is not None and any(sign in str(cell) for cell in column):
        return read_label_sets(column, sign, marks)
    found = read_labels(column, marks, given.task, name=f"column {name!r}")
    if sign is None:
        return found
    remark = f"no cell of {name!r} holds {sign!r}: one label a row"
    return replace(found, said=(*found.said, remark))


def _check_labels(name: str, labels: Labels) -> None:
    if not labels.n_labeled:
        raise TableError(
            f"No row of column {name!r} is labeled: every cell is empty or means unlabeled "
            f"({', '.join(labels.skipped)}). Label two rows of each class, or a few numbers, first."
        )
    if labels.task == "class" and len(labels.counts) < 2:
        raise TableError(
            f"Only one class is labeled in column {name!r}: {next(iter(labels.counts))!r}. Label "
            "rows of at least two classes."
        )
    if labels.task == "real" and labels.n_labeled < 2:
        raise TableError(f"Only one row of column {name!r} has a number; at least two are needed.")
