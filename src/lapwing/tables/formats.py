"""Parquet, JSON lines and Excel: each from bytes to a data frame and what to say of it."""

import io
import zipfile

from .extras import TableError, need


def _read_parquet(data: bytes, name: str):
    pandas = need("pandas", "Reading Parquet")
    need("pyarrow", "Reading Parquet")
    try:
        return pandas.read_parquet(io.BytesIO(data)), ()
    except (ValueError, OSError) as error:
        raise TableError(f"{name} cannot be read as Parquet: {_first_line(error)}") from error


def _read_jsonl(data: bytes, name: str):
    pandas = need("pandas", "Reading JSON lines")
    try:
        return pandas.read_json(io.BytesIO(data), lines=True, dtype=False), ()
    except ValueError as error:
        raise TableError(
            f"{name} cannot be read as JSON lines, one object in each line: {_first_line(error)}"
        ) from error


def _read_excel(data: bytes, name: str):
    pandas = need("pandas", "Reading Excel")
    need("openpyxl", "Reading Excel")
    try:
        with pandas.ExcelFile(io.BytesIO(data)) as book:
            frame, names = pandas.read_excel(book, sheet_name=0), book.sheet_names
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise TableError(f"{name} cannot be read as Excel: {_first_line(error)}") from error
    frame.columns = [str(c) for c in frame.columns]
    more = f"the first sheet, {names[0]!r}, of {len(names)}"
    return frame, ((more,) if len(names) > 1 else ())


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]


READERS = {"parquet": _read_parquet, "jsonl": _read_jsonl, "excel": _read_excel}
