"""A table of a paper, ours beside the printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .expected import Printed
from .records import Records
from .statistics import paired_test


@dataclass(frozen=True)
class Cell:
    """One entry.

    Attributes
    ----------
    ours : array of shape (n,)
        One value per repetition; empty where nothing was run.
    printed : Printed or None
    pvalue : float or None
        Paired t-test over the repetitions against the row's reference.
    none : str
        What stands in place of our value where there is none.
    """

    ours: np.ndarray
    printed: Printed | None = None
    pvalue: float | None = None
    none: str = "not run"

    @property
    def mean(self) -> float:
        return float(self.ours.mean()) if len(self.ours) else float("nan")

    @property
    def spread(self) -> float | None:
        """The standard deviation over repetitions, None for fewer than two."""
        return float(self.ours.std(ddof=1)) if len(self.ours) > 1 else None

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's."""
        return self.mean - self.printed.value if self.printed and len(self.ours) else None


@dataclass(frozen=True)
class Table:
    """Rows × columns of cells.

    Attributes
    ----------
    name, caption : str
    rows, columns : sequences of str
    cells : mapping of (row, column) to Cell
    against : mapping of row to row
        The reference of the paired tests.
    digits : int
        After the decimal point.
    notes : sequence of str
    """

    name: str
    caption: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[str, str], Cell]
    against: Mapping[str, str] = field(default_factory=dict)
    digits: int = 1
    notes: Sequence[str] = ()


def build_table(
    records: Records,
    printed: Mapping[tuple[str, str], Printed],
    *,
    name: str,
    caption: str,
    rows: Sequence[str],
    columns: Sequence[str],
    select: Callable[[str, str], dict] | None = None,
    against: Mapping[str, str] | None = None,
    digits: int = 1,
    notes: Sequence[str] = (),
) -> Table:
    """Fill a table from records.

    Parameters
    ----------
    records : Records
    printed : mapping of (row, column) to Printed
    name, caption, rows, columns, against, digits, notes
        As in :class:`Table`.
    select : callable, optional
        (row, column) ↦ the conditions its records meet; by default the fields ``method`` and
        ``measure``.
    """
    select = select or (lambda row, column: {"method": row, "measure": column})
    against = against or {}
    values = {(r, c): records.values(**select(r, c)) for r in rows for c in columns}
    cells = {
        (r, c): Cell(ours, printed.get((r, c)), _pvalue(ours, values.get((against.get(r, ""), c))))
        for (r, c), ours in values.items()
    }
    return Table(name, caption, rows, columns, cells, against, digits, notes)


def _pvalue(ours: np.ndarray, reference: np.ndarray | None) -> float | None:
    if reference is None or len(ours) < 2 or len(ours) != len(reference):
        return None
    return paired_test(ours, reference).pvalue


def cell_texts(cell: Cell, digits: int) -> tuple[str, str, str]:
    """(ours, the paper's with the difference, p) as text; empty where there is nothing to say."""
    ours = cell.none
    if len(cell.ours):
        ours = f"{cell.mean:.{digits}f}"
        if cell.spread is not None:
            ours += f" ± {cell.spread:.{digits}f}"
    paper = ""
    if cell.printed:
        spread = "" if cell.printed.spread is None else f" ± {cell.printed.spread:g}"
        paper = f"{cell.printed.text}{spread}"
        if cell.difference is not None:
            paper += f", {signed(cell.difference, digits)}"
    elif not len(cell.ours) and cell.none == "not run":
        ours = "–"
    return ours, paper, "" if cell.pvalue is None else p_text(cell.pvalue)


def signed(value: float, digits: int) -> str:
    """With a sign, and a true minus."""
    return f"{value:+.{digits}f}".replace("-", "−")


def p_text(p: float) -> str:
    """Two digits, never a misleading zero.

    Examples
    --------
    >>> p_text(0.0312), p_text(1e-9), p_text(0.0)
    ('p 0.031', 'p 1e-09', 'p < 1e-99')
    """
    if p < 1e-99:
        return "p < 1e-99"
    return f"p {p:.2g}" if p >= 1e-3 else f"p {p:.0e}"
