"""The only door to matplotlib."""

from __future__ import annotations

import importlib
from types import ModuleType

SIZE = (5.6, 4.4)


def load(module: str) -> ModuleType:
    """A module of matplotlib, or an ImportError that says how to get it.

    Examples
    --------
    >>> load("matplotlib.collections").__name__
    'matplotlib.collections'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            "Drawing needs matplotlib, which could not be imported. Install it with: "
            'pip install "lapwing[plot]"'
        ) from error


def axes_for(ax=None, size: tuple[float, float] = SIZE):
    """The axes to draw on: those given, or those of a new pyplot figure."""
    if ax is not None:
        load("matplotlib")
        return ax
    return load("matplotlib.pyplot").subplots(figsize=size, layout="constrained")[1]
