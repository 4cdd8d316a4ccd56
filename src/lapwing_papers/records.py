"""What repetitions leave behind: flat records, and the ways to look at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

Record = dict[str, Any]


class Records:
    """Flat records, each with a ``repetition``, a ``part`` and a ``value``, in a fixed order.

    The order is that of the repetitions, whichever finished first: values of two methods over the
    same repetitions are pairs.

    Parameters
    ----------
    rows : iterable of dict

    Examples
    --------
    >>> rows = [{"repetition": r, "part": "all", "method": m, "value": r + (m == "b")}
    ...         for r in (1, 0) for m in "ab"]
    >>> records = Records(rows)
    >>> records.values(method="b").tolist()
    [1.0, 2.0]
    >>> records.distinct("method")
    ['a', 'b']
    """

    def __init__(self, rows: Iterable[Record]):
        self.rows = sorted(rows, key=lambda r: (r["repetition"], str(r["part"])))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.rows)

    def where(self, **conditions) -> Records:
        """The records whose fields are these; a tuple stands for any of its values."""
        return Records(r for r in self.rows if all(_fits(r, k, v) for k, v in conditions.items()))

    def values(self, field: str = "value", **conditions) -> np.ndarray:
        """One field of the records that meet the conditions."""
        return np.array([float(r[field]) for r in self.where(**conditions)])

    def distinct(self, field: str) -> list:
        """The values a field takes, in order of first appearance."""
        return list(dict.fromkeys(r[field] for r in self.rows if field in r))

    def mean(self, **conditions) -> float:
        """The mean value under the conditions, NaN where there is none."""
        values = self.values(**conditions)
        return float(values.mean()) if len(values) else float("nan")

    def by(self, field: str, **conditions) -> dict:
        """Field ↦ mean value, in order of first appearance."""
        chosen = self.where(**conditions)
        return {key: chosen.mean(**{field: key}) for key in chosen.distinct(field)}

    @property
    def n_repetitions(self) -> int:
        return len(self.distinct("repetition"))


def _fits(record: Record, field: str, wanted) -> bool:
    found = record.get(field)
    return found in wanted if isinstance(wanted, tuple) else found == wanted
