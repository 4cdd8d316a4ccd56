"""Small pictures as SVG text, without any package: intervals, curves, a map of rows."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a6d00", "#777777")
"""Told apart by color-blind people too (Okabe and Ito)."""

STEPS = ("#5b7fd6", "#1f9e93", "#7bbf4a", "#e08a00")
"""For four quarters of a number, from low to high."""

_STYLE = 'font-family="system-ui, sans-serif" font-size="13" fill="currentColor"'


def _svg(width: int, height: int, parts: list[str], label: str) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}" {_STYLE}>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def _line(x1, y1, x2, y2, color="currentColor", width: float = 1.0, opacity: float = 1.0) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
        f'stroke-width="{width}" stroke-opacity="{opacity}"/>'
    )


def intervals(rows: list[dict[str, Any]], title: str) -> str:
    """How much more each method loses than the first, a dot and its interval each.

    Parameters
    ----------
    rows : list of dict
        ``method``, ``loss``, ``more_than_lapwing``, ``low``, ``high``.
    title : str
    """
    left, right, width, step = 200, 70, 900, 30
    height = 62 + step * len(rows)
    low = min([0.0, *(r["low"] for r in rows)])
    high = max([0.01, *(r["high"] for r in rows)])

    def at(value: float) -> float:
        return left + (width - left - right) * (value - low) / (high - low)

    parts = [_text(left, 16, title), _text(width, 16, "loss", "end")]
    for tick in ticks(low, high):
        parts.append(_line(at(tick), 28, at(tick), height - 22, opacity=0.15 if tick else 0.6))
        parts.append(_text(at(tick), height - 4, f"{tick:+.4g}" if tick else "0", "middle"))
    for i, row in enumerate(rows):
        y, color = 44 + step * i, COLORS[i % len(COLORS)]
        parts.append(_text(0, y + 4, row["method"]))
        parts.append(_line(at(row["low"]), y, at(row["high"]), y, color, 3))
        parts.append(
            f'<circle cx="{at(row["more_than_lapwing"]):.1f}" cy="{y}" r="5" fill="{color}"/>'
        )
        parts.append(_text(width, y + 4, f"{row['loss']:.3f}", "end"))
    return _svg(width, height, parts, title)


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high, three to six of them; 0 is one where it lies between.

    Examples
    --------
    >>> ticks(-0.35, 0.52)
    [-0.2, 0.0, 0.2, 0.4]
    """
    rough = (high - low) / 5
    size = 10.0 ** np.floor(np.log10(rough))
    step = size * next(m for m in (1, 2, 5, 10) if m * size >= rough)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return [round(float(k * step), 12) for k in range(first, last + 1)]


def curves(rows: list[dict[str, Any]]) -> str:
    """Errors against the number of labels, suggested and at random."""
    left, top, width, height = 56, 20, 640, 320
    counts = [r["labels"] for r in rows]
    ways = [w for w in ("suggested", "random") if any(r.get(w) is not None for r in rows)]
    most = max([r[w] for r in rows for w in ways if r[w] is not None] + [1e-9])
    first, last = min(counts), max(max(counts), min(counts) + 1)

    def place(count: float, error: float) -> tuple[float, float]:
        x = left + (width - left - 90) * (count - first) / (last - first)
        return x, top + (height - top - 40) * (1.0 - error / most)

    floor = place(first, 0.0)[1]
    parts = [_text(place(c, 0)[0], floor + 18, f"{c:g}", "middle") for c in ticks(first, last)]
    for error in ticks(0.0, most):
        y = place(first, error)[1]
        parts.append(_line(left, y, width - 90, y, opacity=0.15 if error else 0.6))
        parts.append(_text(left - 6, y + 4, f"{error:g}", "end"))
    parts.append(_text((left + width - 90) / 2, height - 4, "labels", "middle"))
    parts.append(_text(left, 12, "error"))
    ends: list[float] = []
    for way, color in zip(ways, COLORS, strict=False):
        known = [place(r["labels"], r[way]) for r in rows if r.get(way) is not None]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in known)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5"/>')
        x, y = known[-1]
        if ends and abs(y - ends[-1]) < 16:  # the names must not lie on each other
            y = ends[-1] + (16 if y >= ends[-1] else -16)
        ends.append(y)
        parts.append(f'<g fill="{color}">{_text(x + 6, y + 4, way)}</g>')
    return _svg(width, height, parts, "errors against the number of labels")


def row_map(
    positions: np.ndarray,
    codes: np.ndarray,
    sure: np.ndarray,
    labeled: np.ndarray,
    colors: Sequence[str] = COLORS,
) -> str:
    """All rows in the plane: the color is the answer, faint is unsure, a ring is a label.

    Parameters
    ----------
    positions : array of shape (n, 2)
    codes : integer array of shape (n,)
        The answer of each row.
    sure : array of shape (n,)
        Between 0 and 1.
    labeled : boolean array of shape (n,)
    colors : sequence of str
        Of the answers.
    """
    width, height, edge = 930, 560, 14
    low, high = positions.min(axis=0), positions.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    xy = edge + (positions - low) / span * [width - 2 * edge, height - 2 * edge]
    parts = []
    for i in np.argsort(labeled, kind="stable"):
        color = colors[codes[i]]
        ring = ' stroke="currentColor" stroke-width="2"' if labeled[i] else ""
        size, opacity = (5.5, 1.0) if labeled[i] else (3.2, 0.25 + 0.65 * float(sure[i]))
        parts.append(
            f'<circle cx="{xy[i, 0]:.1f}" cy="{height - xy[i, 1]:.1f}" r="{size}" fill="{color}" '
            f'fill-opacity="{opacity:.2f}"{ring}/>'
        )
    return _svg(width, height, parts, "map of the rows")
