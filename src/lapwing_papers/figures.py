"""Figures of a report: drawn by matplotlib, told apart by marker and line, not by color alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np

from lapwing.inspection.canvas import load

MARKERS = "osD^vP*Xp<>h"
LINES = ("-", "--", "-.", ":")
COLORS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#666666")
"""Okabe and Ito's, which stay apart for color-blind readers."""


@dataclass(frozen=True)
class Figure:
    """A figure to be drawn.

    Attributes
    ----------
    name, caption : str
    draw : callable
        Takes the array of axes.
    grid : (int, int)
        Rows and columns of axes.
    size : (float, float)
        Inches.
    """

    name: str
    caption: str
    draw: Callable[[np.ndarray], None]
    grid: tuple[int, int] = (1, 1)
    size: tuple[float, float] = (6.0, 4.2)

    def png(self, dpi: int = 90) -> bytes:
        """The picture's file."""
        # a Figure of its own, not pyplot's: nothing is shown, so no window system is asked for
        figure = load("matplotlib.figure").Figure(figsize=self.size, layout="constrained")
        self.draw(figure.subplots(*self.grid, squeeze=False))
        file = BytesIO()
        # without the version of matplotlib, equal figures are equal files
        figure.savefig(file, dpi=dpi, format="png", metadata={"Software": None})
        return file.getvalue()


def curves(ax, x: Sequence[float], lines: Mapping[str, Sequence[float]], **labels) -> None:
    """One line per name, each with a marker and a dash of its own."""
    for i, (name, y) in enumerate(lines.items()):
        ax.plot(x, y, label=name, markersize=5, linewidth=1.2, **style(i))
    ax.set(**labels)
    if labels.get("xscale") == "log":
        ax.set_xticks(x, [f"{value:g}" for value in x])
        ax.minorticks_off()
    ax.grid(alpha=0.3)
    ax.legend(fontsize=7)


def scatter(ax, groups: Mapping[str, tuple], **labels) -> None:
    """Pairs against the diagonal, a marker per group."""
    everything = []
    for i, (name, (x, y)) in enumerate(groups.items()):
        look = style(i)
        ax.scatter(
            x, y, s=22, label=name, marker=look["marker"], facecolors="none",
            edgecolors=look["color"], linewidths=0.9,
        )  # fmt: skip
        everything += [*np.ravel(x), *np.ravel(y)]
    low, high = (np.min(everything), np.max(everything)) if everything else (0.0, 1.0)
    ax.plot([low, high], [low, high], color="0.5", linewidth=0.8, linestyle=":")
    ax.set(**labels)
    ax.grid(alpha=0.3)
    ax.legend(fontsize=7)


def style(i: int) -> dict:
    """Color, marker and dash of the i-th thing."""
    return {
        "color": COLORS[i % len(COLORS)],
        "marker": MARKERS[i % len(MARKERS)],
        "linestyle": LINES[i % len(LINES)],
    }
