"""Downloads that are whole and right, or not there at all."""

import hashlib
import os
import tempfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from lapwing.progress import Bar

BLOCK = 1 << 16
SECONDS = 30


class DownloadError(OSError):
    """A file could not be fetched from its public source; the message says why and what to do."""


@dataclass(frozen=True)
class Source:
    """A file at a public address.

    Attributes
    ----------
    url : str
    checksum : str or None
        ``sha256:…`` or ``md5:…``, of the whole file; None where none is published: the arrays
        that are made of it are checked instead.
    """

    url: str
    checksum: str | None = None

    @property
    def file(self) -> str:
        """Its name."""
        return self.url.rsplit("/", 1)[-1]


def fetch(source: Source, folder: Path) -> Path:
    """The file in a folder, downloaded unless it is there with the right checksum.

    A file appears under its name only when it is complete and its checksum is right: a download
    that is cut off, or of another file, leaves nothing behind.

    Parameters
    ----------
    source : Source
    folder : path

    Raises
    ------
    DownloadError
        No network, a refusal, a cut-off or a wrong file.
    """
    path = folder / source.file
    if path.exists() and checksum(path, source.checksum) == source.checksum:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{source.file}.", dir=folder)
    os.close(handle)
    partial = Path(name)
    try:
        _receive(source, partial)
        found = checksum(partial, source.checksum)
        if found != source.checksum:
            raise DownloadError(
                f"{source.url} is not the file it was: its checksum is {found}, expected "
                f"{source.checksum}. Nothing was kept. Get the file elsewhere and put it into "
                f"{folder}."
            )
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def checksum(path: Path, like: str | None) -> str | None:
    """``algorithm:digest`` of a file, by the algorithm of another checksum; None for None."""
    if like is None:
        return None
    algorithm = like.split(":")[0]
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"


def _receive(source: Source, path: Path) -> None:
    try:
        with urllib.request.urlopen(source.url, timeout=SECONDS) as answer, path.open("wb") as file:
            length = int(answer.headers.get("Content-Length") or 0)
            bar = Bar(f"{source.file} (MB)", length, unit=1e6)
            while block := answer.read(BLOCK):
                file.write(block)
                bar.step(len(block))
            bar.close()
    except urllib.error.HTTPError as error:
        raise DownloadError(_failed(source, f"the server answered {error.code}")) from error
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise DownloadError(_failed(source, f"no connection ({reason})")) from error
    received = path.stat().st_size
    if length and received != length:
        raise DownloadError(_failed(source, f"cut off after {received} of {length} bytes"))


def _failed(source: Source, why: str) -> str:
    return (
        f"{source.url} could not be downloaded: {why}. Try again later, or download it by other "
        "means and name the directory that holds the data (data_home=…, --data DIR)."
    )
