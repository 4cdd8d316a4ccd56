"""The only door to matplotlib."""

import importlib
from types import ModuleType

import numpy as np

from ..types import Axes

SIZE = (5.6, 4.4)
SLENDER = 4.0  # a plane longer than this on one side is not drawn to scale


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
            'pip install "lapwing-learn[plot]"'
        ) from error


def axes_for(ax: Axes = None, size: tuple[float, float] = SIZE) -> Axes:
    """The axes to draw on: those given, or those of a new pyplot figure."""
    if ax is not None:
        load("matplotlib")
        return ax
    return load("matplotlib.pyplot").subplots(figsize=size, layout="constrained")[1]


def keep_scale(ax: Axes, positions: np.ndarray) -> None:
    """The same scale in both directions, unless the points are so slender that one would vanish."""
    short, long = np.sort(np.ptp(positions, axis=0))
    if short * SLENDER >= long:
        ax.set_aspect("equal")
