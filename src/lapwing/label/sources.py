"""From a file, a folder of images, an array or the demo to rows that can be labeled."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from ..tables import Encoder, TableError, read_file, read_labels
from .images import SUFFIXES, bitmap, image_features, inside, media_type
from .rows import Rows
from .store import Store

SESSION = ".lapwing"
DEMO = "digits"


@dataclass(frozen=True)
class Source:
    """What is to be labeled, and the roles of its columns.

    Parameters
    ----------
    path : str
        A table (CSV, TSV, Parquet, JSON lines, Excel), a ``.npy`` file, or a folder of images.
    target : str, optional
        The column that holds labels already, and is never shown to the model.
    text, image : str, optional
        The column that is a text, and the one that holds paths of images.
    vector : str, optional
        A ``.npy`` file with one row per row of the table: all that the model sees.
    drop : tuple of str
        Columns that the model does not see.
    group : str, optional
        Rows with the same value of this column stay together in leave-one-out and audits; the
        model does not see it.
    """

    path: str
    target: str | None = None
    text: str | None = None
    image: str | None = None
    vector: str | None = None
    drop: tuple[str, ...] = ()
    group: str | None = None

    @property
    def unseen(self) -> list[str]:
        """Columns that the model does not see."""
        return [*self.drop, *([self.group] if self.group else [])]

    def with_roles_of(self, store: Store) -> Source:
        """The same with the roles that the session's events tell, where these are not given."""
        if store.history.current("file").get("") is None:
            return self
        given = {name: value for name, value in vars(self).items() if value}
        return replace(recorded_source(store, folder_of(store, Path(self.path))), **given)

    def recorded(self, folder: Path) -> dict[str, Any]:
        """The same with paths relative to the session's folder, for the events."""
        out = {name: value for name, value in asdict(self).items() if value}
        for name in ("path", "vector"):
            if name in out:
                out[name] = os.path.relpath(Path(out[name]).resolve(), folder.resolve())
        return out


def session_path(path: Path) -> Path:
    """The session file that belongs to a data file: beside it, with ``.lapwing`` added."""
    path = path.resolve()
    return path.with_name(path.name + SESSION)


def recorded_source(store: Store, folder: Path) -> Source:
    """The source that a session was made from, as its events tell.

    Parameters
    ----------
    store : Store
    folder : Path
        The folder of the session file: paths are relative to it.
    """
    event = store.history.current("file").get("")
    found = {} if event is None else dict(event.new.get("source", {}))
    if "path" not in found:
        raise TableError(f"{store.path} does not say which file it belongs to: give the file.")
    for name in ("path", "vector"):
        if name in found:
            found[name] = str(folder / found[name])
    found["drop"] = tuple(found.get("drop", ()))
    return Source(**found)


def read_rows(source: Source, store: Store | None = None) -> tuple[Rows, list[str]]:
    """The rows of a source, and what a person should know about the reading.

    Parameters
    ----------
    source : Source
    store : Store, optional
        A session of the same file: its rows are told apart by the same columns.
    """
    path = Path(source.path)
    if path.is_dir():
        rows, said = _folder(source, path)
    elif path.suffix == ".npy":
        matrix, said = _array(path), []
        columns = {f"{j}": matrix[:, j].tolist() for j in range(min(matrix.shape[1], 12))}
        rows = Rows(path.name, matrix, columns, keyed=(), fingerprint=_sha256(path))
    else:
        rows, said = _table(source, path, store)
    rows.source = source.recorded(path.parent if store is None else folder_of(store, path))
    return rows, said


def folder_of(store: Store, path: Path) -> Path:
    """The folder that recorded paths count from: that of the session file."""
    return (store.path or path).resolve().parent


def demo_rows() -> tuple[Rows, list[str]]:
    """Handwritten digits that come with scikit-learn, and the names of their classes."""
    digits = load_digits()

    def picture(row: int) -> tuple[bytes, str]:
        return bitmap(255 - np.round(digits.images[row] * 255 / 16).astype(np.uint8)), "image/png"

    rows = Rows(
        "digits", digits.data, {"pixels": [f"image {i + 1}" for i in range(len(digits.data))]},
        picture=picture, contents=[_digest(row.tobytes()) for row in digits.data],
    )  # fmt: skip
    return rows, [str(name) for name in digits.target_names]


def _table(source: Source, path: Path, store: Store | None) -> tuple[Rows, list[str]]:
    reading = read_file(path)
    frame, said = reading.frame, [str(reading)]
    for role in ("target", "text", "image", "group"):
        name = getattr(source, role)
        if name is not None and name not in frame.columns:
            names = ", ".join(map(str, frame.columns))
            raise TableError(f"There is no column {name!r} for --{role}; there are {names}.")
    given: list | None = None
    if source.target is not None:
        labels = read_labels(frame[source.target], task="class", name=source.target)
        given = list(labels.y)
        said += [str(labels), *labels.said]
        frame = frame.drop(columns=[source.target])
    columns = {str(name): _cells(frame[name]) for name in frame.columns}
    matrix, picture = _matrix(source, path, frame, columns, said)
    keyed, remark = _keyed(store, list(columns))
    rows = Rows(
        path.name, matrix, columns, keyed=keyed, given=given, text=source.text, picture=picture,
        group=source.group,
        fingerprint=_sha256(path), raw=None if source.vector or source.image else frame,
    )  # fmt: skip
    return rows, said + remark


def _matrix(source: Source, path: Path, frame, columns, said: list[str]):
    """What the model sees of the rows, and how their images are read."""
    picture, files = None, None
    if source.image is not None:
        folder = path.resolve().parent
        files = [None if not c else str(c) for c in columns[source.image]]
        picture = _pictures(folder, files)
    if source.vector is not None:
        matrix = _array(Path(source.vector))
        if len(matrix) != len(frame):
            raise TableError(
                f"{source.vector} has {len(matrix)} rows and {path.name} has {len(frame)}."
            )
        said.append(f"the model sees the {matrix.shape[1]} columns of {Path(source.vector).name}")
        return matrix, picture
    if files is not None:
        return _seen(folder, files, f"column {source.image!r} of {path.name}", said), picture
    encoder = Encoder(text=[source.text] if source.text else [], drop=source.unseen)
    matrix = encoder.fit_transform(frame)
    unused = [c.name for c in encoder.columns_ if not c.used]
    if unused:
        said.append(f"the model does not see {', '.join(unused)}")
    return matrix, picture


def _seen(folder: Path, files, where: str, said: list[str]) -> np.ndarray:
    """Numbers of the images; some may be unreadable, but not all."""
    matrix, missing = image_features(folder, files)
    if missing == len(files):
        raise TableError(
            f"None of the {missing} images of {where} could be read. Paths count from {folder} and "
            f"end in one of {', '.join(SUFFIXES)}."
        )
    if missing:
        said.append(f"{missing} images could not be read")
    return matrix


def _folder(source: Source, folder: Path) -> tuple[Rows, list[str]]:
    files = sorted(
        str(p.relative_to(folder)) for p in folder.rglob("*")
        if p.suffix.lower() in SUFFIXES and p.is_file()
    )  # fmt: skip
    if not files:
        raise TableError(f"{folder} holds no image ({', '.join(SUFFIXES)}).")
    said: list[str] = []
    if source.vector is not None:
        matrix = _array(Path(source.vector))
        if len(matrix) != len(files):
            raise TableError(f"{source.vector} has {len(matrix)} rows for {len(files)} images.")
    else:
        matrix = _seen(folder, files, str(folder), said)
    contents = [_digest(_bytes(folder, name)) for name in files]
    rows = Rows(
        folder.resolve().name, matrix, {"file": files}, contents=contents,
        picture=_pictures(folder, files), fingerprint=_digest("".join(contents).encode()),
    )  # fmt: skip
    return rows, [f"{folder}: {len(files)} images", *said]


def _pictures(folder: Path, files: Sequence[str | None]):
    def picture(row: int) -> tuple[bytes, str]:
        name = files[row]
        if name is None:
            raise ValueError("This row names no image.")
        return inside(folder, name).read_bytes(), media_type(name)

    return picture


def _keyed(store: Store | None, names: list[str]) -> tuple[list[str] | None, list[str]]:
    """The columns that told rows apart when the session began, if they are all still there."""
    event = None if store is None else store.history.current("file").get("")
    if event is None:
        return None, []
    before = event.new["columns"]
    gone = [name for name in before if name not in names]
    if not gone:
        return before, []
    return None, [
        f"column {', '.join(gone)} is gone since the session began, so rows cannot be matched with "
        "their labels; the labels stay in the session"
    ]


def _cells(column) -> list:
    """A column as plain Python values, None where a cell is missing."""
    values = column.astype(object).where(column.notna(), None).tolist()
    return [v.item() if isinstance(v, np.generic) else v for v in values]


def _array(path: Path) -> np.ndarray:
    if not path.exists():
        raise TableError(f"There is no file {path}.")
    try:
        found = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise TableError(f"{path} is not an array of numbers: {error}") from error
    if found.ndim != 2 or found.dtype.kind not in "fiub":
        raise TableError(f"{path} must hold a matrix of numbers; its shape is {found.shape}.")
    return found.astype(float)


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return inside(folder, name).read_bytes()
    except (OSError, ValueError):
        return name.encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
