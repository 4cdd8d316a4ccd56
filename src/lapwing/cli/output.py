"""Data go to the standard output or a file, words to the standard error."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..io import written_beside
from ..tables.extras import TableError, need
from ..tables.sniffing import Dialect
from ..tables.words import cell
from ..types import Frame

SHOWN = 40
"""Rows of a table that a terminal shows."""


@dataclass(frozen=True)
class Result:
    """What a verb has found.

    Attributes
    ----------
    data : dict
        All of it, for ``--json``.
    table : pandas.DataFrame or None
        For the output file or the standard output.
    words : list of str
        For a person.
    follow : str
        The command that one would give next.
    dialect : Dialect or None
        How the file was written whose cells the table holds: it is written in the same way.
    """

    data: dict[str, Any]
    table: Any = None
    words: list[str] = field(default_factory=list)
    follow: str = ""
    dialect: Dialect | None = None


class Voice:
    """Words on the standard error; progress only on a terminal.

    Parameters
    ----------
    quiet : bool
    """

    def __init__(self, quiet: bool = False):
        self.quiet = quiet
        self._open = False

    def say(self, text: str) -> None:
        """A line that stays."""
        if not self.quiet:
            sys.stderr.write(f"{self._clear()}{text}\n")
            sys.stderr.flush()

    def doing(self, text: str) -> None:
        """What is being done, rewritten in place."""
        if not self.quiet and sys.stderr.isatty():
            sys.stderr.write(f"{self._clear()}{text} …")
            sys.stderr.flush()
            self._open = True

    def _clear(self) -> str:
        was, self._open = self._open, False
        return "\r\033[K" if was else ""


def check_free(path: str | None, force: bool) -> None:
    """An output file is refused before any work where it exists, or its directory does not."""
    if path is None or path == "-":
        return
    place = Path(path)
    if place.is_dir():
        raise TableError(f"{path} is a directory; give the name of a file in it.")
    if not place.parent.is_dir():
        raise TableError(f"There is no directory {place.parent} to write {place.name} into.")
    if place.is_file() and not force:
        raise TableError(f"{path} exists; give --force to replace it, or another name.")


def emit(result: Result, arguments: argparse.Namespace, voice: Voice) -> None:
    """Say the words, write the table, print what was asked for, and suggest what is next."""
    for line in result.words:
        voice.say(line)
    output = getattr(arguments, "output", None)
    to_file = output not in (None, "-") and result.table is not None
    if output is not None and to_file:
        write_table(result.table, output, result.dialect)
        voice.say(f"wrote {output}")
    if arguments.json:
        sys.stdout.write(json.dumps(plain(result.data), indent=2, ensure_ascii=False) + "\n")
    elif result.table is not None and not to_file:
        _print(result.table, result.dialect)
    sys.stdout.flush()
    if result.follow:
        voice.say(f"next: {result.follow}")


def _print(table: Frame, dialect: Dialect | None) -> None:
    """A table for people on a terminal, CSV in a pipe."""
    if not sys.stdout.isatty():
        sys.stdout.write(as_text(table, dialect))
        return
    shown = table.head(SHOWN)
    text = shown.to_string(index=False, na_rep="", max_colwidth=32, float_format=cell)
    more = len(table) - len(shown)
    sys.stdout.write(text + "\n" + (f"… {more:,} rows more\n" if more else ""))


def as_text(table: Frame, dialect: Dialect | None, ending: str = "") -> str:
    """A table as CSV, with the delimiter and the decimal sign of the file that it came from.

    An ending .tsv asks for tabs, and .csv for none.
    """
    sign, decimal = (",", ".") if dialect is None else (dialect.delimiter, dialect.decimal)
    if ending.endswith((".tsv", ".tab")):
        sign = "\t"
    elif ending.endswith(".csv") and sign == "\t":
        sign = "," if decimal == "." else ";"
    return table.to_csv(index=False, sep=sign, decimal=decimal)


def write_table(table: Frame, path: str, dialect: Dialect | None = None) -> None:
    """A table to a file of the format that its ending says, beside first and then renamed."""
    name = path.lower().removesuffix(".gz")
    buffer = io.BytesIO()
    if name.endswith((".parquet", ".pq")):
        need("pyarrow", "Writing Parquet")
        table.to_parquet(buffer, index=False)
    elif name.endswith((".jsonl", ".ndjson")):
        buffer.write(table.to_json(orient="records", lines=True, force_ascii=False).encode())
    elif name.endswith((".xlsx", ".xlsm")):
        need("openpyxl", "Writing Excel")
        table.to_excel(buffer, index=False)
    else:
        plain_text = dialect is None or dialect.encoding == "utf-8"
        encoding = "utf-8" if plain_text else "utf-8-sig"  # the mark tells spreadsheets
        buffer.write(as_text(table, dialect, name).encode(encoding))
    data = buffer.getvalue()
    write_bytes(gzip.compress(data) if path.lower().endswith(".gz") else data, path)


def write_bytes(data: bytes, path: str) -> None:
    """Bytes to a file, beside first and then renamed."""
    with written_beside(path) as beside:
        beside.write_bytes(data)


def plain(value: Any) -> Any:
    """The value as JSON holds it: lists, dicts, finite numbers, text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
