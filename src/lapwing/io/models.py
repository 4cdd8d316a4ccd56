"""Fitted models as files: compressed skops files with a header of format and version.

A file is a zip archive of skops with one additional member, ``lapwing.json``. This is the header.
It is read first. Only types of a fixed list are loaded (:mod:`lapwing.io.trusted`).
"""

import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..types import Estimator, PathLike
from ..version import __version__
from .atomic import written_beside
from .former import renewed
from .trusted import TRUSTED

FORMAT = 2
"""The format number. It increases when older versions cannot read new files.

Format 1 is a bare skops file. Format 2 has a header. :mod:`lapwing.io.former` lists names that have
changed since. Files with the old names can still be read.
"""

HEADER = "lapwing.json"


class ModelFileError(ValueError):
    """The file holds no model that can be loaded. The message says why."""


@dataclass(frozen=True)
class Header:
    """The header of a model file.

    Attributes
    ----------
    format : int
    version : str
        The version of Lapwing that wrote the file.
    about : dict
        Notes of the user, such as the data, the targets or the seed.
    """

    format: int
    version: str
    about: dict[str, Any] = field(default_factory=dict)


def save(model: Estimator, path: PathLike, *, about: dict[str, Any] | None = None) -> None:
    """Write a fitted model to a file. :func:`load` reads it.

    The file is first written under another name and then renamed. An existing file stays complete
    until the end.

    Parameters
    ----------
    model : estimator, pipeline or transformer
        A fitted object of Lapwing, scikit-learn or :mod:`lapwing.tables`.
    path : str or path
        The file to write.
    about : dict, optional
        Notes in plain values. :func:`read_header` reads them.

    Raises
    ------
    ModelFileError
        If the model holds a type that :func:`load` refuses, such as your own function.

    Examples
    --------
    >>> import tempfile, pathlib, lapwing
    >>> from lapwing.datasets import make_two_moons
    >>> X, y, truth = make_two_moons(100, labels_per_class=5, random_state=0)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "moons.model"
    >>> save(lapwing.LapRLSClassifier(kernel="rbf").fit(X, y), path)
    >>> load(path).predict(X).shape
    (100,)
    """
    skops = _skops()
    data = skops.dumps(model, compression=zipfile.ZIP_DEFLATED, compresslevel=6)
    foreign = sorted(set(skops.get_untrusted_types(data=data)) - TRUSTED)
    if foreign:
        raise ModelFileError(
            f"This model cannot be saved, since it holds {', '.join(foreign)}, which lapwing.load "
            "does not trust. Use parts of Lapwing and scikit-learn, or pickle it."
        )
    header = {"format": FORMAT, "version": __version__, "about": about or {}}
    packed = io.BytesIO(data)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(HEADER, json.dumps(header, default=str))
    with written_beside(path) as beside:
        beside.write_bytes(packed.getvalue())


def load(path: PathLike) -> Any:
    """Read a fitted model from a file that :func:`save` wrote.

    Lapwing refuses types that are not on its fixed list. Still, load only files that you trust. No
    loader can stop every attack.

    Parameters
    ----------
    path : str or path
        The file to read.

    Raises
    ------
    ModelFileError
        If the file is no model, is damaged, has a newer format, or holds other types.

    Examples
    --------
    >>> load("there-is-none.model")
    Traceback (most recent call last):
    ...
    lapwing.io.models.ModelFileError: There is no file there-is-none.model.
    """
    skops = _skops()
    data = _read(path)
    header = _header(data, path)
    try:
        data = renewed(data)
        foreign = sorted(set(skops.get_untrusted_types(data=data)) - TRUSTED)
        if foreign:
            raise ModelFileError(
                f"{path} holds types that Lapwing does not load: {', '.join(foreign)}."
            )
        return skops.loads(data, trusted=sorted(TRUSTED))
    except ModelFileError:
        raise
    except Exception as error:  # a damaged file may raise any error
        raise ModelFileError(
            f"{path} was written by Lapwing {header.version}, but cannot be read: "
            f"{type(error).__name__}: {error}"
        ) from error


def read_header(path: PathLike) -> Header:
    """Read the header of a model file without loading the model.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from sklearn.linear_model import LinearRegression
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "line.model"
    >>> save(LinearRegression().fit([[0.0], [1.0]], [0.0, 2.0]), path, about={"data": "two points"})
    >>> read_header(path).about
    {'data': 'two points'}
    """
    return _header(_read(path), path)


def _read(path: PathLike) -> bytes:
    path = Path(path)
    if path.is_dir():
        raise ModelFileError(f"{path} is a directory; give the model file in it.")
    if not path.exists():
        raise ModelFileError(f"There is no file {path}.")
    return path.read_bytes()


def _header(data: bytes, path: PathLike) -> Header:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if HEADER not in names and "schema.json" in names:
                return Header(1, "0.1")
            found = json.loads(archive.read(HEADER))
        number, version = found["format"], str(found["version"])
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path} is no model of Lapwing, or it is damaged.") from error
    if type(number) is not int or number < 1:
        raise ModelFileError(
            f"{path} is damaged: its header says format {number!r}, which never was one."
        )
    if number > FORMAT:
        raise ModelFileError(
            f"{path} was saved by Lapwing {version} in format {number}, but this is Lapwing "
            f"{__version__}, which reads formats 1 to {FORMAT}. Update Lapwing, or fit and "
            "save the model again."
        )
    about = found.get("about")
    return Header(number, version, about if isinstance(about, dict) else {})


def _skops():
    try:
        import skops.io as skops
    except ImportError as error:
        raise ImportError(
            "Saving and loading models needs skops. Install it with: "
            'pip install "lapwing-learn[io]"'
        ) from error
    return skops
