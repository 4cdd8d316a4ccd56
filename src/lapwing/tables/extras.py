"""The doors to packages that come with the extra ``tables``, and the error of this folder."""

import importlib
from types import ModuleType


class TableError(ValueError):
    """A file or a column that cannot be used as it is; the message says why and what to do."""


def need(module: str, for_what: str, extra: str = "tables") -> ModuleType:
    """A module that is not always installed, or an ImportError that says how to get it.

    Examples
    --------
    >>> need("json", "Reading JSON").__name__
    'json'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(
            f"{for_what} needs {package}, which could not be imported. Install it with: "
            f'pip install "lapwing-learn[{extra}]"'
        ) from error
