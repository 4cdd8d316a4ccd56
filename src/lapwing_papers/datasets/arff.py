"""Reading dense ARFF files, the format of MULAN's collection."""

import csv
import re
from pathlib import Path

import numpy as np

ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(.+)", re.IGNORECASE)


def read_arff(path: Path) -> tuple[np.ndarray, list[str]]:
    """The values as numbers, and the names of the columns.

    A nominal attribute becomes one column of 0 and 1 for each of its values that occurs, in the
    order of their declaration, named ``attribute=value``; a missing value (``?``) is NaN in all of
    them.

    Parameters
    ----------
    path : path

    Returns
    -------
    X : array of shape (n, d)
    names : list of str
    """
    attributes: list[tuple[str, list[str] | None]] = []
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := ATTRIBUTE.match(line.strip()):
                attributes.append((match[1].strip("'\""), _values(match[2])))
            elif line.strip().lower() == "@data":
                break
        rows = [
            [entry.strip().strip("'\"") for entry in row]
            for row in csv.reader(file, skipinitialspace=True)
            if row and not row[0].startswith("%")
        ]
    columns = np.array(rows, dtype=object).T
    if len(columns) != len(attributes):
        raise ValueError(
            f"{path} declares {len(attributes)} attributes and has rows of {len(columns)}."
        )
    blocks, names = [], []
    for (name, values), column in zip(attributes, columns, strict=True):
        block, found = _block(name, values, column)
        blocks.append(block)
        names += found
    return np.hstack(blocks), names


def _values(kind: str) -> list[str] | None:
    """The values of a nominal attribute, None for a number."""
    if not kind.strip().startswith("{"):
        return None
    inside = kind.strip().strip("{}")
    return [v.strip().strip("'\"") for v in next(csv.reader([inside], skipinitialspace=True))]


def _block(name: str, values: list[str] | None, column) -> tuple[np.ndarray, list[str]]:
    missing = column == "?"
    if values is None:
        return np.where(missing, "nan", column).astype(float)[:, None], [name]
    occurring = [v for v in values if (column == v).any()]
    block = (column[:, None] == np.array(occurring, dtype=object)[None, :]).astype(float)
    block[missing] = np.nan
    return block, [f"{name}={v}" for v in occurring]
