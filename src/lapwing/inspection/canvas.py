"""Load matplotlib and make axes. No other file imports matplotlib."""

import importlib
from types import ModuleType

import numpy as np

from ..types import Axes

SIZE = (5.6, 4.4)
SLENDER = 4.0  # with a larger ratio of the sides a picture is not drawn to scale


def load(module: str) -> ModuleType:
    """Import a module of matplotlib. The ImportError says how to install it.

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
    """The axes to draw on: the given axes, or those of a new pyplot figure."""
    if ax is not None:
        load("matplotlib")
        return ax
    return load("matplotlib.pyplot").subplots(figsize=size, layout="constrained")[1]


def keep_scale(ax: Axes, positions: np.ndarray) -> None:
    """Set the same scale in both directions, unless the range of one is much smaller."""
    short, long = np.sort(np.ptp(positions, axis=0))
    if short * SLENDER >= long:
        ax.set_aspect("equal")
