"""Draw points. Labeled points are strong, and unlabeled points are faint.

The first eight colors are those of Okabe and Ito (2008). People with any common color vision can
distinguish them. Wine and olive follow. Each class also has a marker. A gray print, or an eleventh
class, is then still readable.
"""

from typing import Any

import numpy as np

from ..types import Axes
from .labels import PointLabels

COLORS = (
    "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#F0E442", "#000000",
    "#882255", "#999933",
)  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")
FAINT = "#6E6E6E"
EDGE = "#A8A8A8"
LEGEND_ROWS = 12


def color(code: int) -> str:
    """The color of a class by its position."""
    return COLORS[code % len(COLORS)]


def marker(code: int) -> str:
    """The marker of a class by its position. With the color there are 110 combinations."""
    return MARKERS[code % len(MARKERS)]


def draw_unlabeled(ax: Axes, positions: np.ndarray, labels: PointLabels) -> Any:
    """Draw the points without a label, small and gray. None if there are none."""
    rest = positions[~labels.labeled]
    if not len(rest):
        return None
    return ax.scatter(*rest.T, s=12, c=FAINT, alpha=0.6, linewidths=0, label="unlabeled", zorder=2)


def draw_labeled(
    ax: Axes, positions: np.ndarray, labels: PointLabels, size: float, edge: float
) -> list[Any]:
    """Draw one collection for each class with a labeled point."""
    drawn = []
    for code, name in enumerate(labels.classes):
        mine = positions[labels.codes == code]
        if len(mine):
            drawn.append(
                ax.scatter(
                    *mine.T, s=size, c=color(code), marker=marker(code), edgecolors="black",
                    linewidths=edge, label=str(name), zorder=4,
                )
            )  # fmt: skip
    return drawn


def legend_beside(ax: Axes, labels: PointLabels, scale: float = 1.0) -> Any:
    """Draw a legend to the right of the axes, where it hides no point. None without entries."""
    title = "class" if labels.labeled.any() and len(labels.classes) > 1 else None
    entries = ax.get_legend_handles_labels()[1]
    if not entries:
        return None
    return ax.legend(
        title=title, alignment="left", loc="upper left", bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0, fontsize=8, title_fontsize=8, frameon=False, markerscale=scale,
        ncols=1 + (len(entries) - 1) // LEGEND_ROWS,
    )  # fmt: skip
