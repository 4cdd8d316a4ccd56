"""Where a data set's files are: a directory the user names, or a cache filled by downloads."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .download import DownloadError, Source, fetch

Arrays = dict[str, np.ndarray]
VARIABLE = "LAPWING_DATA"


@dataclass(frozen=True)
class DataFiles:
    """A data set as files.

    Attributes
    ----------
    name : str
    files : tuple of str
        In the layout of a data directory.
    origin : str
        Who published it, for people.
    sources : tuple of Source
        What to download; empty where no public place is known to last.
    convert : callable or None
        Downloaded files ↦ the arrays of the one file in ``files``, or a list with those of each.
    content : str or None
        :func:`fingerprint` of the arrays, for sources that publish no checksum of their files.
    """

    name: str
    files: tuple[str, ...]
    origin: str
    sources: tuple[Source, ...] = ()
    convert: Callable[[list[Path]], Arrays | list[Arrays]] | None = field(default=None, repr=False)
    content: str | None = None

    def locate(self, data_home=None) -> list[Path]:
        """The files, downloaded first where no directory is named and they are not yet there.

        Parameters
        ----------
        data_home : path or None
            A directory with the files; None is the cache (``$LAPWING_DATA`` or
            ``~/.cache/lapwing``).
        """
        folder = cache_folder() if data_home is None else Path(data_home)
        paths = [folder / file for file in self.files]
        missing = [path for path in paths if not path.exists()]
        if missing and data_home is not None:
            raise FileNotFoundError(
                f"{self.name} needs {', '.join(str(p) for p in missing)}, which is not there. "
                "Name the directory that holds it, or name none to download it."
            )
        if missing:
            self._download(folder)
        return paths

    def open(self, data_home=None) -> dict[str, np.ndarray]:
        """The arrays of a data set that is one file."""
        (path,) = self.locate(data_home)
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}

    def _download(self, folder: Path) -> None:
        if not self.sources or self.convert is None:
            raise FileNotFoundError(
                f"{self.name} cannot be downloaded: {self.origin}. Put {', '.join(self.files)} "
                f"into {folder}, or name the directory that holds it (data_home=…, --data DIR)."
            )
        found = self.convert([fetch(source, folder / "raw") for source in self.sources])
        parts = found if isinstance(found, list) else [found]
        arrays = {name: part[name] for part in parts for name in part}
        if self.content is not None and fingerprint(arrays) != self.content:
            raise DownloadError(
                f"What was downloaded from {self.sources[0].url} is not the {self.name} that the "
                f"papers' tables were made with (fingerprint {fingerprint(arrays)[:12]}…, expected "
                f"{self.content[:12]}…). Nothing was kept."
            )
        for file, part in zip(self.files, parts, strict=True):
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f".{path.name}.partial.npz")
            np.savez_compressed(partial, **part)  # type: ignore[arg-type]
            partial.replace(path)


def fingerprint(arrays: dict[str, np.ndarray]) -> str:
    """A checksum of the numbers themselves, in single precision, whatever file they came in."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        if arrays[name].dtype.kind in "iufb":
            values = np.asarray(arrays[name], dtype=np.float32) + 0.0  # no negative zeros
            values[np.isnan(values)] = np.nan  # one kind of NaN
            digest.update(f"{name}{values.shape}".encode() + values.tobytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """``$LAPWING_DATA``, or ``~/.cache/lapwing``."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else Path.home() / ".cache" / "lapwing"
