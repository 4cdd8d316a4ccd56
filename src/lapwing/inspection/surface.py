"""A picture of a score over a grid of two parameters (VV Fig. 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

import numpy as np

from ..paths import PathPoint
from ..types import Axes, MatrixLike, TargetLike
from .display import Display, draw_cells, frame_cell

LABELS = {"gamma_I": "γ_I", "gamma_A": "γ_A", "gamma_O": "γ_O"}


class SurfaceDisplay(Display):
    """A score over two parameters of a path. :meth:`from_path` makes it.

    Parameters
    ----------
    x, y : arrays of shape (a,) and (b,)
        The values of the two parameters, ascending.
    score : array of shape (b, a)
        The score of each pair of values. Larger is better.
    x_name, y_name, score_name : str

    Attributes
    ----------
    ax_, figure_ : the axes and figure, once :meth:`plot` was called

    Examples
    --------
    >>> import numpy as np
    >>> display = SurfaceDisplay([0, 1], [0, 1, 2], np.arange(6).reshape(3, 2), "γ_I", "γ_O", "AUC")
    >>> display.best
    (1.0, 2.0, 5.0)
    """

    def __init__(
        self,
        x: MatrixLike,
        y: TargetLike,
        score: MatrixLike,
        x_name: str,
        y_name: str,
        score_name: str = "score",
    ) -> None:
        self.x, self.y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        self.score = np.asarray(score, dtype=float)
        self.x_name, self.y_name, self.score_name = x_name, y_name, score_name
        if self.score.shape != (len(self.y), len(self.x)):
            raise ValueError(
                f"score has shape {self.score.shape}; expected ({len(self.y)}, {len(self.x)}), one "
                "row per y and one column per x."
            )

    @classmethod
    def from_path(
        cls,
        path: Iterable[PathPoint],
        score: Callable[[PathPoint], float],
        x: str | None = None,
        y: str | None = None,
        score_name: str = "score",
    ) -> SurfaceDisplay:
        """Score every point of a path. If a third parameter varies, its best value is used.

        Parameters
        ----------
        path : iterable of PathPoint
            The points of :func:`lapwing.path`.
        score : callable
            A function from a PathPoint to a number. Larger is better.
        x, y : {"gamma_I", "gamma_A", "gamma_O"}, optional
            None uses the first two parameters that vary.
        """
        path = list(path)
        first, second = _varied(path)
        x, y = first if x is None else x, second if y is None else y
        for name in (x, y):
            if name not in LABELS:
                raise ValueError(f"{name!r} is no parameter of a path; expected {list(LABELS)}.")
        found: dict[tuple[float, float], float] = {}
        for point in path:
            key = (getattr(point, x), getattr(point, y))
            found[key] = max(found.get(key, -np.inf), score(point))
        xs, ys = (sorted({key[i] for key in found}) for i in (0, 1))
        values = [[found[a, b] for a in xs] for b in ys]
        return cls(xs, ys, values, LABELS[x], LABELS[y], score_name)

    @property
    def best(self) -> tuple[float, float, float]:
        """(x, y, score) of the largest score."""
        row, column = np.unravel_index(np.nanargmax(self.score), self.score.shape)
        return float(self.x[column]), float(self.y[row]), float(self.score[row, column])

    def plot(self, ax: Axes = None, *, cmap: str = "viridis", fmt: str = ".3g") -> Self:
        """Draw a map with one cell per pair of values. The best cell is marked.

        Parameters
        ----------
        ax : matplotlib axes, optional
        cmap : str
        fmt : str or None
            The format of the score in each cell. None leaves the cells empty.

        Returns
        -------
        self
        """
        ax = self._on(ax)
        draw_cells(ax, self.score, cmap, self.x, self.y, self.score_name)
        ax.set(xlabel=self.x_name, ylabel=self.y_name)
        if fmt is not None:
            middle = 0.5 * (np.nanmin(self.score) + np.nanmax(self.score))
            for (row, column), value in np.ndenumerate(self.score):
                color = "black" if value > middle else "white"
                ax.text(column, row, f"{value:{fmt}}", ha="center", va="center", color=color)
        row, column = np.unravel_index(np.nanargmax(self.score), self.score.shape)
        frame_cell(ax, int(row), int(column))
        return self


def _varied(path: list[PathPoint]) -> tuple[str, str]:
    """The first two parameters with more than one value, filled up with others if fewer vary."""

    def fixed(name: str) -> bool:
        return len({getattr(point, name) for point in path}) < 2

    first, second, *_ = sorted(("gamma_I", "gamma_O", "gamma_A"), key=fixed)
    return first, second
