"""How a text file was written: its encoding, its delimiter, its decimal sign."""

import csv
import re
from collections import Counter
from dataclasses import dataclass

DELIMITERS = (",", ";", "\t", "|")
SAMPLE = 65_536
"""Characters by which the delimiter is found."""

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig", "UTF-8 with a byte-order mark"),
    (b"\xff\xfe", "utf-16", "UTF-16"),
    (b"\xfe\xff", "utf-16", "UTF-16"),
)
_COMMA_NUMBER = re.compile(r"[+-]?\d{1,3}(\.?\d{3})*,\d+")
_POINT_NUMBER = re.compile(r"[+-]?\d+\.\d+")


@dataclass(frozen=True)
class Dialect:
    """What a text file turned out to be.

    Attributes
    ----------
    encoding : str
        As Python calls it.
    delimiter : str
    decimal : str
        "." or ",".
    said : tuple of str
        What a person should know of it, in words.
    """

    encoding: str
    delimiter: str
    decimal: str
    said: tuple[str, ...]


def find_encoding(data: bytes) -> tuple[str, str]:
    """The encoding as Python calls it, and as people do.

    Bytes that are no UTF-8 are read as Windows-1252, of which Latin-1 text is a part.

    Examples
    --------
    >>> find_encoding("é".encode())
    ('utf-8', 'UTF-8')
    >>> find_encoding("é".encode("latin-1"))
    ('cp1252', 'Latin-1 (Windows-1252)')
    """
    for mark, name, words in _MARKS:
        if data.startswith(mark):
            return name, words
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8", "UTF-8"
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:  # five bytes mean nothing there
        return "latin-1", "Latin-1"
    return "cp1252", "Latin-1 (Windows-1252)"


def find_delimiter(sample: str) -> str:
    """The delimiter that cuts most lines into the same number of fields, two or more.

    Examples
    --------
    >>> find_delimiter("name;price\\nbolt;1,5\\nnut;0,75\\n")
    ';'
    """
    scores = {sign: _agreement(sample, sign) for sign in DELIMITERS}
    best = max(scores, key=lambda sign: scores[sign])
    return best if scores[best] > (0.0, 0) else ","


def _agreement(sample: str, delimiter: str) -> tuple[float, int]:
    """The share of records as long as the header, and their length; (0, 0) without a cut."""
    found = records(sample, delimiter)
    if not found or len(found[0]) < 2:
        return 0.0, 0
    width = len(found[0])
    return Counter(map(len, found))[width] / len(found), width


def records(sample: str, delimiter: str) -> list[list[str]]:
    """The whole records of the beginning of a file, blank lines left out."""
    lines = sample.splitlines(keepends=True)
    if len(sample) >= SAMPLE and len(lines) > 1:
        lines = lines[:-1]  # cut in the middle
    try:
        found = [record for record in csv.reader(lines, delimiter=delimiter) if record]
    except csv.Error:
        return []
    return found[:-1] if len(sample) >= SAMPLE and len(found) > 1 else found


def find_decimal(sample: str, delimiter: str) -> str:
    """A comma where more numbers are written with one than with a point."""
    if delimiter == ",":
        return "."
    cells = [cell for record in records(sample, delimiter)[1:] for cell in record]
    commas = sum(_COMMA_NUMBER.fullmatch(cell.strip()) is not None for cell in cells)
    points = sum(_POINT_NUMBER.fullmatch(cell.strip()) is not None for cell in cells)
    return "," if commas > points else "."


def find_dialect(
    data: bytes, encoding: str | None = None, delimiter: str | None = None
) -> tuple[Dialect, str]:
    """The dialect of a file, and its text; what is given is not looked for.

    Raises
    ------
    UnicodeDecodeError, LookupError
        If the given encoding does not fit, or does not exist.
    """
    name, words = find_encoding(data) if encoding is None else (encoding, encoding)
    text = data.decode(name)
    sample = text[:SAMPLE]
    sign = find_delimiter(sample) if delimiter is None else delimiter
    decimal = find_decimal(sample, sign)
    said = []
    if words != "UTF-8":
        said.append(f"encoding {words}")
    if sign != ",":
        said.append({"\t": "separated by tabs"}.get(sign, f"separated by {sign!r}"))
    if decimal == ",":
        said.append("decimal commas")
    return Dialect(name, sign, decimal, tuple(said)), text
