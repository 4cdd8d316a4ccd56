"""Tables from files as people have them: CSV, TSV, Parquet, JSON lines, Excel, compressed or not.

Every reader takes bytes, so that a file, a compressed file and the standard input are the same.
"""

import gzip
import hashlib
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..types import Frame, PathLike
from .delimited import parse, read_delimited
from .extras import TableError, need
from .formats import READERS
from .sniffing import Dialect

ENDINGS = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv",
    ".parquet": "parquet", ".pq": "parquet",
    ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".xlsx": "excel", ".xlsm": "excel",
}  # fmt: skip
"""The formats by the ending of a file's name; before ``.gz`` too. Any other is read as CSV."""

STARTS = {b"PAR1": "parquet", b"PK\x03\x04": "excel", b"{": "jsonl"}
"""The formats by their first bytes, where there is no name: on the standard input."""

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Reading:
    """A table and how it was read.

    Attributes
    ----------
    frame : pandas.DataFrame
        Numbers as numbers, missing cells as missing.
    name : str
        The file's name, or "standard input".
    said : tuple of str
        What a person should know: encoding, delimiter, renamed columns.
    data : bytes
        The bytes as they were, decompressed.
    dialect : Dialect or None
        None for formats that are no text with delimiters.
    sha256 : str
        Of the bytes as they were, decompressed.
    """

    frame: Any = field(repr=False)
    name: str
    said: tuple[str, ...] = ()
    data: bytes = field(default=b"", repr=False)
    dialect: Dialect | None = None
    sha256: str = ""

    def as_written(self) -> Frame:
        """The same table with every cell of a text file as it was written, "007" included."""
        if self.dialect is None:
            return self.frame
        return parse(self.data.decode(self.dialect.encoding), self.dialect, self.name, raw=True)

    def __str__(self) -> str:
        rows, columns = self.frame.shape
        size = f"{rows:,} row{'s' * (rows != 1)}, {columns} column{'s' * (columns != 1)}"
        return f"{self.name}: {', '.join([size, *self.said])}"


def read(path: PathLike, *, delimiter: str | None = None, encoding: str | None = None) -> Frame:
    """The table in a file, as a pandas data frame.

    Parameters
    ----------
    path : str or path
        CSV, TSV, Parquet, JSON lines or Excel by its ending, each also with ``.gz``; "-" is
        the standard input, whose format is found by its first bytes.
    delimiter, encoding : str, optional
        Of a text file; found where they are not given.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    TableError
        If the file cannot be read as a table; the message says why.

    See Also
    --------
    read_file : The same with what was found out on the way.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from lapwing.tables import read
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "parts.csv"
    >>> _ = path.write_text("name;price\\nbolt;1,5\\nnut;\\n")
    >>> read(path)
       name  price
    0  bolt    1.5
    1   nut    NaN
    """
    return read_file(path, delimiter=delimiter, encoding=encoding).frame


def read_file(
    path: PathLike, *, delimiter: str | None = None, encoding: str | None = None
) -> Reading:
    """The table in a file with what was found out on the way; parameters as for :func:`read`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "parts.csv"
    >>> _ = path.write_text("name;price\\nbolt;1,5\\nnut;\\n")
    >>> print(read_file(path))
    parts.csv: 2 rows, 2 columns, separated by ';', decimal commas
    """
    need("pandas", "Reading a table")
    name, form, data = _bytes_of(path)
    if form == "csv" and delimiter is None and _suffix(name) in (".tsv", ".tab"):
        delimiter = "\t"
    digest = hashlib.sha256(data).hexdigest()
    dialect: Dialect | None = None
    if form == "csv":
        frame, said, dialect = read_delimited(data, name, delimiter, encoding)
    else:
        (frame, said), data = READERS[form](data, name), b""
    if not len(frame.columns):
        raise TableError(f"{name} holds no columns.")
    if not len(frame):
        raise TableError(f"{name} holds a header and no rows.")
    return Reading(frame, name, said, data, dialect, digest)


def _bytes_of(path: PathLike) -> tuple[str, str, bytes]:
    """The name, the format and the bytes, decompressed."""
    if str(path) == STANDARD_INPUT:
        data = _unpacked(sys.stdin.buffer.read(), "standard input")
        form = next((form for start, form in STARTS.items() if data.startswith(start)), "csv")
        return "standard input", form, data
    path = Path(path)
    if path.is_dir():
        raise TableError(f"{path} is a directory; give a file such as {path / 'data.csv'}.")
    if not path.exists():
        near = sorted(p.name for p in path.parent.glob("*") if _suffix(p.name) in ENDINGS)[:5]
        hint = f" Files there: {', '.join(near)}." if near else ""
        raise TableError(f"There is no file {path}.{hint}")
    return path.name, ENDINGS.get(_suffix(path.name), "csv"), _unpacked(path.read_bytes(), path)


def _suffix(name: str) -> str:
    """The ending that tells the format: that before ``.gz``, where there is one."""
    return Path(name.lower().removesuffix(".gz")).suffix


def _unpacked(data: bytes, name: PathLike) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise TableError(f"{name} is compressed, but damaged or cut short: {error}.") from error
