"""Small questions to the rows' numbers."""

import numpy as np
from sklearn.metrics import pairwise_distances

from ..types import MatrixLike
from .rows import Rows


def nearest(X: MatrixLike, point: int, others: np.ndarray, n: int) -> list[int]:
    """The n of ``others`` that are nearest to a point, the nearest first."""
    if not len(others):
        return []
    distance = pairwise_distances(X[point : point + 1], X[others])[0]
    return [int(i) for i in others[np.argsort(distance, kind="stable")[:n]]]


def numbers(rows: Rows, names: tuple[str, str]) -> np.ndarray:
    """Two columns as numbers, (n_points, 2); a ValueError names a column that has none."""
    out = np.empty((rows.n_points, 2))
    for j, name in enumerate(names):
        if name not in rows.columns:
            raise ValueError(f"There is no column {name!r}; there are {', '.join(rows.columns)}.")
        cells = rows.columns[name]
        try:
            out[:, j] = [np.nan if cells[i] is None else float(cells[i]) for i in rows.first]
        except (TypeError, ValueError):
            raise ValueError(f"Column {name!r} holds words, not numbers.") from None
    return out


def numeric_columns(rows: Rows) -> list[str]:
    """Columns that can be an axis of the map: they hold numbers and gaps alone."""
    found = []
    for name, cells in rows.columns.items():
        kinds = {type(c) for c in cells} - {type(None)}
        if kinds and all(issubclass(k, int | float | np.number) for k in kinds):
            found.append(name)
    return found
