"""Write a file under another name and rename it. The old file stays complete until the end."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..types import PathLike


@contextmanager
def written_beside(path: PathLike) -> Iterator[Path]:
    """Yield a path to write to. It replaces ``path`` at the end. After an error it is removed.

    Examples
    --------
    >>> folder = Path(tempfile.mkdtemp())
    >>> with written_beside(folder / "a.txt") as beside:
    ...     _ = beside.write_text("all of it")
    >>> sorted(p.name for p in folder.iterdir())
    ['a.txt']
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; give the name of a file in it.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no directory {path.parent} to write {path.name} into.")
    if path.exists() and not path.is_file():  # a device such as /dev/stdout cannot be replaced
        with _said_of(path, "could not be written"):
            yield path
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        with _said_of(path, "was not written, and nothing there was changed"):
            yield beside
            with beside.open("rb") as written:
                os.fsync(written.fileno())
            os.chmod(beside, _mode_for(path))
            os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def _said_of(path: Path, what: str) -> Iterator[None]:
    """Add the name of the file to system errors while writing, such as a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, f"{path} {what}: {error.strerror}.") from error


def _mode_for(path: Path) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
