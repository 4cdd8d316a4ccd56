"""Label rows on a page where every label moves the whole map.

``lapwing label data.csv`` opens the page. Three layers, each of which knows only those below it:

=============  ==================================================================
``web/``       Starlette, and the page: HTML, style sheet, ES modules
``session``    rows, labels, model, suggestions, audits; knows no HTTP
``store``      the session file: append-only events in SQLite
=============  ==================================================================
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rows import Rows
    from .session import Session
    from .store import Store

__all__ = ["Rows", "Session", "Store"]

_HOMES = {"Rows": "rows", "Session": "session", "Store": "store"}


def __getattr__(name: str) -> Any:
    """Public names, imported when first asked for: the command line must start quickly."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
