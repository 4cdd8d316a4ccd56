"""CSV and its kin: from bytes to a data frame, with what a person should know of it."""

import csv
import io
import re
from collections import Counter
from typing import Any

from ..types import Frame
from .extras import TableError, need
from .sniffing import SAMPLE, Dialect, find_dialect, records

_CODE = re.compile(r"0\d+")


def read_delimited(data: bytes, name: str, delimiter: str | None, encoding: str | None) -> Any:
    if not data.strip():
        raise TableError(f"{name} is empty.")
    if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            f"{name} is no text. Give CSV, TSV, JSON lines (.jsonl), Parquet (.parquet) or "
            "Excel (.xlsx), with the ending that says so."
        )
    try:
        dialect, text = find_dialect(data, encoding, delimiter)
    except LookupError as error:
        raise TableError(f"There is no encoding {encoding!r}.") from error
    except UnicodeDecodeError as error:
        raise TableError(
            f"{name} is not written in {error.encoding}: byte {error.start} is "
            f"0x{data[error.start]:02x}. Leave the encoding out, and it will be found."
        ) from error
    frame = parse(text, dialect, name, raw=False)
    return frame, (*dialect.said, *_renamed(text, dialect, frame)), dialect


def parse(text: str, dialect: Dialect, name: str, *, raw: bool) -> Any:
    pandas = need("pandas", "Reading a table")
    if raw:
        as_text = {"dtype": str, "keep_default_na": False}
    else:
        as_text = {"dtype": dict.fromkeys(_codes(text, dialect), str), "low_memory": False}
    try:
        frame = pandas.read_csv(
            io.StringIO(text),
            sep=dialect.delimiter,
            decimal=dialect.decimal,
            skipinitialspace=True,
            **as_text,
        )
    except pandas.errors.ParserError as error:
        reason = str(error).replace("Error tokenizing data. C error: ", "").strip()
        raise TableError(
            f"{name} cannot be read as a table separated by {dialect.delimiter!r}: {reason}. "
            "Mend that line, or give the delimiter."
        ) from error
    except pandas.errors.EmptyDataError as error:
        raise TableError(f"{name} is empty.") from error
    if not frame.index.equals(
        pandas.RangeIndex(len(frame))
    ):  # one field more than the header names
        frame = frame.reset_index(names=[f"unnamed_{i}" for i in range(frame.index.nlevels)])
    frame.columns = [str(c).strip() for c in frame.columns]
    return frame


def _codes(text: str, dialect: Dialect) -> list[str]:
    """Columns such as postal codes: among the first cells is one like "01234"."""
    header, *rows = records(text[:SAMPLE], dialect.delimiter) or [[]]
    if len(set(header)) < len(header):
        return []
    return [
        name
        for i, name in enumerate(header)
        if any(_CODE.fullmatch(row[i].strip()) for row in rows if len(row) == len(header))
    ]


def _renamed(text: str, dialect: Dialect, frame: Frame) -> tuple[str, ...]:
    """What pandas did to names that occur twice or not at all."""
    header = next(csv.reader(io.StringIO(text), delimiter=dialect.delimiter), [])
    counts = Counter(cell.strip() for cell in header)
    said = [
        f"column {name!r} occurs {count} times (renamed "
        f"{', '.join(repr(f'{name}.{i}') for i in range(1, count))})"
        for name, count in counts.items()
        if count > 1 and name
    ]
    if counts[""]:
        said.append(f"{counts['']} column{'s' * (counts[''] > 1)} without a name")
    if len(header) < frame.shape[1]:
        said.append("the rows have more fields than the header: the first are called unnamed")
    if header and all(_is_number(cell) for cell in header):
        said.append("the first line holds numbers and was read as names: is the header missing?")
    return tuple(said)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
