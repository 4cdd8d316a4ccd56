"""The base classes of pictures. A picture is computed once and drawn on any axes."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from ..types import Axes, TargetLike
from .canvas import SIZE, axes_for, load


class Display(ABC):
    """The abstract base class of pictures.

    ``plot`` finds the axes, draws (``_draw``), writes the title and returns the display. A subclass
    with more parameters of ``plot`` calls :meth:`_on` itself.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    """

    ax_: Any
    figure_: Any

    def _on(self, ax: Axes = None, size: tuple[float, float] = SIZE):
        """Find the axes to draw on and store them."""
        self.ax_ = axes_for(ax, size)
        self.figure_ = self.ax_.figure
        return self.ax_


class TitledDisplay(Display):
    """The abstract base class of pictures without drawing options."""

    def plot(self, ax: Axes = None, *, title: str | None = None) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
            None describes the picture.

        Returns
        -------
        self
        """
        ax = self._on(ax, self._size())
        self._draw(ax)
        ax.set_title(self._title() if title is None else title, wrap=True)
        return self

    def _size(self) -> tuple[float, float]:
        return SIZE

    @abstractmethod
    def _draw(self, ax: Axes) -> None:
        """Draw all but the title."""

    @abstractmethod
    def _title(self) -> str:
        """The default title."""


def draw_cells(
    ax: Axes, score: np.ndarray, cmap: str, x: np.ndarray, y: TargetLike, label: str
) -> Any:
    """Draw a map with one cell per pair of values, and a color bar."""
    image = ax.imshow(score, origin="lower", aspect="auto", cmap=cmap)
    long = len(x) > 6
    ax.set_xticks(range(len(x)), [f"{v:g}" for v in x], rotation=60 if long else 0)
    ax.set_yticks(range(len(y)), [f"{v:g}" for v in y])
    ax.figure.colorbar(image, ax=ax, label=label)
    return image


def frame_cell(ax: Axes, row: int, column: int) -> None:
    """Draw a red frame around one cell."""
    cell = load("matplotlib.patches").Rectangle((column - 0.5, row - 0.5), 1, 1)
    cell.set(fill=False, edgecolor="red", linewidth=2)
    ax.add_patch(cell)
